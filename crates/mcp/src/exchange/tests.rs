use rmcp::model::RequestId;

use super::Incoming;

fn read(text: &str) -> Incoming {
    Incoming::read(text.as_bytes()).unwrap()
}

#[test]
fn arguments_leave_the_message_and_keep_every_byte() {
    let odd = r#"{ "n": 12345678901234567890.1230e-999, "n": "twice", "é": [ ] }"#;
    let before = r#"{"params":{"name":"t", "arguments" : "#;
    let after = r#" ,"_meta":{"a":1}},"method":"tools/call","id":"x","jsonrpc":"2.0"}"#;
    let incoming = read(&format!("{before}{odd}{after}"));
    assert_eq!(String::from_utf8(incoming.message).unwrap(), format!("{before}{{}}{after}"));
    assert_eq!(incoming.exchange.arguments(), odd);
    assert_eq!(incoming.id, Some(RequestId::String("x".into())));
}

#[test]
fn a_method_may_be_spelled_with_escapes() {
    let incoming = read(r#"{"method":"tools\/call","params":{"arguments":{"a":1.0}}}"#);
    assert_eq!(incoming.exchange.arguments(), r#"{"a":1.0}"#);
}

#[test]
fn other_messages_stay_whole() {
    for text in [
        r#"{"method":"tools/call","params":{"name":"t"}}"#,
        r#"{"method":"tools/call","params":{"name":"t","arguments":null}}"#,
        r#"{"method":"tools/call","params":{"name":"t","arguments":[1]}}"#,
        r#"{"method":"prompts/get","params":{"arguments":{"a":1}}}"#,
        r#"{"method":"ping","id":7}"#,
        r#" {"jsonrpc":"2.0","id":null,"result":{}} "#,
    ] {
        let incoming = read(text);
        assert_eq!(String::from_utf8(incoming.message).unwrap(), text);
        assert_eq!(incoming.exchange.arguments(), "{}", "{text}");
    }
}

#[test]
fn what_is_no_message_is_answered() {
    let unreadable = r#"{"error":{"code":-32700,"message":"not JSON in UTF-8: "#;
    let shapeless = r#"{"error":{"code":-32600,"message":"not a JSON-RPC 2.0 message"},"id":null,"#;
    let table: &[(&[u8], &str)] = &[
        (b"", unreadable),
        (b"{\"method\":", unreadable),
        (b"{} {}", unreadable),
        (b"\xef\xbb\xbf{}", unreadable),
        (b"{\"method\":\"a\xff\"}", unreadable),
        (b"[]", shapeless),
        (b"\"ping\"", shapeless),
        (br#"{"method":"tools/call","method":"ping"}"#, shapeless),
        (br#"{"method":"tools/call","params":{"arguments":{},"arguments":{"a":1}}}"#, shapeless),
        (br#"[1,"tools/call",{"arguments":{}}]"#, shapeless),
        (br#"{"method":"ping","params":"x"}"#, shapeless),
    ];
    for (bytes, start) in table {
        let answer = String::from_utf8(Incoming::read(bytes).unwrap_err().to_bytes()).unwrap();
        assert!(answer.starts_with(start), "{answer}");
        assert!(answer.ends_with(r#""id":null,"jsonrpc":"2.0"}"#), "{answer}");
    }
}

#[test]
fn the_payload_joins_the_answer_byte_for_byte() {
    let incoming = read(r#"{"method":"tools/call","id":1}"#);
    let answer = r#"{"jsonrpc":"2.0","id":"\"result\":{","result":{"content":[],"isError":false}}"#;
    assert_eq!(incoming.exchange.complete(answer.into()), answer.as_bytes());
    let payload = r#"{"n":12345678901234567890.1230,"result":{"a":1}}"#;
    incoming.exchange.set_payload(payload.into());
    let expected = format!(
        r#"{{"jsonrpc":"2.0","id":"\"result\":{{","result":{{"structuredContent":{payload},"content":[],"isError":false}}}}"#,
    );
    let complete = incoming.exchange.complete(answer.into());
    assert_eq!(String::from_utf8(complete).unwrap(), expected);
}
