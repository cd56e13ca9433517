//! Lines in, lines out.

use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::MAX_LINE;

/// How many lines wait for a slow reader before their writers wait too.
const QUEUE: usize = 64;

/// The lines of an input.
pub(crate) struct Lines<R> {
    input: BufReader<R>,
    line: Vec<u8>,
    skipping: bool,
}

/// One line without its end.
pub(crate) enum Line {
    Whole(Vec<u8>),
    TooLong,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    pub(crate) fn new(input: R) -> Self {
        Self { input: BufReader::new(input), line: Vec::new(), skipping: false }
    }

    /// The next line that is not blank; `None` at the end, also when reading fails.
    ///
    /// The future may be dropped at any time: what it read stays for the next one.
    pub(crate) async fn next(&mut self) -> Option<Line> {
        loop {
            let found = match self.fill().await {
                Some(found) => found,
                // The last line may lack its end.
                None if self.line.is_empty() => return None,
                None => Line::Whole(std::mem::take(&mut self.line)),
            };
            match found {
                Line::Whole(line) if line.trim_ascii().is_empty() => {}
                found => return Some(found),
            }
        }
    }

    async fn fill(&mut self) -> Option<Line> {
        loop {
            let read = self.input.fill_buf().await.ok().filter(|it| !it.is_empty())?;
            let (part, ended) = match read.iter().position(|it| *it == b'\n') {
                Some(end) => (read.get(..end).unwrap_or_default(), true),
                None => (read, false),
            };
            let taken = part.len() + usize::from(ended);
            let too_long = !self.skipping && self.line.len() + part.len() > MAX_LINE;
            if too_long {
                self.line.clear();
            } else if !self.skipping {
                self.line.extend_from_slice(part);
            }
            let skipped = self.skipping;
            self.skipping = (self.skipping || too_long) && !ended;
            self.input.consume(taken);
            if too_long {
                return Some(Line::TooLong);
            }
            if ended && !skipped {
                return Some(Line::Whole(std::mem::take(&mut self.line)));
            }
        }
    }
}

/// Writes each line that arrives in the queue, until every sender is gone or the output fails.
pub(crate) fn writer<W>(mut output: W) -> (mpsc::Sender<Vec<u8>>, JoinHandle<()>)
where
    W: AsyncWrite + Unpin + Send + 'static,
{
    let (queue, mut lines) = mpsc::channel::<Vec<u8>>(QUEUE);
    let task = tokio::spawn(async move {
        while let Some(mut line) = lines.recv().await {
            line.push(b'\n');
            if output.write_all(&line).await.is_err() {
                return;
            }
            // Lines that wait already share one flush.
            if lines.is_empty() && output.flush().await.is_err() {
                return;
            }
        }
        let _ = output.flush().await;
    });
    (queue, task)
}
