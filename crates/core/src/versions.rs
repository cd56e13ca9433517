//! Which product, language and wire contract produced an answer.

use assay_base::canonical::Fragment;

/// The deciders, named on the wire.
const ENGINE: &str = "assay-engine";
/// The newest language version.
const LANGUAGE: &str = "1.3";
/// Every language version that compiles.
const LANGUAGES: [&str; 2] = ["1.2", "1.3"];
/// The wire contract that requests and answers follow.
const WIRE: &str = "2.10.0";

/// The `versions` object of every payload. `solver` is the solver's name and version.
pub(crate) fn versions(solver: &str) -> Fragment {
    Fragment::new(|value| {
        value.object(|object| {
            object.key("engine").string(ENGINE);
            object.key("engine_version").string(env!("CARGO_PKG_VERSION"));
            object.key("language_version").string(LANGUAGE);
            object.key("service_version").string(env!("CARGO_PKG_VERSION"));
            object.key("solver").string(solver);
            object.key("supported_language_versions").strings(LANGUAGES);
            object.key("wire_version").string(WIRE);
        });
    })
}
