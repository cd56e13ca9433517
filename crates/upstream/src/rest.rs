//! Calls of an ordinary HTTP interface.

use std::collections::BTreeMap;

use assay_base::canonical;
use http::StatusCode;
use http::header::{ACCEPT, CONTENT_TYPE};
use reqwest::{Client, Request, Response, Url};
use serde_json::{Map, Value};

use crate::call::{Answer, Call, CallError, Sent};
use crate::failure;
use crate::http::{Target, context_headers};
use crate::route::Method;
use crate::template::{Template, scalar};

/// An HTTP interface with the tools that it has.
pub(crate) struct Rest {
    client: Client,
    target: Target,
    tools: BTreeMap<String, (Method, Template)>,
}

impl Rest {
    /// The interface, or what is wrong with its tools.
    pub(crate) fn new(
        client: Client,
        target: Target,
        tools: BTreeMap<String, (Method, String)>,
    ) -> Result<Self, String> {
        if target.url.query().is_some() || target.url.fragment().is_some() {
            return Err("the URL holds more than a path; leave `?` and `#` out".to_owned());
        }
        let tools = tools.into_iter().map(|(name, (method, path))| {
            let template =
                Template::new(&path).map_err(|fault| format!("tool `{name}`: {fault}"))?;
            Ok((name, (method, template)))
        });
        Ok(Self { client, target, tools: tools.collect::<Result<_, String>>()? })
    }

    /// The request that a call becomes.
    pub(crate) fn request(&self, call: &Call<'_>) -> Result<Request, CallError> {
        let fault = |it: &str| CallError::NotSent(it.to_owned());
        let tool = self.tools.get(call.tool);
        let (method, template) = tool.ok_or_else(|| fault("the route has no such tool"))?;
        let arguments = call.arguments.as_object();
        let mut arguments =
            arguments.ok_or_else(|| fault("the arguments are no JSON object"))?.clone();
        let path = template.fill(&mut arguments).map_err(CallError::NotSent)?;
        let mut url = self.target.url.clone();
        url.set_path(&format!("{}/{path}", self.target.url.path().trim_end_matches('/')));
        let mut request = match method {
            Method::Get | Method::Delete => {
                append_query(&mut url, &arguments);
                Request::new(verb(*method), url)
            }
            Method::Post | Method::Put | Method::Patch => {
                let body = canonical::to_bytes(|it| it.json(&Value::Object(arguments)));
                let mut request = Request::new(verb(*method), url);
                *request.body_mut() = Some(body.into());
                request
            }
        };
        let has_body = request.body().is_some();
        let headers = request.headers_mut();
        headers.extend(self.target.headers.clone());
        headers.extend(context_headers(&call.context)?);
        let json = http::HeaderValue::from_static("application/json");
        headers.insert(ACCEPT, json.clone());
        if has_body {
            headers.insert(CONTENT_TYPE, json);
        }
        Ok(request)
    }

    pub(crate) fn client(&self) -> Client {
        self.client.clone()
    }
}

/// Sends a request and reads what comes back.
pub(crate) async fn send(
    client: Client,
    request: Request,
    max_output_bytes: usize,
    sent: Sent,
) -> Result<Answer, CallError> {
    sent.mark();
    let response = client.execute(request).await.map_err(|it| failure::of_request(&it))?;
    let status = response.status();
    match status {
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => {
            Err(CallError::Unavailable)
        }
        it if it.is_success() => {
            let body = read(response, max_output_bytes).await?;
            accepted(&body)?.within(max_output_bytes)
        }
        it if it.is_client_error() && it != StatusCode::REQUEST_TIMEOUT => {
            // The refusal stands, whether or not its explanation can be read.
            let body = read(response, max_output_bytes).await.unwrap_or_default();
            let result: Map<String, Value> = serde_json::from_slice(&body).unwrap_or_default();
            Ok(Answer { result: Value::Object(result), ..Answer::bare_failure() })
        }
        // Whatever stands between may say so while the server does the work all the same.
        it => Err(CallError::Broken(format!("it answered with status {}", it.as_u16()))),
    }
}

/// The body, as long as it has at most `limit` bytes.
async fn read(mut response: Response, limit: usize) -> Result<Vec<u8>, CallError> {
    let announced = response.content_length().and_then(|it| usize::try_from(it).ok());
    if announced.is_some_and(|it| it > limit) {
        return Err(CallError::TooLarge);
    }
    let mut body = Vec::with_capacity(announced.unwrap_or_default());
    while let Some(chunk) = response.chunk().await.map_err(|it| failure::of_request(&it))? {
        if body.len().saturating_add(chunk.len()) > limit {
            return Err(CallError::TooLarge);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

fn accepted(body: &[u8]) -> Result<Answer, CallError> {
    if body.is_empty() {
        let result = Value::Object(Map::new());
        return Ok(Answer { result, has_structure: false, is_error: false });
    }
    let result = serde_json::from_slice(body).map_err(|_| failure::unreadable())?;
    Ok(Answer { result, has_structure: true, is_error: false })
}

/// A list becomes one pair for each of its items; what has no text of its own is written as JSON.
fn append_query(url: &mut Url, arguments: &Map<String, Value>) {
    if arguments.is_empty() {
        return;
    }
    let mut query = url.query_pairs_mut();
    for (name, value) in arguments {
        let items = match value {
            Value::Null => &[],
            Value::Array(items) => items.as_slice(),
            other => std::slice::from_ref(other),
        };
        for item in items {
            query.append_pair(name, &scalar(item).unwrap_or_else(|| json(item)));
        }
    }
}

fn json(value: &Value) -> String {
    String::from_utf8_lossy(&canonical::to_bytes(|it| it.json(value))).into_owned()
}

const fn verb(method: Method) -> http::Method {
    match method {
        Method::Get => http::Method::GET,
        Method::Post => http::Method::POST,
        Method::Put => http::Method::PUT,
        Method::Patch => http::Method::PATCH,
        Method::Delete => http::Method::DELETE,
    }
}
