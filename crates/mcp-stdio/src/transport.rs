//! One message a line, as the SDK's transport.

use std::io;
use std::sync::Arc;

use assay_mcp::{Exchange, Incoming, Refused, encode};
use rmcp::RoleServer;
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, GetExtensions as _, ServerJsonRpcMessage,
};
use rmcp::transport::Transport;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::MAX_LINE;
use crate::calls::Calls;
use crate::lines::{Line, Lines, writer};

pub(crate) struct Lined<R> {
    lines: Lines<R>,
    /// The answer to a line that was no message, until the queue takes it.
    refusal: Option<Vec<u8>>,
    queue: Option<mpsc::Sender<Vec<u8>>>,
    writer: Option<JoinHandle<()>>,
    calls: Arc<Calls>,
}

impl<R: AsyncRead + Unpin> Lined<R> {
    pub(crate) fn new<W>(input: R, output: W) -> Self
    where
        W: AsyncWrite + Unpin + Send + 'static,
    {
        let (queue, writer) = writer(output);
        Self {
            lines: Lines::new(input),
            refusal: None,
            queue: Some(queue),
            writer: Some(writer),
            calls: Arc::default(),
        }
    }

    /// The message on a line, with its exchange noted.
    fn message(&self, line: &[u8]) -> Result<ClientJsonRpcMessage, Refused> {
        let Incoming { message, exchange, id, .. } = Incoming::read(line)?;
        let mut message: ClientJsonRpcMessage =
            serde_json::from_slice(&message).map_err(|_| Refused::shapeless(id))?;
        match &mut message {
            ClientJsonRpcMessage::Request(request) => {
                self.calls.open(request.id.clone(), exchange.clone());
                request.request.extensions_mut().insert(exchange);
            }
            ClientJsonRpcMessage::Notification(it) => {
                if let ClientNotification::CancelledNotification(cancelled) = &it.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    // The SDK sends no answer to a request that was cancelled.
                    self.calls.close(id);
                }
            }
            ClientJsonRpcMessage::Response(_) | ClientJsonRpcMessage::Error(_) => {}
        }
        Ok(message)
    }
}

impl<R: AsyncRead + Unpin + Send> Transport<RoleServer> for Lined<R> {
    type Error = io::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let (queue, calls) = (self.queue.clone(), Arc::clone(&self.calls));
        async move {
            let queue = queue.ok_or(io::ErrorKind::BrokenPipe)?;
            // The call closes when its answer is in the queue, which is written to its end.
            let place = queue.reserve().await;
            let exchange = exchange(&message, &calls).unwrap_or_default();
            let place = place.map_err(|_| io::ErrorKind::BrokenPipe)?;
            place.send(exchange.complete(encode(&message)));
            Ok(())
        }
    }

    // The SDK drops this future whenever something else happens: all state is in `self`.
    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            if self.refusal.is_some() {
                let place = self.queue.as_ref()?.reserve().await.ok()?;
                if let Some(refusal) = self.refusal.take() {
                    place.send(refusal);
                }
            }
            let read = match self.lines.next().await {
                Some(Line::Whole(line)) => self.message(&line),
                Some(Line::TooLong) => Err(Refused::too_long(MAX_LINE)),
                None => {
                    self.calls.all_closed().await;
                    return None;
                }
            };
            match read {
                Ok(message) => return Some(message),
                Err(refusal) => self.refusal = Some(refusal.to_bytes()),
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.queue = None;
        if let Some(writer) = self.writer.take() {
            writer.await.map_err(io::Error::other)?;
        }
        Ok(())
    }
}

/// The exchange of the request that `message` answers, which is closed by that.
fn exchange(message: &ServerJsonRpcMessage, calls: &Calls) -> Option<Exchange> {
    let id = match message {
        ServerJsonRpcMessage::Response(response) => &response.id,
        ServerJsonRpcMessage::Error(error) => error.id.as_ref()?,
        ServerJsonRpcMessage::Request(_) | ServerJsonRpcMessage::Notification(_) => return None,
    };
    calls.close(id)
}
