//! One check on its way through the solver threads, and the bell that stops it.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crate::question::Question;
use crate::solve::Answer;

/// Takes a lock. A thread that panicked while it held one left nothing half done: every change
/// under a lock of this crate is one assignment.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How often a thread looks for what it waits for before it goes to sleep.
const LOOKS: usize = 256;

/// Waits a moment for something, without sleep: to wake a thread takes about as long as a small
/// question does. Other threads may run between two looks.
pub(crate) fn look(found: impl Fn() -> bool) {
    for _ in 0..LOOKS {
        if found() {
            return;
        }
        thread::yield_now();
    }
}

/// The questions of one check and how far they are.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) questions: Vec<Question>,
    /// The place of the question that is being solved.
    at: AtomicUsize,
    stopped: AtomicBool,
    finished: AtomicBool,
    progress: Mutex<Progress>,
    done: Condvar,
}

/// How far a job is.
#[derive(Debug)]
pub(crate) enum Progress {
    /// In the queue.
    Waiting,
    /// On the worker of this number.
    Solving(usize),
    /// Nobody waits for it any more.
    Abandoned,
    /// Answered, in the order of the questions, or ended by a fault of the product.
    Done(Result<Vec<Answer>, Failure>),
    /// The answers were taken.
    Taken,
}

/// Why a job has no answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Failure {
    /// The place of the question.
    pub(crate) question: usize,
    pub(crate) message: String,
}

impl Job {
    pub(crate) fn new(questions: Vec<Question>) -> Self {
        Self {
            questions,
            at: AtomicUsize::new(0),
            stopped: AtomicBool::new(false),
            finished: AtomicBool::new(false),
            progress: Mutex::new(Progress::Waiting),
            done: Condvar::new(),
        }
    }

    /// The place of the question that is being solved.
    pub(crate) fn at(&self) -> usize {
        self.at.load(Ordering::Relaxed)
    }

    pub(crate) fn set_at(&self, question: usize) {
        self.at.store(question, Ordering::Relaxed);
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Acquire)
    }

    /// Gives the job to a worker; false where nobody waits for it any more.
    pub(crate) fn begin(&self, worker: usize) -> bool {
        let mut progress = lock(&self.progress);
        let waiting = matches!(*progress, Progress::Waiting);
        if waiting {
            *progress = Progress::Solving(worker);
        }
        waiting
    }

    pub(crate) fn finish(&self, result: Result<Vec<Answer>, Failure>) {
        let mut progress = lock(&self.progress);
        if matches!(*progress, Progress::Solving(_)) {
            *progress = Progress::Done(result);
            self.finished.store(true, Ordering::Release);
            self.done.notify_one();
        }
    }

    /// Waits the moment that small questions take.
    pub(crate) fn look(&self) {
        look(|| self.finished.load(Ordering::Acquire));
    }

    /// Waits until the job is done or the time is over, and says how far it is then.
    pub(crate) fn wait(&self, time: Duration) -> Progress {
        let (mut progress, _) = self
            .done
            .wait_timeout_while(lock(&self.progress), time, |it| !matches!(it, Progress::Done(_)))
            .unwrap_or_else(PoisonError::into_inner);
        match *progress {
            Progress::Waiting => Progress::Waiting,
            Progress::Solving(worker) => Progress::Solving(worker),
            Progress::Abandoned => Progress::Abandoned,
            Progress::Taken => Progress::Taken,
            Progress::Done(_) => std::mem::replace(&mut *progress, Progress::Taken),
        }
    }

    /// Leaves the job to itself: it is dropped from the queue, or its worker's bell is rung.
    ///
    /// INVARIANT: the bell is rung only while the worker holds this very job, since the worker
    /// needs the lock that is held here to be done with it.
    pub(crate) fn abandon(&self, bells: &[Bell]) {
        self.stopped.store(true, Ordering::Release);
        let mut progress = lock(&self.progress);
        if let Progress::Solving(worker) = *progress
            && let Some(bell) = bells.get(worker)
        {
            bell.ring();
        }
        *progress = Progress::Abandoned;
    }
}

/// What a worker's interrupter waits for.
#[derive(Debug, Default)]
pub(crate) struct Bell {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum State {
    #[default]
    Quiet,
    Ringing,
    /// The context is going away.
    Closed,
}

impl Bell {
    fn ring(&self) {
        let mut state = lock(&self.state);
        if *state == State::Quiet {
            *state = State::Ringing;
            self.changed.notify_one();
        }
    }

    pub(crate) fn is_ringing(&self) -> bool {
        *lock(&self.state) == State::Ringing
    }

    /// Makes the bell fit for a new context.
    pub(crate) fn reset(&self) {
        *lock(&self.state) = State::Quiet;
    }

    /// Ends the interrupter: afterwards it touches its context no more.
    pub(crate) fn close(&self) {
        *lock(&self.state) = State::Closed;
        self.changed.notify_one();
    }

    /// Interrupts for as long as the bell rings, since one interrupt may fall between two steps
    /// of the solver and be lost. Returns when the bell is closed.
    pub(crate) fn obey(&self, interrupt: impl Fn()) {
        const AGAIN: Duration = Duration::from_millis(2);
        let mut state = lock(&self.state);
        loop {
            state = match *state {
                State::Closed => return,
                State::Quiet => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
                State::Ringing => {
                    interrupt();
                    let waited = self.changed.wait_timeout(state, AGAIN);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }
}
