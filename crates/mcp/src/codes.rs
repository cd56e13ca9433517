//! Which problems are errors of the protocol. Every other one is the result of a tool.

use assay_core::{Code, Reply};
use rmcp::model::{ErrorCode, ErrorData};

/// The problems that a client has to see rather than a model, with their numbers.
const PROTOCOL: &[(Code, ErrorCode)] = &[
    (Code::UnknownTool, ErrorCode::INVALID_PARAMS),
    (Code::FacetDenied, FACET_DENIED),
    (Code::Internal, ErrorCode::INTERNAL_ERROR),
];

/// The profile denies the facet of the tool. The protocol leaves the number to servers.
const FACET_DENIED: ErrorCode = ErrorCode(-32002);

/// A failure before a tool was called, for which the protocol has no result.
pub(crate) fn error(refusal: &Reply) -> ErrorData {
    let code = refusal.failure.unwrap_or(Code::Internal);
    numbered(ErrorCode::INTERNAL_ERROR, code, &refusal.body)
}

/// A state that came back other than it was given, or an answer to no question.
pub(crate) fn invalid(refusal: &Reply) -> ErrorData {
    let code = refusal.failure.unwrap_or(Code::BadRequest);
    numbered(ErrorCode::INVALID_PARAMS, code, &refusal.body)
}

/// The error of the protocol for a call that failed with `code`; `None` where the payload is the
/// result. `payload` is the error envelope, whose `error` object becomes the `data`.
pub(crate) fn protocol_error(code: Code, payload: &[u8]) -> Option<ErrorData> {
    let number = PROTOCOL.iter().find(|(it, _)| *it == code)?.1;
    Some(numbered(number, code, payload))
}

fn numbered(number: ErrorCode, code: Code, payload: &[u8]) -> ErrorData {
    let envelope: serde_json::Value = serde_json::from_slice(payload).unwrap_or_default();
    let error = envelope.get("error");
    let message = error.and_then(|it| it.get("message")?.as_str()).unwrap_or(code.word());
    ErrorData::new(number, message.to_owned(), error.cloned())
}

#[cfg(test)]
mod tests {
    use assay_core::Code;

    use super::protocol_error;

    #[test]
    fn few_problems_are_errors_of_the_protocol() {
        let payload = br#"{"error":{"code":"X","message":"what happened"},"ok":false}"#;
        let found: Vec<(&str, i32, String)> = Code::ALL
            .iter()
            .filter_map(|code| {
                let error = protocol_error(*code, payload)?;
                assert_eq!(error.data.unwrap()["code"], "X");
                Some((code.word(), error.code.0, error.message.into_owned()))
            })
            .collect();
        let message = || "what happened".to_owned();
        let expected = [
            ("UNKNOWN_TOOL", -32602, message()),
            ("FACET_DENIED", -32002, message()),
            ("INTERNAL", -32603, message()),
        ];
        assert_eq!(found, expected);
    }
}
