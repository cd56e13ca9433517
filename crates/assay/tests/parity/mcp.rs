//! Messages of the protocol as text, so that nothing is rounded on the way.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::seen::Answer;

/// A version of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Era {
    /// With a handshake.
    Initialized,
    /// Without one: each request says what the handshake said.
    Stateless,
}

impl Era {
    pub(crate) const BOTH: [Self; 2] = [Self::Initialized, Self::Stateless];

    pub(crate) const fn version(self) -> &'static str {
        match self {
            Self::Initialized => "2025-11-25",
            Self::Stateless => "2026-07-28",
        }
    }

    /// The call of a tool.
    pub(crate) fn call(self, id: usize, tool: &str, arguments: &str) -> String {
        let meta = match self {
            Self::Initialized => "",
            Self::Stateless => {
                r#","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"parity","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}"#
            }
        };
        let params = format!(r#"{{"name":"{tool}","arguments":{arguments}{meta}}}"#);
        format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{params}}}"#)
    }
}

/// The handshake of a client.
pub(crate) const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"parity","version":"1"}}}"#;
/// The end of the handshake.
pub(crate) const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

#[derive(Deserialize)]
struct Message<'m> {
    id: Option<usize>,
    #[serde(borrow)]
    result: Option<CallResult<'m>>,
    #[serde(borrow)]
    error: Option<&'m RawValue>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CallResult<'m> {
    content: Vec<Block>,
    #[serde(default)]
    is_error: bool,
    #[serde(borrow)]
    structured_content: Option<&'m RawValue>,
}

#[derive(Deserialize)]
struct Block {
    r#type: String,
    text: String,
}

/// Reads the answer to the call `id`.
pub(crate) fn answer(id: usize, message: &str) -> Result<Answer, String> {
    let read: Message<'_> = serde_json::from_str(message)
        .map_err(|error| format!("{error} in the message {message:.400}"))?;
    if read.id != Some(id) {
        return Err(format!("the answer to {id} bears the id {:?}", read.id));
    }
    match (read.result, read.error) {
        (None, Some(error)) => Ok(Answer::ProtocolError(error.get().to_owned())),
        (Some(result), None) => {
            let [block] = result.content.as_slice() else {
                return Err(format!("there are {} content blocks", result.content.len()));
            };
            let structured = result.structured_content.ok_or("there is no structured content")?;
            if block.r#type != "text" {
                return Err(format!("the content is of the type `{}`", block.r#type));
            }
            Ok(Answer::Payload {
                text: block.text.clone(),
                failed: Some(result.is_error),
                structured: Some(structured.get().to_owned()),
            })
        }
        _ => Err(format!("neither a result nor an error: {message:.400}")),
    }
}
