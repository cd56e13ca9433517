//! The audit log as an operator reads it: listed, verified, and handed over with proofs.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::path::Path;

use assay_audit::{Checkpoint, Report, Stored, Tree, Verifier, VerifyingKey};
use assay_base::canonical::to_bytes;
use assay_base::{EntryHash, TreeHash};
use assay_store::{
    AuditChain, AuditFound, AuditRow, AuditSought, MAX_AUDIT_ROWS, Store, StoreError,
};

use crate::failure::Failure;
use crate::ledger::{read_copies, verifying_key};
use crate::operator::OperatorError;

/// Lines of checkpoints by chain, as they were copied to another place.
pub type Copies = BTreeMap<String, Vec<String>>;

/// The log of one data file, which may be in use.
#[derive(Debug)]
pub struct AuditLog {
    store: Store,
}

/// What verifying one chain came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verified {
    /// What was found, and how many entries there are.
    pub report: Report,
    /// The largest checkpoint that agrees with the entries.
    pub last: Option<Checkpoint>,
}

impl AuditLog {
    /// Opens the log of the data file `path`, which must be there.
    ///
    /// # Errors
    /// [`OperatorError`] says what is wrong with the file and what mends it.
    pub fn open(path: &Path) -> Result<Self, OperatorError> {
        if !path.exists() {
            let shown = path.display();
            let text = format!("there is no data file `{shown}`: name the folder that holds one");
            return Err(OperatorError(text));
        }
        Ok(Self { store: Store::open(path).map_err(told)? })
    }

    /// Every chain, by name.
    ///
    /// # Errors
    /// [`OperatorError`] when the data file does not serve.
    pub fn chains(&self) -> Result<Vec<AuditChain>, OperatorError> {
        self.store.audit_chains().map_err(told)
    }

    /// The entries that are sought, the newest first, at most `limit` and at most 1,000.
    ///
    /// # Errors
    /// [`OperatorError`] when the data file does not serve.
    pub fn find(
        &self,
        sought: AuditSought<'_>,
        limit: usize,
    ) -> Result<Vec<AuditFound>, OperatorError> {
        self.store.find_audit(sought, limit).map_err(told)
    }

    /// The entry of `chain` with this number.
    ///
    /// # Errors
    /// [`OperatorError`] when the data file does not serve.
    pub fn entry(&self, chain: &str, sequence: u64) -> Result<Option<AuditFound>, OperatorError> {
        let row = self.store.audit_entry(chain, sequence).map_err(told)?;
        Ok(row.map(|row| AuditFound { chain: chain.to_owned(), row }))
    }

    /// The key in `file` that checks signatures, from either half of it.
    ///
    /// # Errors
    /// [`OperatorError`] when the file holds none.
    pub fn key(file: &Path) -> Result<VerifyingKey, OperatorError> {
        verifying_key(file).map_err(OperatorError)
    }

    /// The copies of checkpoints in `folder`.
    ///
    /// # Errors
    /// [`OperatorError`] when the folder cannot be read.
    pub fn copies(folder: &Path) -> Result<Copies, OperatorError> {
        read_copies(folder).map_err(OperatorError)
    }

    /// Reads `chain` from its beginning and holds it against its checkpoints and `copies` of them.
    /// `progress` is told after every thousand entries how many were read.
    ///
    /// # Errors
    /// [`OperatorError`] when the data file does not serve. What is wrong with the chain is no
    /// error: it stands in the report.
    pub fn verify(
        &self,
        chain: &str,
        key: &VerifyingKey,
        copies: &Copies,
        mut progress: impl FnMut(u64),
    ) -> Result<Verified, OperatorError> {
        // Checkpoints come first: entries that are appended meanwhile are only more.
        let lines = self.lines(chain, copies)?;
        let mut verifier = Verifier::new(chain, key, lines.iter().map(String::as_str));
        let mut read = 0;
        self.pages(chain, 1, |rows| {
            for AuditRow { sequence, hash, record } in rows {
                verifier.entry(Stored {
                    sequence: *sequence,
                    hash: *hash,
                    bytes: record.as_bytes(),
                });
            }
            read += u64::try_from(rows.len()).unwrap_or_default();
            progress(read);
            Ok::<_, OperatorError>(true)
        })?;
        let report = verifier.finish();
        let last = agreeing(&lines, key, report.signed);
        Ok(Verified { report, last })
    }

