//! Calls of tools.

use super::*;

#[tokio::test]
async fn every_era_carries_the_payload_byte_for_byte() {
    let payload = payload("dsail_check", EXACT);
    assert!(payload.contains("12345678901234567890.123"), "{payload}");
    for version in LEGACY.into_iter().chain([MODERN]) {
        let members = format!(r#""name":"dsail_check","arguments":{EXACT}"#);
        let (status, body) = send(door(), request(version, "tools/call", &members)).await;
        assert_eq!(status, StatusCode::OK);
        assert!(body.contains(&format!(r#""structuredContent":{payload},"#)), "{body}");
        let answer: Value = serde_json::from_str(&body).unwrap();
        assert_eq!(text(&answer), payload);
        assert_eq!(answer["result"]["isError"], false);
        assert_eq!(answer["id"], "a");
        let complete = (version == MODERN).then_some("complete");
        assert_eq!(answer["result"]["resultType"].as_str(), complete);
    }
}

#[tokio::test]
async fn arguments_reach_the_core_as_they_were_sent() {
    let source = r#""source":"declare n as numeric;\nassert small { n < 5 };""#;
    for arguments in [
        format!(r#"{{{source},"claims":{{"n":1e999}}}}"#),
        format!(r#"{{{source},"claims":{{"n":1,"n":9}}}}"#),
        format!(r#"{{{source},{source},"claims":{{"n":1}}}}"#),
        format!(r#"{{{source},"claims":{}{}}}"#, "[".repeat(5_000), "]".repeat(5_000)),
        "{}".to_owned(),
    ] {
        let members = format!(r#""arguments":{arguments},"name":"dsail_check""#);
        let (_, body) = send(door(), request("2025-11-25", "tools/call", &members)).await;
        let answer: Value = serde_json::from_str(&body).unwrap();
        let payload = payload("dsail_check", &arguments);
        assert_eq!(text(&answer), payload);
        let failed = !payload.contains(r#""ok":true"#);
        assert_eq!(answer["result"]["isError"], failed, "{payload}");
    }
    let absent = ask("2025-11-25", "tools/call", r#""name":"dsail_check""#).await;
    assert_eq!(text(&absent), payload("dsail_check", "{}"));
}

#[tokio::test]
async fn large_answers_arrive_whole() {
    let rules: String = (0..1_800)
        .map(|it| format!("// The number {it} is no bound of the number n, whatever is said.\nassert rule_{it} {{ n != {it} }};\n"))
        .collect();
    let source = format!("declare n as numeric;\n{rules}");
    let arguments = json!({ "source": source }).to_string();
    let payload = payload("dsail_compile", &arguments);
    let members = format!(r#""name":"dsail_compile","arguments":{arguments}"#);
    let (_, body) = send(door(), request(MODERN, "tools/call", &members)).await;
    assert!(body.len() > 1024 * 1024, "{}", body.len());
    assert!(body.contains(&format!(r#""structuredContent":{payload},"#)));
    assert_eq!(text(&serde_json::from_str(&body).unwrap()), payload);
}

#[tokio::test(flavor = "multi_thread")]
async fn interleaved_calls_keep_to_themselves() {
    let door = door();
    let calls: Vec<_> = (0..100)
        .map(|number| {
            let arguments = EXACT.replace("12345678901234567890", &number.to_string());
            let members = format!(r#""name":"dsail_check","arguments":{arguments}"#);
            let version = if number % 2 == 0 { MODERN } else { "2025-06-18" };
            let sent = send(door.clone(), request(version, "tools/call", &members));
            (arguments, tokio::spawn(sent))
        })
        .collect();
    for (arguments, call) in calls {
        let (_, body) = call.await.unwrap();
        let answer: Value = serde_json::from_str(&body).unwrap();
        assert_eq!(text(&answer), payload("dsail_check", &arguments));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_leaves_frees_the_solver() {
    let wall_clock = Duration::from_secs(60);
    let engine = EngineSettings { workers: 1, queue: 1, resource_limit: u32::MAX, wall_clock };
    let door = router(service(engine), &HttpSettings::default());
    let call = |source: &str, claims: &str| {
        let arguments = json!({ "source": source, "claims": claims });
        let members = format!(r#""name":"dsail_check","arguments":{arguments}"#);
        send(door.clone(), request("2025-11-25", "tools/call", &members))
    };
    // Whether 114 is a sum of three cubes is not known.
    let endless = "declare x as numeric; declare y as numeric; declare z as numeric;\n\
        assert hard { Or(Not((x % 1) + (y % 1) + (z % 1) == 0), \
        Not(x * x * x + y * y * y + z * z * z == 114)) };";
    let claims = r#"{"x":"unknown","y":"unknown","z":"unknown"}"#;
    let left = tokio::time::timeout(Duration::from_millis(500), call(endless, claims)).await;
    assert!(left.is_err(), "{left:?}");
    let quick = "declare x as numeric; declare y as numeric;\nassert easy { Or(x < y, x >= y) };";
    let claims = r#"{"x":"unknown","y":"unknown"}"#;
    let answer = tokio::time::timeout(Duration::from_secs(20), call(quick, claims)).await;
    let (_, body) = answer.unwrap();
    assert!(body.contains(r#""check":"TRUE""#), "{body}");
}
