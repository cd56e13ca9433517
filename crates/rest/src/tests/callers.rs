//! Who may call, and what shows who that is.

use assay_core::{Access, KeyRequest, Scope, Scopes};

use super::*;

const TOKEN: &str = "the-token-of-the-installation";

/// A door that asks for credentials, with a key that may only check.
fn locked() -> (Router, String) {
    let access = Access::with_token(TOKEN);
    let service = Service::open(Settings { access, ..Settings::default() }).unwrap();
    let scopes = Scopes::EMPTY.with(Scope::Check);
    let request = KeyRequest { scopes, ..KeyRequest::default() };
    let key = service.issue_key(None, &request).unwrap().secret;
    (router(service, &HttpSettings::default()), key)
}

/// The headers of a request.
type Headers<'a> = &'a [(&'a str, &'a [u8])];

async fn ask(door: &Router, path: &str, headers: Headers<'_>) -> (u16, HeaderMap, Value) {
    let (method, body) = if path == "/v1/check" { ("POST", "{}") } else { ("GET", "") };
    let mut request = request(method, path, body);
    for (name, value) in headers {
        let name: http::HeaderName = name.parse().unwrap();
        request.headers_mut().append(name, http::HeaderValue::from_bytes(value).unwrap());
    }
    let (head, body) = door.clone().oneshot(request).await.unwrap().into_parts();
    let body = to_bytes(body, usize::MAX).await.unwrap();
    (head.status.as_u16(), head.headers, serde_json::from_slice(&body).unwrap_or_default())
}

#[tokio::test]
async fn a_credential_is_one_header_of_either_kind() {
    let (door, key) = locked();
    let (token, key) = (TOKEN.as_bytes(), key.as_bytes());
    let bearer = |it: &[u8]| [b"Bearer ", it].concat();
    let (as_owner, as_key) = (bearer(token), bearer(key));
    let (long, longest) = (vec![b'x'; 513], vec![b'x'; 512]);
    let (authorization, own) = ("authorization", "x-jaxon-credential");
    let table: &[(Headers<'_>, u16, &str)] = &[
        (&[], 401, "CREDENTIAL_REQUIRED"),
        (&[(own, b"")], 401, "CREDENTIAL_REQUIRED"),
        (&[(authorization, &as_owner)], 200, ""),
        (&[(authorization, b"bEARER  the-token-of-the-installation ")], 200, ""),
        (&[(own, token)], 200, ""),
        (&[(authorization, &as_owner), (own, token)], 200, ""),
        (&[(own, key)], 403, "CREDENTIAL_SCOPE"),
        (&[(authorization, &as_key)], 403, "CREDENTIAL_SCOPE"),
        (&[(own, b"another")], 401, "CREDENTIAL_INVALID"),
        (&[(own, &longest)], 401, "CREDENTIAL_INVALID"),
        (&[(own, &long)], 401, "CREDENTIAL_INVALID"),
        (&[(own, b"\xc3\xa9")], 401, "CREDENTIAL_INVALID"),
        (&[(own, token), (own, token)], 401, "CREDENTIAL_INVALID"),
        (&[(authorization, &as_owner), (authorization, &as_owner)], 401, "CREDENTIAL_INVALID"),
        (&[(authorization, &as_owner), (own, b"another")], 401, "CREDENTIAL_INVALID"),
        (&[(authorization, token)], 401, "CREDENTIAL_INVALID"),
        (&[(authorization, b"Bearer ")], 401, "CREDENTIAL_INVALID"),
        (&[(authorization, b"Basic dXNlcjpwYXNz"), (own, token)], 401, "CREDENTIAL_INVALID"),
    ];
    for (headers, status, code) in table {
        let (found, answered, body) = ask(&door, "/v1/rulesets", headers).await;
        let named = body["error"]["code"].as_str().unwrap_or_default();
        assert_eq!((found, named), (*status, *code), "{headers:?} {body}");
        let challenge = answered.get("www-authenticate").map(|it| it.to_str().unwrap());
        assert_eq!(challenge, (found == 401).then_some("Bearer"), "{headers:?}");
    }
    let (status, _, body) = ask(&door, "/v1/check", &[(own, key)]).await;
    assert_eq!((status, &body["error"]["code"]), (400, &json!("BAD_REQUEST")), "{body}");
}

#[tokio::test]
async fn only_what_belongs_to_nobody_is_open() {
    let (door, _) = locked();
    for path in [
        "/health",
        "/healthz",
        "/healthz/rules",
        "/version",
        "/openapi.json",
        "/llms.txt",
        "/docs/errors/README.md",
        "/v1/vocabulary",
        "/review",
        "/invitation",
        "/approvals",
    ] {
        assert_eq!(ask(&door, path, &[]).await.0, 200, "{path}");
        // What is open does not look at credentials.
        assert_eq!(ask(&door, path, &[("authorization", b"Basic x")]).await.0, 200, "{path}");
    }
    assert_eq!(ask(&door, "/v1/flags", &[]).await.0, 401);
    assert_eq!(ask(&door, "/v1/flags", &[("x-jaxon-credential", TOKEN.as_bytes())]).await.0, 200);
    for route in ROUTES {
        let path = route.path.replace(['{', '}'], "");
        let large = Body::from(vec![b' '; 2 * 1024 * 1024]);
        let request = request(&route.method.to_uppercase(), &path, large);
        let status = door.clone().oneshot(request).await.unwrap().status();
        assert_eq!(status, StatusCode::UNAUTHORIZED, "{path}");
    }
}
