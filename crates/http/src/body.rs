//! How much is read, and for how long it is waited for.

use std::error::Error as _;
use std::time::Duration;

use axum::body::{Body, Bytes, to_bytes};
use http_body_util::LengthLimitError;

/// How long a whole body may take. Its limit needs 35 kB a second.
const PATIENCE: Duration = Duration::from_secs(30);

/// Why a body was not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unread {
    /// It is larger than the limit.
    TooLarge,
    /// It did not arrive in time, or its sender left, who reads no answer.
    Incomplete,
}

/// A whole body of at most `limit` bytes.
///
/// # Errors
/// [`Unread`] says why there is none.
pub async fn read(body: Body, limit: usize) -> Result<Bytes, Unread> {
    // The timer starts only where the body is not there yet.
    let whole = tokio::time::timeout(PATIENCE, to_bytes(body, limit));
    let whole = whole.await.map_err(|_| Unread::Incomplete)?;
    whole.map_err(|error| match error.source() {
        Some(source) if source.is::<LengthLimitError>() => Unread::TooLarge,
        _ => Unread::Incomplete,
    })
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::pin::Pin;
    use std::task::{Context, Poll};
    use std::time::Duration;

    use axum::body::{Body, Bytes, HttpBody};
    use http_body::Frame;

    use super::{Unread, read};

    /// A body of one byte, and then nothing or an error.
    struct Slow {
        sent: bool,
        breaks: bool,
    }

    impl HttpBody for Slow {
        type Data = Bytes;
        type Error = io::Error;

        fn poll_frame(
            mut self: Pin<&mut Self>,
            _: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
            if !self.sent {
                self.sent = true;
                return Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(b"{")))));
            }
            match self.breaks {
                true => Poll::Ready(Some(Err(io::ErrorKind::ConnectionReset.into()))),
                false => Poll::Pending,
            }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn bodies_end_by_their_size_or_their_time() {
        assert_eq!(read(Body::from("1234"), 4).await, Ok(Bytes::from("1234")));
        assert_eq!(read(Body::from("12345"), 4).await, Err(Unread::TooLarge));
        let start = tokio::time::Instant::now();
        let slow = Slow { sent: false, breaks: false };
        assert_eq!(read(Body::new(slow), 4).await, Err(Unread::Incomplete));
        assert!(start.elapsed() >= Duration::from_secs(30));
        let broken = Slow { sent: false, breaks: true };
        assert_eq!(read(Body::new(broken), 4).await, Err(Unread::Incomplete));
    }
}
