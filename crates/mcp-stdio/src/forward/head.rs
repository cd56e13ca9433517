//! What the headers of a forwarded message say about it.

use assay_mcp::{Incoming, Refused};
use rmcp::model::RequestId;
use serde::Deserialize;

/// What the headers of a forwarded message say about it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) id: Option<RequestId>,
    pub(crate) method: Option<String>,
    /// What the method acts on: a tool or a resource.
    pub(crate) name: Option<String>,
    /// The version of the protocol that the message itself names.
    pub(crate) version: Option<String>,
    /// The request that the message cancels.
    pub(crate) cancels: Option<RequestId>,
}

#[derive(Deserialize)]
struct Message {
    method: Option<String>,
    params: Option<Params>,
}

#[derive(Deserialize, Default)]
struct Params {
    name: Option<String>,
    uri: Option<String>,
    #[serde(rename = "requestId")]
    request_id: Option<RequestId>,
    #[serde(rename = "_meta")]
    meta: Option<Meta>,
}

#[derive(Deserialize)]
struct Meta {
    #[serde(rename = "io.modelcontextprotocol/protocolVersion")]
    version: Option<String>,
}

impl Head {
    /// Reads what is needed of one message; the rest of it goes unread.
    ///
    /// # Errors
    /// [`Refused`] when it is no message, or names things by anything but strings.
    pub(crate) fn read(line: &[u8]) -> Result<Self, Refused> {
        let id = Incoming::read(line)?.id;
        let message: Message =
            serde_json::from_slice(line).map_err(|_| Refused::shapeless(id.clone()))?;
        let params = message.params.unwrap_or_default();
        let method = message.method;
        let name = match method.as_deref() {
            Some("tools/call" | "prompts/get") => params.name,
            Some("resources/read") => params.uri,
            _ => None,
        };
        let cancels = params
            .request_id
            .filter(|_| method.as_deref().is_some_and(|it| it == "notifications/cancelled"));
        Ok(Self { id, method, name, version: params.meta.and_then(|it| it.version), cancels })
    }
}

#[cfg(test)]
mod tests {
    use rmcp::model::RequestId;

    use super::Head;

    #[test]
    fn heads_name_what_a_router_needs() {
        let string = |text: &str| Some(text.to_owned());
        let table = [
            (
                r#"{"id":1,"method":"tools/call","params":{"name":"t","arguments":{"name":1e999}}}"#,
                Head {
                    id: Some(RequestId::Number(1)),
                    method: string("tools/call"),
                    name: string("t"),
                    ..Head::default()
                },
            ),
            (
                r#"{"method":"resources/read","params":{"uri":"u","name":"n","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#,
                Head {
                    method: string("resources/read"),
                    name: string("u"),
                    version: string("2026-07-28"),
                    ..Head::default()
                },
            ),
            (
                r#"{"method":"notifications/cancelled","params":{"requestId":"a"}}"#,
                Head {
                    method: string("notifications/cancelled"),
                    cancels: Some(RequestId::String("a".into())),
                    ..Head::default()
                },
            ),
        ];
        for (line, expected) in table {
            assert_eq!(Head::read(line.as_bytes()).unwrap(), expected);
        }
        assert!(Head::read(br#"{"method":"tools/call","params":{"name":1}}"#).is_err());
    }
}
