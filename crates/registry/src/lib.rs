//! Which tool exists, who may call it now, and what the model reads about it.
//!
//! Everything that a model reads is a file under `data/`; this crate joins those files, holds them
//! to their rules when they are loaded, and decides which tool a caller may call.

mod admit;
mod catalog;
mod closed;
mod directive;
mod facet;
mod files;
pub mod gate;
mod instructions;
mod paraphrase;
mod phrasing;
mod profile;
mod record;
mod scope;
mod tool;

pub use admit::{Admitted, Caller, Refusal, admit, facts, list};
pub use catalog::Catalog;
pub use closed::closed;
pub use facet::Facet;
pub use instructions::{Instructions, WINDOW};
pub use paraphrase::{Paraphrase, paraphrases};
pub use phrasing::Phrasing;
pub use profile::{Family, Fault, Profile};
pub use scope::{Scope, Scopes};
pub use tool::{Annotations, Hint, Tool};
