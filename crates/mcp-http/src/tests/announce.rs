//! A client that holds an old list hears of the new one, once.

use super::*;

/// What the door answers to one request, as the messages that arrive.
async fn hears(door: &Router, version: &str, method: &str, accept: Option<&str>) -> Vec<String> {
    let members = match method {
        "tools/call" => r#""name":"dsail_list_rulesets","arguments":{}"#,
        _ => "",
    };
    let mut request = request(version, method, members);
    request.headers_mut().insert("user-agent", "a-client/1".parse().unwrap());
    if let Some(accept) = accept {
        request.headers_mut().insert("accept", accept.parse().unwrap());
    }
    let response = door.clone().oneshot(request).await.unwrap();
    let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
    let body = String::from_utf8(body.into()).unwrap();
    let events: Vec<String> = messages(&body).into_iter().map(str::to_owned).collect();
    let messages = if events.is_empty() { vec![body] } else { events };
    let message = |it: &String| {
        let message: Value = serde_json::from_str(it).unwrap();
        message["method"].as_str().unwrap_or("answer").to_owned()
    };
    messages.iter().map(message).collect()
}

const NEWS: [&str; 4] = [
    "notifications/tools/list_changed",
    "notifications/resources/list_changed",
    "notifications/resources/updated",
    "answer",
];

#[tokio::test]
async fn the_first_request_after_a_restart_brings_the_news() {
    for version in LEGACY {
        for first in ["tools/call", "tools/list", "ping"] {
            // The process that the client was connected to is gone; this one never saw it.
            let restarted = door();
            assert_eq!(hears(&restarted, version, first, None).await, NEWS, "{version} {first}");
            for next in ["tools/list", "tools/call", "resources/list"] {
                let heard = hears(&restarted, version, next, None).await;
                assert_eq!(heard, ["answer"], "{version} {next}");
            }
        }
    }
}

#[tokio::test]
async fn who_has_no_list_hears_nothing() {
    let door = door();
    assert_eq!(hears(&door, "2025-11-25", "initialize", None).await, ["answer"]);
    assert_eq!(hears(&door, "2025-11-25", "tools/list", None).await, ["answer"]);
    // The era without connections is told with the list not to keep it.
    assert_eq!(hears(&door, MODERN, "tools/call", None).await, ["answer"]);
    let list = ask(MODERN, "tools/list", "").await;
    assert_eq!(list["result"]["ttlMs"], 0, "{list}");
}

/// What was stopped is gone from the lists, and whoever holds one hears of it once.
#[tokio::test]
async fn a_stop_brings_the_news_again() {
    let service = Service::open(Settings::default()).unwrap();
    let door = router(Arc::clone(&service), &HttpSettings::default());
    assert_eq!(hears(&door, "2025-11-25", "ping", None).await, NEWS);
    assert_eq!(hears(&door, "2025-11-25", "ping", None).await, ["answer"]);
    let target = Target::parse("dsail.compile").unwrap();
    service.stop("operator", &target, "looked at").unwrap();
    assert_eq!(hears(&door, "2025-11-25", "tools/list", None).await, NEWS);
    assert_eq!(hears(&door, "2025-11-25", "tools/list", None).await, ["answer"]);
}

#[tokio::test]
async fn another_client_is_another_connection() {
    let door = door();
    assert_eq!(hears(&door, "2025-11-25", "ping", None).await, NEWS);
    let mut other = request("2025-11-25", "ping", "");
    other.headers_mut().insert("user-agent", "another/1".parse().unwrap());
    let response = door.clone().oneshot(other).await.unwrap();
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    assert_eq!(hears(&door, "2025-11-25", "ping", None).await, ["answer"]);
}

#[tokio::test]
async fn who_takes_no_stream_is_answered_in_plain_json() {
    for version in LEGACY {
        let door = door();
        for accept in ["application/json", "*/*", "application/json, text/event-stream;q=0"] {
            let heard = hears(&door, version, "tools/list", Some(accept)).await;
            assert_eq!(heard, ["answer"], "{version} {accept}");
        }
    }
}

#[tokio::test]
async fn a_refused_request_leaves_the_news_for_the_next() {
    let door = door();
    let mut wrong = request("2025-11-25", "tools/list", "");
    wrong.headers_mut().insert("user-agent", "a-client/1".parse().unwrap());
    wrong.headers_mut().insert("mcp-protocol-version", "2024-01-01".parse().unwrap());
    assert_eq!(door.clone().oneshot(wrong).await.unwrap().status(), StatusCode::BAD_REQUEST);
    let notification = raw()
        .header("user-agent", "a-client/1")
        .body(Body::from(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#));
    let response = door.clone().oneshot(notification.unwrap()).await.unwrap();
    assert_eq!(response.status(), StatusCode::ACCEPTED);
    assert_eq!(hears(&door, "2025-11-25", "tools/list", None).await, NEWS);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_requests_that_arrive_together_one_brings_the_news() {
    let door = door();
    let asked: Vec<_> = (0..16)
        .map(|_| {
            let door = door.clone();
            tokio::spawn(async move { hears(&door, "2025-11-25", "tools/call", None).await })
        })
        .collect();
    let mut with_news = 0;
    for heard in asked {
        with_news += usize::from(heard.await.unwrap() == NEWS);
    }
    assert_eq!(with_news, 1);
}

#[tokio::test]
async fn what_the_new_era_reads_is_not_to_be_kept() {
    let page = r#""uri":"assay://docs/errors/bad-request.md""#;
    for (method, members) in [
        ("tools/list", ""),
        ("resources/list", ""),
        ("resources/templates/list", ""),
        ("resources/read", page),
    ] {
        let answer = ask(MODERN, method, members).await;
        assert_eq!(answer["result"]["ttlMs"], 0, "{method} {answer}");
        let answer = ask("2025-11-25", method, members).await;
        assert_eq!(answer["result"].get("ttlMs"), None, "{method} {answer}");
    }
}