    /// Hands the entries of `chain` with these numbers over, each as one line of canonical JSON
    /// without a line end: its chain, number and hash, its record, and with a key what shows that the largest
    /// checkpoint covers it, or `null` where none does.
    ///
    /// # Errors
    /// [`OperatorError`] when the data file does not serve, or whatever `line` returns.
    pub fn export<E: From<OperatorError>>(
        &self,
        chain: &str,
        numbers: RangeInclusive<u64>,
        key: Option<&VerifyingKey>,
        mut line: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let proofs = key.map(|key| self.proofs(chain, key)).transpose()?;
        self.pages(chain, *numbers.start(), |rows| {
            for row in rows {
                if row.sequence > *numbers.end() {
                    return Ok(false);
                }
                line(&exported(chain, row, proofs.as_ref()))?;
            }
            Ok(true)
        })
    }

    /// The checkpoints of the store with the copies, each once.
    fn lines(&self, chain: &str, copies: &Copies) -> Result<BTreeSet<String>, OperatorError> {
        let kept = self.store.audit_checkpoints(chain).map_err(told)?;
        Ok(kept.into_iter().chain(copies.get(chain).into_iter().flatten().cloned()).collect())
    }

    fn pages<E: From<OperatorError>>(
        &self,
        chain: &str,
        from: u64,
        mut page: impl FnMut(&[AuditRow]) -> Result<bool, E>,
    ) -> Result<(), E> {
        let mut from = from;
        loop {
            let rows = self.store.audit_entries(chain, from, MAX_AUDIT_ROWS).map_err(told)?;
            let Some(last) = rows.last() else { return Ok(()) };
            from = last.sequence.saturating_add(1);
            if !page(&rows)? {
                return Ok(());
            }
        }
    }

    /// What proves that entries stand below the largest checkpoint that agrees with them.
    fn proofs(&self, chain: &str, key: &VerifyingKey) -> Result<Proofs, OperatorError> {
        let lines = self.lines(chain, &Copies::new())?;
        let mut hashes: Vec<EntryHash> = Vec::new();
        loop {
            let from = u64::try_from(hashes.len()).unwrap_or(u64::MAX).saturating_add(1);
            let page = self.store.audit_hashes(chain, from, MAX_AUDIT_ROWS).map_err(told)?;
            let whole = page.len() == MAX_AUDIT_ROWS;
            let numbered = (from..).zip(page).take_while(|(due, (found, _))| due == found);
            let before = hashes.len();
            hashes.extend(numbered.map(|(_, (_, hash))| hash));
            if !whole || hashes.len() == before {
                break;
            }
        }
        let read = lines.iter().filter_map(|line| Some((Checkpoint::read(line, key).ok()?, line)));
        let mut signed: Vec<_> = read.filter(|(it, _)| it.chain == chain).collect();
        signed.sort_by_key(|(it, _)| it.size);
        for (checkpoint, line) in signed.into_iter().rev() {
            let size = usize::try_from(checkpoint.size).unwrap_or(usize::MAX);
            let tree = hashes.get(..size).map(Tree::new);
            if let Some(tree) = tree.filter(|it| it.root() == checkpoint.root) {
                return Ok(Proofs { tree, line: line.clone() });
            }
        }
        Ok(Proofs { tree: Tree::new(&[]), line: String::new() })
    }
}

/// A tree and the checkpoint that signs it.
struct Proofs {
    tree: Tree,
    line: String,
}

impl Proofs {
    fn path(&self, sequence: u64) -> Option<Vec<TreeHash>> {
        self.tree.inclusion(usize::try_from(sequence.checked_sub(1)?).ok()?)
    }
}

/// A line of the export. The record is a string, since only the text as it is kept hashes to its
/// hash, and whoever reads the line would render an object again.
fn exported(chain: &str, row: &AuditRow, proofs: Option<&Proofs>) -> Vec<u8> {
    to_bytes(|slot| {
        slot.object(|object| {
            object.key("chain").string(chain);
            object.key("hash").display(row.hash);
            if let Some(proofs) = proofs {
                let proof = object.key("proof");
                match proofs.path(row.sequence) {
                    None => proof.null(),
                    Some(path) => proof.object(|object| {
                        object.key("checkpoint").string(&proofs.line);
                        object.key("path").strings(path.iter().map(ToString::to_string));
                    }),
                }
            }
            object.key("record").string(&row.record);
            object.key("sequence").integer(row.sequence);
        });
    })
}

/// The checkpoint of `size` entries that `key` signed.
fn agreeing(lines: &BTreeSet<String>, key: &VerifyingKey, size: u64) -> Option<Checkpoint> {
    let mut read = lines.iter().filter_map(|it| Checkpoint::read(it, key).ok());
    read.find(|it| it.size == size)
}

fn told(error: StoreError) -> OperatorError {
    Failure::from(error).into()
}
