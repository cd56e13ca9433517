//! Labels: what field a ruleset belongs to. They are checked, kept and reported, and change
//! nothing.

use assay_base::RulesetHash;
use assay_base::canonical::Slot;
use assay_base::json::{Raw, Scalar, object, printable, scalar};
use assay_store::Label;
use serde_json::Value;

use crate::failure::Failure;
use crate::input::Input;
use crate::reply::Reply;
use crate::service::Service;
use crate::table::{Call, Context};

/// The version of the list of fields.
const VOCABULARY: &str = "1";

/// A label as it was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Given {
    domain: Option<String>,
    confidence: Option<String>,
    declined: bool,
}

/// Reads the parameter `label`.
pub(crate) fn read(call: &Call<'_>, input: &Input<'_>) -> Result<Option<Given>, Failure> {
    let schema = call.admitted.tool().input_schema();
    input.raw("label").map(|raw| given(raw, &domains(schema))).transpose()
}

impl Context {
    /// Gives a stored ruleset its label, where one was sent; the label that it has then.
    pub(crate) fn label(
        &self,
        hash: RulesetHash,
        given: Option<Given>,
    ) -> Result<Option<Label>, Failure> {
        let (store, workspace) = (&self.service.store, self.session.workspace.id);
        let Some(label) = self.labelled(given) else { return Ok(store.label(workspace, hash)?) };
        Ok(Some(store.put_label(workspace, hash, &label)?))
    }

    /// A label that was sent, as of now.
    pub(crate) fn labelled(&self, given: Option<Given>) -> Option<Label> {
        let Given { domain, confidence, declined } = given?;
        Some(Label { domain, confidence, declined, updated_at: self.service.now() })
    }
}

impl Service {
    /// The fields that a label may name.
    #[must_use]
    pub fn vocabulary(&self) -> Reply {
        let body = self.payload(|object| {
            object.key("level_one").array(|array| {
                for domain in self.domains() {
                    array.item().object(|object| {
                        object.key("id").string(domain);
                        object.key("name").string(&domain.replace('_', " "));
                    });
                }
            });
            object.key("level_two").array(|_| ());
            object.key("vocabulary_version").string(VOCABULARY);
        });
        Reply { body, failure: None, retry_after_ms: None }
    }

    /// The switches of the installation that a client may want to know, of which there are none.
    #[must_use]
    pub fn flags(&self) -> Reply {
        let body = self.payload(|object| object.key("flags").object(|_| ()));
        Reply { body, failure: None, retry_after_ms: None }
    }

    pub(crate) fn domains(&self) -> Vec<&str> {
        self.tool("dsail_compile").map(|it| domains(it.input_schema())).unwrap_or_default()
    }

    /// Writes the version of the vocabulary and its fields.
    pub(crate) fn write_vocabulary(&self, slot: Slot<'_>) {
        slot.object(|object| {
            object.key("level_one").strings(self.domains());
            object.key("version").string(VOCABULARY);
        });
    }
}

/// Writes a label as ids.
pub(crate) fn write_label(slot: Slot<'_>, label: Option<&Label>) {
    let Some(label) = label else { return slot.null() };
    slot.object(|object| {
        object.key("confidence").optional_string(label.confidence.as_deref());
        object.key("declined").boolean(label.declined);
        object.key("level_one").optional_string(label.domain.as_deref());
        object.key("level_two").null();
        object.key("updated_at").display(label.updated_at);
        object.key("vocabulary_version").string(VOCABULARY);
    });
}

/// The fields of a policy that a label may name: those that the tool publishes.
fn domains(schema: &Value) -> Vec<&str> {
    let published = schema.pointer("/properties/label/properties/domain/enum");
    let published = published.and_then(|it| it.as_array()).into_iter().flatten();
    published.filter_map(|it| it.as_str()).collect()
}

/// A label that is one. Its topic is looked at and dropped.
fn given(raw: Raw<'_>, domains: &[&str]) -> Result<Given, Failure> {
    let refuse = |why: String| Err(Failure::bad_request(format!("the label {why}")));
    let members = object(raw.get()).map_err(|it| Failure::not_an_object("the label", &it))?;
    let mut label = Given { domain: None, confidence: None, declined: false };
    for (key, raw) in &members {
        match (key.as_ref(), scalar(raw)) {
            ("domain", Scalar::String(domain)) if domains.contains(&domain.as_ref()) => {
                label.domain = Some(domain.into_owned());
            }
            ("domain", _) => {
                return refuse(format!("has a domain other than {}", domains.join(", ")));
            }
            ("topic", Scalar::String(_)) => {}
            ("topic", other) => return refuse(format!("has a topic that is {}", other.kind())),
            ("confidence", Scalar::String(it)) if matches!(&*it, "high" | "medium" | "low") => {
                label.confidence = Some(it.into_owned());
            }
            ("confidence", _) => {
                return refuse("has a confidence other than high, medium, low".to_owned());
            }
            ("declined", Scalar::Boolean(true)) => label.declined = true,
            ("declined", _) => {
                return refuse("has `declined` with a value other than true".to_owned());
            }
            (key, _) => return refuse(format!("has no member `{}`", printable(key))),
        }
    }
    if label.declined && members.len() > 1 {
        return refuse("is declined and says something all the same".to_owned());
    }
    Ok(label)
}
