//! What a model reads when it connects, composed anew where an operator swapped the head.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use assay_dsail::grammar;
use assay_registry::{Catalog, Instructions};

type Read = dyn Fn() -> Option<Arc<str>> + Send + Sync;
type Refused = dyn Fn(&[String]) + Send + Sync;

/// Where an operator's head of the instructions comes from. It is asked whenever instructions are
/// sent, and never for a call of a tool.
#[derive(Clone)]
pub struct HeadSource {
    read: Arc<Read>,
    refused: Arc<Refused>,
}

impl HeadSource {
    /// `read` gives the head as it is now, or nothing as long as there was none; `refused` is told
    /// once what a head lacks that is not taken for it.
    pub fn new(
        read: impl Fn() -> Option<Arc<str>> + Send + Sync + 'static,
        refused: impl Fn(&[String]) + Send + Sync + 'static,
    ) -> Self {
        Self { read: Arc::new(read), refused: Arc::new(refused) }
    }
}

impl fmt::Debug for HeadSource {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("HeadSource")
    }
}

/// The instructions as they are sent.
#[derive(Debug)]
pub(crate) struct Composed {
    source: Option<HeadSource>,
    sent: Mutex<Sent>,
}

#[derive(Debug)]
struct Sent {
    /// The head that was looked at last, whether it was taken or not.
    seen: Option<Arc<str>>,
    /// The text with the last head that was taken.
    text: Arc<str>,
}

impl Composed {
    /// The instructions with the head that ships, until `source` gives another.
    pub(crate) fn new(source: Option<HeadSource>) -> Self {
        let text = compose(Instructions::HEAD);
        Self { source, sent: Mutex::new(Sent { seen: None, text }) }
    }

    /// The text that is sent now.
    pub(crate) fn text(&self, catalog: &Catalog) -> Arc<str> {
        // The file is looked at before the lock is taken, so that nobody waits for a slow disk
        // behind somebody else.
        let head = self.source.as_ref().and_then(|it| (it.read)());
        let mut sent = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        if let (Some(source), Some(head)) = (&self.source, head)
            && sent.seen.as_ref() != Some(&head)
        {
            let faults = catalog.head_faults(&head);
            if faults.is_empty() {
                sent.text = compose(&head);
            } else {
                (source.refused)(&faults);
            }
            sent.seen = Some(head);
        }
        Arc::clone(&sent.text)
    }
}

fn compose(head: &str) -> Arc<str> {
    Instructions::compose(head, grammar::GUIDE, grammar::INTEGRITY_RULE).text().into()
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use assay_registry::{Catalog, Instructions};

    use super::{Composed, HeadSource};

    #[test]
    fn the_last_good_head_stays_and_each_refusal_is_told_once() {
        let catalog = Catalog::load().unwrap();
        let head: Arc<Mutex<Option<Arc<str>>>> = Arc::default();
        let told: Arc<Mutex<Vec<usize>>> = Arc::default();
        let (read, tell) = (Arc::clone(&head), Arc::clone(&told));
        let composed = Composed::new(Some(HeadSource::new(
            move || read.lock().unwrap().clone(),
            move |faults| tell.lock().unwrap().push(faults.len()),
        )));
        let shipped = Composed::new(None).text(&catalog);
        let tail = shipped.strip_prefix(Instructions::HEAD.trim()).unwrap();
        let own = format!("Ours. {}", Instructions::HEAD);
        let ours = format!("{}{tail}", own.trim());
        for (given, sent) in [
            (None, &*shipped),
            (Some("short"), &*shipped),
            (Some("short"), &*shipped),
            (Some(&*own), &*ours),
            (Some(""), &*ours),
            (Some(Instructions::HEAD), &*shipped),
            (Some(&*own), &*ours),
            (None, &*ours),
        ] {
            *head.lock().unwrap() = given.map(Into::into);
            assert_eq!(&*composed.text(&catalog), sent, "{given:?}");
            let (first, second) = (composed.text(&catalog), composed.text(&catalog));
            assert!(Arc::ptr_eq(&first, &second), "composed on change alone");
        }
        assert_eq!(*told.lock().unwrap(), [4, 4]);
    }
}
