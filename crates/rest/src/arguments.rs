//! The argument object of a call, gathered from the path, the query and the body.
//!
//! Values are passed on as the text that they were sent as, so that numbers stay exact.

use std::borrow::Cow;

use assay_base::canonical::to_bytes;
use assay_base::json::{self, printable};
use axum::body::Bytes;
use axum::extract::RawPathParams;

use crate::table::{Body, Route};

/// A name, where it stands, and its value as JSON text.
type Member<'a> = (Cow<'a, str>, &'static str, Vec<u8>);

/// The JSON text of the argument object.
///
/// # Errors
/// What is wrong with the request, in one line.
pub(crate) fn gather(
    route: &Route,
    path: &RawPathParams,
    query: Option<&str>,
    body: Bytes,
) -> Result<Bytes, String> {
    let mut members: Vec<Member<'_>> = Vec::new();
    for (name, value) in path {
        members.push((Cow::Borrowed(name), "path", string(value)));
    }
    for (name, value) in form_urlencoded::parse(query.unwrap_or_default().as_bytes()) {
        if !route.query.contains(&name.as_ref()) {
            let name = printable(&name);
            return Err(match route.query {
                [] => format!("this path takes no query, and `{name}` is in it"),
                known => format!("the query takes `{}`, not `{name}`", known.join("`, `")),
            });
        }
        members.push((name, "query", string(&value)));
    }
    if let Some(name) = route.query.iter().find(|name| members.iter().all(|it| it.0 != **name)) {
        return Err(format!("the parameter `{name}` is missing"));
    }
    let is_empty = body.iter().all(u8::is_ascii_whitespace);
    let holds_arguments = match route.body {
        Body::None => false,
        Body::Optional => !is_empty,
        Body::Required => true,
    };
    if members.is_empty() {
        // Most calls: the body is the argument object, as it is.
        return Ok(if holds_arguments { body } else { Bytes::from_static(b"{}") });
    }
    if holds_arguments {
        let text = std::str::from_utf8(&body).map_err(|_| "the body is not UTF-8".to_owned())?;
        let found = json::object(text).map_err(|it| format!("the body cannot be read: {it}"))?;
        members.extend(found.into_iter().map(|(name, raw)| {
            (Cow::Owned(name.into_owned()), "body", raw.get().as_bytes().to_vec())
        }));
    }
    join(&members).map(Bytes::from)
}

fn string(text: &str) -> Vec<u8> {
    to_bytes(|slot| slot.string(text))
}

fn join(members: &[Member<'_>]) -> Result<Vec<u8>, String> {
    let mut text = b"{".to_vec();
    for (index, (name, place, value)) in members.iter().enumerate() {
        let earlier = members.iter().take(index).find(|it| it.0 == *name);
        if let Some((_, other, _)) = earlier {
            let name = printable(name);
            return Err(match other == place {
                true => format!("`{name}` stands in the {place} twice: give it once"),
                false => format!("`{name}` stands in the {other} and in the {place}: give it once"),
            });
        }
        if index > 0 {
            text.push(b',');
        }
        text.extend(string(name));
        text.push(b':');
        text.extend(value);
    }
    text.push(b'}');
    Ok(text)
}
