//! Servers on loopback and the load that they are put under, all in one process.
//!
//! The load generator shares the cores with the server that it drives, and is the same for all
//! entrants. It sends one request again and again over connections that are kept, and reads of
//! each answer the status and as many bytes as the first one had.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use axum::Router;
use axum::serve::ListenerExt as _;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder, Runtime};

use crate::failure::Failure;
use crate::machine;
use crate::measure::{Effort, Figure, as_float};

/// How many connections are kept busy at once.
const CONNECTIONS: usize = 32;
/// How much longer than other turns a turn under load is, since a server takes time to settle.
const SLICES: u32 = 8;

/// Where servers and load run.
#[derive(Debug)]
pub(crate) struct Loopback(Runtime);

/// One server and the request that it is sent.
#[derive(Debug)]
pub(crate) struct Target {
    name: String,
    address: SocketAddr,
    request: Vec<u8>,
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    /// How many bytes it has, the head included.
    length: usize,
    pub(crate) body: Vec<u8>,
}

impl Loopback {
    pub(crate) fn new() -> Result<Self, Failure> {
        let mut runtime = Builder::new_multi_thread();
        Ok(Self(runtime.worker_threads(machine::cores()).enable_all().build()?))
    }

    /// Serves a router on a free port, as the product serves its own.
    pub(crate) fn serve(
        &self,
        name: &str,
        router: Router,
        request: impl FnOnce(SocketAddr) -> Vec<u8>,
    ) -> Result<Target, Failure> {
        let listener = self.0.block_on(TcpListener::bind("127.0.0.1:0"))?;
        let address = listener.local_addr()?;
        let listener = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
        self.0.spawn(axum::serve(listener, router).into_future());
        Ok(Target { name: name.to_owned(), address, request: request(address) })
    }

    /// Sends the request of a target once.
    pub(crate) fn ask(&self, target: &Target) -> Result<Answer, Failure> {
        self.0.block_on(async {
            let mut stream = TcpStream::connect(target.address).await?;
            first_answer(&mut stream, &target.request).await
        })
    }

    /// Lets the targets take turns under load. The figures are requests in a second.
    pub(crate) fn race(&self, effort: &Effort, targets: &[Target]) -> Result<Vec<Figure>, Failure> {
        let slice = effort.slice * SLICES;
        let mut lanes = Vec::new();
        for target in targets {
            let lane = self.0.block_on(Lane::open(target))?;
            lanes.push(self.0.block_on(lane.drive(slice))?.0);
        }
        let mut samples = vec![Vec::new(); targets.len()];
        for _ in 0..effort.rounds {
            let mut next = Vec::with_capacity(lanes.len());
            for (lane, samples) in lanes.into_iter().zip(&mut samples) {
                let (lane, rate) = self.0.block_on(lane.drive(slice))?;
                samples.push(rate);
                next.push(lane);
            }
            lanes = next;
        }
        Ok(targets
            .iter()
            .zip(samples)
            .map(|(it, samples)| Figure::new(&it.name, samples))
            .collect())
    }
}

/// The connections to one target.
struct Lane {
    streams: Vec<TcpStream>,
    request: std::sync::Arc<[u8]>,
    /// How many bytes each answer has.
    length: usize,
}

impl Lane {
    async fn open(target: &Target) -> Result<Self, Failure> {
        let mut streams = Vec::with_capacity(CONNECTIONS);
        let mut length = 0;
        for _ in 0..CONNECTIONS {
            let mut stream = TcpStream::connect(target.address).await?;
            stream.set_nodelay(true)?;
            length = first_answer(&mut stream, &target.request).await?.length;
            streams.push(stream);
        }
        Ok(Self { streams, request: target.request.as_slice().into(), length })
    }

    /// Keeps every connection busy for a while; gives the lane back with its rate.
    async fn drive(self, time: Duration) -> Result<(Self, f64), Failure> {
        let Self { streams, request, length } = self;
        let start = Instant::now();
        let clients = streams.into_iter().map(|stream| {
            let request = std::sync::Arc::clone(&request);
            tokio::spawn(client(stream, request, length, start + time))
        });
        let clients: Vec<_> = clients.collect();
        let (mut streams, mut answers) = (Vec::with_capacity(CONNECTIONS), 0);
        for client in clients {
            let (stream, count) = client.await??;
            streams.push(stream);
            answers += count;
        }
        let rate = as_float(answers) / start.elapsed().as_secs_f64();
        Ok((Self { streams, request, length }, rate))
    }
}

async fn client(
    mut stream: TcpStream,
    request: std::sync::Arc<[u8]>,
    length: usize,
    end: Instant,
) -> Result<(TcpStream, u64), std::io::Error> {
    let mut buffer = vec![0; length];
    let mut answers = 0;
    while Instant::now() < end {
        stream.write_all(&request).await?;
        stream.read_exact(&mut buffer).await?;
        if !buffer.starts_with(b"HTTP/1.1 200 ") {
            return Err(std::io::Error::other("an answer was no success"));
        }
        answers += 1;
    }
    Ok((stream, answers))
}

/// Sends a request and reads its answer whole, by the length that its head gives.
async fn first_answer(stream: &mut TcpStream, request: &[u8]) -> Result<Answer, Failure> {
    stream.write_all(request).await?;
    let mut read = Vec::new();
    loop {
        if stream.read_buf(&mut read).await? == 0 {
            return Err(Failure("the server closed the connection".to_owned()));
        }
        let Some(end) = read.windows(4).position(|it| it == b"\r\n\r\n") else { continue };
        let (head, body) = read.split_at(end + 4);
        let head = String::from_utf8_lossy(head).to_ascii_lowercase();
        if !head.starts_with("http/1.1 200 ") {
            let body = String::from_utf8_lossy(body);
            return Err(Failure(format!("the server answers {head}{body}")));
        }
        let length = head.lines().find_map(|it| it.strip_prefix("content-length:"));
        let length: usize = length.ok_or("an answer without a length")?.trim().parse()?;
        if body.len() == length {
            return Ok(Answer { length: read.len(), body: body.to_vec() });
        }
    }
}

/// A request as bytes. `head` are further lines of its head, each ended.
pub(crate) fn post(address: SocketAddr, path: &str, head: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!(
        "POST {path} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
         Content-Length: {length}\r\n{head}\r\n{body}"
    )
    .into_bytes()
}

#[cfg(test)]
mod tests {
    use super::{Loopback, post};
    use crate::measure::Effort;
    use axum::Router;
    use axum::routing::post as on_post;
    use std::time::Duration;

    #[test]
    fn answers_are_read_whole_and_counted() {
        let loopback = Loopback::new().unwrap();
        let router = Router::new().route("/echo", on_post(|body: String| async { body }));
        let target = loopback
            .serve("echo", router, |address| post(address, "/echo", "", "{\"a\": 1}"))
            .unwrap();
        assert_eq!(loopback.ask(&target).unwrap().body, b"{\"a\": 1}");
        let effort = Effort { rounds: 2, slice: Duration::from_millis(5), ..Effort::default() };
        let figures = loopback.race(&effort, &[target]).unwrap();
        assert!(figures[0].least > 100.0, "{figures:?}");
    }

    #[test]
    fn refusals_are_no_answers() {
        let loopback = Loopback::new().unwrap();
        let target =
            loopback.serve("nothing", Router::new(), |it| post(it, "/none", "", "{}")).unwrap();
        let failure = loopback.ask(&target).unwrap_err().0;
        assert!(failure.contains("404"), "{failure}");
    }
}
