//! An HTTP server on this machine, gone when it is dropped.

use std::net::SocketAddr;

use axum::Router;
use tokio::runtime::{Builder, Runtime};

pub(crate) struct Site {
    pub(crate) address: SocketAddr,
    runtime: Option<Runtime>,
}

impl Site {
    pub(crate) fn new(router: Router) -> Self {
        Self::at(SocketAddr::from(([127, 0, 0, 1], 0)), router)
    }

    pub(crate) fn at(address: SocketAddr, router: Router) -> Self {
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let listener = runtime.block_on(tokio::net::TcpListener::bind(address)).unwrap();
        let address = listener.local_addr().unwrap();
        runtime.spawn(async move { axum::serve(listener, router).await });
        Self { address, runtime: Some(runtime) }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// An address at which nobody listens.
pub(crate) fn nobody() -> SocketAddr {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap()
}
