//! The command line.

use std::time::Duration;

use crate::failure::Failure;
use crate::measure::Effort;
use crate::rows::{ROWS, Row};

/// What was asked for.
#[derive(Debug)]
pub(crate) struct Arguments {
    pub(crate) json: bool,
    /// Whether a first bar that is missed fails the run.
    pub(crate) hold: bool,
    pub(crate) effort: Effort,
    pub(crate) rows: Vec<&'static Row>,
}

impl Arguments {
    /// Reads the words behind the command; no name means every row.
    ///
    /// # Errors
    /// Names the word that is no row and no option, or the value that is no count.
    pub(crate) fn read(words: &[String]) -> Result<Self, Failure> {
        let mut read =
            Self { json: false, hold: false, effort: Effort::default(), rows: Vec::new() };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "--json" => read.json = true,
                "--hold" => read.hold = true,
                "--rounds" => {
                    read.effort.rounds = usize::try_from(count(word, words.next())?)?;
                }
                "--slice-ms" => {
                    read.effort.slice = Duration::from_millis(count(word, words.next())?);
                }
                "--names" => {
                    read.effort.names = u32::try_from(count(word, words.next())?)?;
                }
                "--revisions" => {
                    read.effort.revisions = u32::try_from(count(word, words.next())?)?;
                }
                name => {
                    let row = ROWS.iter().find(|it| it.name == name);
                    read.rows.push(row.ok_or_else(|| format!("there is no row `{name}`"))?);
                }
            }
        }
        if read.rows.is_empty() {
            read.rows = ROWS.iter().collect();
        }
        Ok(read)
    }
}

fn count(option: &str, value: Option<&String>) -> Result<u64, Failure> {
    let count = value.and_then(|it| it.parse().ok()).filter(|it| *it > 0);
    count.ok_or_else(|| Failure(format!("`{option}` needs a count above zero")))
}

/// How the command is used.
pub(crate) fn help() -> String {
    let rows: Vec<String> =
        ROWS.iter().map(|it| format!("  {:<18} {}", it.name, it.what)).collect();
    format!(
        "cargo xtask bench [--json] [--hold] [--rounds N] [--slice-ms N] [--names N] [--revisions N] [NAME…]\n\n{}\n\n\
         `--names` and `--revisions` say how much the store holds. With \
         `--hold` a first bar that is missed fails the run.",
        rows.join("\n")
    )
}

#[cfg(test)]
mod tests {
    use super::{Arguments, help};
    use crate::rows::ROWS;

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|it| (*it).to_owned()).collect()
    }

    #[test]
    fn rows_are_chosen_by_name() {
        let all = Arguments::read(&[]).unwrap();
        assert_eq!(all.rows.len(), ROWS.len());
        let held =
            Arguments::read(&words(&["--names", "20", "--revisions", "3", "store"])).unwrap();
        assert_eq!((held.effort.names, held.effort.revisions), (20, 3));
        let one = Arguments::read(&words(&["--json", "--rounds", "3", "solver"])).unwrap();
        assert_eq!((one.json, one.effort.rounds, one.rows[0].name), (true, 3, "solver"));
        assert!(help().contains("solver"));
    }

    #[test]
    fn wrong_words_are_named() {
        for (given, part) in [
            (&["bogus"][..], "no row `bogus`"),
            (&["--rounds"], "`--rounds` needs"),
            (&["--slice-ms", "0"], "`--slice-ms` needs"),
        ] {
            let refusal = Arguments::read(&words(given)).unwrap_err().0;
            assert!(refusal.contains(part), "{refusal}");
        }
    }
}
