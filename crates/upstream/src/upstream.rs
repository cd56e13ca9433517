//! One server: how it is reached, and how it is doing.

use std::cell::LazyCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, ready};
use reqwest::Client;

use crate::call::{Answer, Call, CallError, Definition, Sent};
use crate::child::Plan;
use crate::circuit::{Health, State};
use crate::connection::{Connection, Lifeline, Way};
use crate::http::{Carrier, Target};
use crate::rest::Rest;
use crate::route::Route;
use crate::{exchange, rest};

/// What runs on this crate's runtime and ends in an answer.
pub(crate) type Exchange<T> = BoxFuture<'static, Result<T, CallError>>;

/// The HTTP client, made for the first route that needs one.
pub(crate) type LazyClient = LazyCell<Result<Client, String>>;

pub(crate) struct Upstream {
    pub(crate) health: Health,
    reach: Reach,
}

enum Reach {
    Mcp(Arc<Connection>),
    Rest(Box<Rest>),
}

impl Upstream {
    /// The server behind a route, or what is wrong with the route. Connects to nothing.
    pub(crate) fn new(
        route: Route,
        client: &LazyClient,
        lifeline: &Lifeline,
    ) -> Result<Self, String> {
        let mcp = |way| Reach::Mcp(Arc::new(Connection::new(way, lifeline.clone())));
        let reach = match route {
            Route::Stdio { command, arguments, environment } => {
                mcp(Way::Child(Plan::new(command, arguments, environment)?))
            }
            Route::Http { url, headers } => mcp(Way::Http(
                Target::new(&url, &headers)?,
                Carrier(LazyCell::force(client).clone()?),
            )),
            Route::Rest { url, headers, tools } => {
                let target = Target::new(&url, &headers)?;
                Reach::Rest(Box::new(Rest::new(LazyCell::force(client).clone()?, target, tools)?))
            }
        };
        Ok(Self { health: Health::default(), reach })
    }

    /// What makes the call. A call that cannot be written is no fault of the server.
    pub(crate) fn call(&self, call: &Call<'_>, sent: Sent) -> Result<Exchange<Answer>, CallError> {
        Ok(match &self.reach {
            Reach::Mcp(connection) => {
                let asked = exchange::Asked::new(call, connection)?;
                exchange::call(Arc::clone(connection), asked, sent).boxed()
            }
            Reach::Rest(rest) => {
                let request = rest.request(call)?;
                rest::send(rest.client(), request, call.max_output_bytes, sent).boxed()
            }
        })
    }

    /// What asks for the digests of the tools' definitions.
    pub(crate) fn definitions(&self, sent: Sent) -> Exchange<BTreeMap<String, Definition>> {
        match &self.reach {
            Reach::Mcp(connection) => exchange::definitions(Arc::clone(connection), sent).boxed(),
            Reach::Rest(_) => ready(Ok(BTreeMap::new())).boxed(),
        }
    }

    pub(crate) fn state(&self) -> State {
        self.health.state(match &self.reach {
            Reach::Mcp(connection) => Some(connection.is_open()),
            Reach::Rest(_) => None,
        })
    }
}
