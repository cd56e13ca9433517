//! The pages of the documentation as resources.

use assay_core::docs;
use rmcp::model::{
    ErrorData, ListResourcesResult, MetaObject, ReadResourceResult, Resource, ResourceContents,
};

/// What precedes the path of a page in its URI.
const SCHEME: &str = "assay:/";
const MEDIA_TYPE: &str = "text/markdown";

pub(crate) fn list() -> ListResourcesResult {
    let pages = docs::PAGES.iter().map(|page| {
        let name = page.path.trim_start_matches('/');
        let resource = Resource::new(format!("{SCHEME}{}", page.path), name);
        resource.with_title(page.title).with_mime_type(MEDIA_TYPE)
    });
    let interface = Resource::new(assay_ui::SHELL, "review-widget")
        .with_title("Review of a ruleset")
        .with_mime_type(assay_ui::MEDIA_TYPE)
        .with_meta(confinement());
    ListResourcesResult::with_all_items(pages.chain([interface]).collect())
}

/// What the interface asks of its host: no other origin, for anything, and a border.
fn confinement() -> MetaObject {
    let csp = serde_json::json!({
        "baseUriDomains": [], "connectDomains": [], "frameDomains": [], "resourceDomains": [],
    });
    let mut meta = MetaObject::default();
    meta.insert("ui".to_owned(), serde_json::json!({ "csp": csp, "prefersBorder": true }));
    meta
}

pub(crate) fn read(uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let interface = [assay_ui::shell(), assay_ui::fragment()].into_iter().find(|it| it.uri == uri);
    if let Some(interface) = interface {
        let contents = ResourceContents::text(interface.html.as_str(), uri);
        let contents = contents.with_mime_type(assay_ui::MEDIA_TYPE).with_meta(confinement());
        return Ok(ReadResourceResult::new(vec![contents]));
    }
    let page = uri.strip_prefix(SCHEME).and_then(docs::page).ok_or_else(|| {
        let data = serde_json::json!({ "uri": uri });
        ErrorData::resource_not_found(format!("there is no resource `{uri}`"), Some(data))
    })?;
    let contents = ResourceContents::text(page.text, uri).with_mime_type(MEDIA_TYPE);
    Ok(ReadResourceResult::new(vec![contents]))
}
