//! What is said of a fault of this program: where it is, and nothing of what it was working on.

use std::panic::{Location, PanicHookInfo, set_hook};

use crate::output;

/// Has every fault told in one line. The words of a panic may quote an argument, and standard error
/// is kept and read by people who may not see one.
pub(crate) fn told_without_values() {
    set_hook(Box::new(|info: &PanicHookInfo<'_>| output::notice(&line(info.location()))));
}

fn line(place: Option<&Location<'_>>) -> String {
    let place = place.map_or_else(|| "an unknown place".to_owned(), ToString::to_string);
    format!("a fault of this program was contained, at {place}; please report it")
}

#[cfg(test)]
mod tests {
    use std::panic::{catch_unwind, set_hook, take_hook};
    use std::sync::{Arc, Mutex};

    use super::line;

    #[test]
    fn a_fault_is_told_by_its_place_alone() {
        let told = Arc::new(Mutex::new(Vec::new()));
        let (heard, before) = (Arc::clone(&told), take_hook());
        set_hook(Box::new(move |info| heard.lock().unwrap().push(line(info.location()))));
        let argument = "kanari-4d1e".to_owned();
        let failed = catch_unwind(|| panic!("it was {argument}"));
        set_hook(before);
        assert!(failed.is_err());
        let told = told.lock().unwrap().join("\n");
        assert!(told.contains("fault.rs:") && !told.contains("kanari"), "{told}");
    }
}
