//! Whether the solver accepts a ruleset, asked when it is compiled.
//!
//! One thread with a context of its own does nothing else, so that compiling waits for no check
//! and costs no new context.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

use crate::encode::encode;
use crate::error::VerifyFault;
use crate::job::lock;
use crate::plan::Plan;
use crate::question::Question;
use crate::worker::STACK_BYTES;

/// The thread and the way to it. Dropping it ends the thread.
#[derive(Debug)]
pub(crate) struct Verifier {
    requests: Option<Mutex<Sender<Request>>>,
    thread: Option<JoinHandle<()>>,
}

/// The assertions of a ruleset, and where the faults go.
#[derive(Debug)]
struct Request {
    questions: Vec<Question>,
    reply: Sender<Vec<VerifyFault>>,
}

impl Verifier {
    /// Starts the thread.
    ///
    /// # Errors
    /// The operating system gives none.
    pub(crate) fn start() -> io::Result<Self> {
        let (requests, received) = channel();
        let builder = thread::Builder::new().name("solver-verify".to_owned());
        let thread = builder.stack_size(STACK_BYTES).spawn(move || serve(&received))?;
        Ok(Self { requests: Some(Mutex::new(requests)), thread: Some(thread) })
    }

    /// # Errors
    /// One fault for each assertion that the solver does not accept.
    pub(crate) fn verify(&self, plan: &Plan) -> Result<(), Vec<VerifyFault>> {
        let assertions = plan.assertions.iter();
        let questions = assertions.map(|it| Question::whole(plan, it.root, &[])).collect();
        let (reply, faults) = channel();
        if let Some(requests) = &self.requests {
            // A thread that is gone sends no reply, which is told below.
            let _ = lock(requests).send(Request { questions, reply });
        }
        match faults.recv() {
            Ok(faults) if faults.is_empty() => Ok(()),
            Ok(faults) => Err(faults),
            Err(_) => Err(vec![fault(0, "the solver's thread is gone".to_owned())]),
        }
    }
}

impl Drop for Verifier {
    fn drop(&mut self) {
        self.requests = None;
        // A thread that panicked is over as well.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

fn serve(received: &Receiver<Request>) {
    for Request { questions, reply } in received {
        let questions = questions.iter().enumerate();
        let faults = questions.filter_map(|(place, question)| {
            // The bindings of the solver panic where a call of theirs fails.
            let encoded = catch_unwind(AssertUnwindSafe(|| encode(question).map(drop)));
            let encoded =
                encoded.unwrap_or_else(|_| Err("the solver's bindings failed".to_owned()));
            encoded.err().map(|message| fault(place, message))
        });
        // Nobody waits any more where the receiver is gone.
        let _ = reply.send(faults.collect());
    }
}

fn fault(assertion: usize, message: String) -> VerifyFault {
    VerifyFault { assertion, message }
}
