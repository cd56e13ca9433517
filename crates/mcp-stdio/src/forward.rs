//! Standard input and output in front of a server that runs already.

mod head;
mod relay;
mod target;

use std::io;
use std::sync::Arc;

use assay_mcp::Refused;
use rmcp::model::RequestId;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::task::{AbortHandle, JoinSet};

use crate::MAX_LINE;
use crate::lines::{Line, Lines, writer};
use head::Head;
use relay::Relay;

pub use target::Target;

/// Passes every line of `input` to the server at `target`, byte for byte, and writes what it
/// answers to `output`, until the input ends and everything is answered.
///
/// # Errors
/// When the task that writes fails.
pub async fn forward<R, W>(target: Target, input: R, output: W) -> io::Result<()>
where
    R: AsyncRead + Unpin + Send + 'static,
    W: AsyncWrite + Unpin + Send + 'static,
{
    let (queue, writer) = writer(output);
    let relay = Arc::new(Relay::new(target, queue.clone()));
    let mut lines = Lines::new(input);
    let mut running = Running::default();
    while let Some(line) = lines.next().await {
        let read = match line {
            Line::Whole(line) => Head::read(&line).map(|head| (head, line)),
            Line::TooLong => Err(Refused::too_long(MAX_LINE)),
        };
        match read {
            Ok((Head { cancels: Some(id), .. }, _)) => running.cancel(&id),
            Ok((head, line)) => {
                let id = head.id.clone();
                running.start(id, Arc::clone(&relay).pass(head, line));
            }
            // A full queue means that nobody reads, which the tasks notice too.
            Err(refusal) => drop(queue.send(refusal.to_bytes()).await),
        }
    }
    running.finish().await;
    drop((relay, queue));
    writer.await.map_err(io::Error::other)
}

/// The messages that are under way. They are few.
#[derive(Default)]
struct Running {
    tasks: JoinSet<()>,
    requests: Vec<(RequestId, AbortHandle)>,
}

impl Running {
    fn start(&mut self, id: Option<RequestId>, task: impl Future<Output = ()> + Send + 'static) {
        while self.tasks.try_join_next().is_some() {}
        self.requests.retain(|(_, task)| !task.is_finished());
        let task = self.tasks.spawn(task);
        self.requests.extend(id.map(|id| (id, task)));
    }

    /// Closes the connection of a request, which is how the server learns that it is given up.
    fn cancel(&mut self, id: &RequestId) {
        self.requests.iter().filter(|it| it.0 == *id).for_each(|(_, task)| task.abort());
    }

    async fn finish(&mut self) {
        while self.tasks.join_next().await.is_some() {}
    }
}

#[cfg(test)]
mod tests;
