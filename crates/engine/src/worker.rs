//! The solver threads. Each owns one context at a time, in which all its terms live and die.
//!
//! Next to a context stands an interrupter, the only other thread that ever touches it, and only
//! to interrupt. A context ends when it was interrupted, when a question needs a fresh one, or
//! after many questions; the job at hand goes on in the next one.

use std::collections::VecDeque;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use z3::{Config, Context, with_z3_config};

use crate::job::{Bell, Failure, Job, lock, look};
use crate::limits::Settings;
use crate::question::Question;
use crate::solve::{Answer, Warm, decide_afresh};

/// The solver walks deep terms by recursion in places.
pub(crate) const STACK_BYTES: usize = 16 << 20;

/// How many questions one context answers at most, so that what it keeps stays bounded.
const QUESTIONS_PER_CONTEXT: usize = 10_000;

/// The threads and their queue. Dropping it ends them.
#[derive(Debug)]
pub(crate) struct Pool {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared {
    queue: Mutex<Queue>,
    /// Whether the queue has something for a worker, as of the last change.
    has_work: AtomicBool,
    filled: Condvar,
    bells: Vec<Bell>,
    resource_limit: u32,
    capacity: usize,
}

#[derive(Debug, Default)]
struct Queue {
    jobs: VecDeque<Arc<Job>>,
    /// Workers that look for a job right now and take one before they sleep.
    looking: usize,
    closed: bool,
}

impl Pool {
    /// Starts the threads.
    ///
    /// # Errors
    /// The operating system gives no thread.
    pub(crate) fn start(settings: &Settings) -> io::Result<Self> {
        let workers = settings.workers.max(1);
        let shared = Arc::new(Shared {
            queue: Mutex::default(),
            has_work: AtomicBool::new(false),
            filled: Condvar::new(),
            bells: (0..workers).map(|_| Bell::default()).collect(),
            resource_limit: settings.resource_limit,
            capacity: settings.queue.max(1),
        });
        let mut pool = Self { shared: Arc::clone(&shared), threads: Vec::with_capacity(workers) };
        for worker in 0..workers {
            let shared = Arc::clone(&shared);
            let builder = thread::Builder::new().name(format!("solver-{worker}"));
            let body = move || run(&shared, worker);
            pool.threads.push(builder.stack_size(STACK_BYTES).spawn(body)?);
        }
        Ok(pool)
    }

    pub(crate) fn bells(&self) -> &[Bell] {
        &self.shared.bells
    }

    /// Queues a job.
    ///
    /// # Errors
    /// The queue is full; the number is how many jobs each worker has before it.
    pub(crate) fn submit(&self, job: &Arc<Job>) -> Result<(), usize> {
        let mut queue = lock(&self.shared.queue);
        if queue.jobs.len() >= self.shared.capacity {
            // Those that nobody waits for make room first.
            queue.jobs.retain(|it| !it.is_stopped());
        }
        if queue.jobs.len() >= self.shared.capacity {
            return Err(queue.jobs.len() / self.shared.bells.len().max(1) + 1);
        }
        // INVARIANT: every queued job has a worker of its own that looks, works or was woken. To
        // wake a sleeper for a job that another takes would cost that one its processor.
        let needs_a_sleeper = queue.looking <= queue.jobs.len();
        queue.jobs.push_back(Arc::clone(job));
        self.shared.has_work.store(true, Ordering::Release);
        drop(queue);
        if needs_a_sleeper {
            self.shared.filled.notify_one();
        }
        Ok(())
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        lock(&self.shared.queue).closed = true;
        self.shared.has_work.store(true, Ordering::Release);
        self.shared.filled.notify_all();
        for thread in self.threads.drain(..) {
            // A worker that panicked is over as well.
            let _ = thread.join();
        }
    }
}

/// A job on a worker.
#[derive(Debug)]
struct Work {
    job: Arc<Job>,
    answers: Vec<Answer>,
}

/// Why a context ends.
#[derive(Debug)]
enum End {
    /// The pool is closed.
    Closed,
    /// The next context takes over, with the job at hand if there is one.
    Retired(Option<Work>),
}

fn run(shared: &Shared, worker: usize) {
    let Some(bell) = shared.bells.get(worker) else { return };
    let mut at_hand = None;
    loop {
        bell.reset();
        let resumed = at_hand.take();
        let end = with_z3_config(&Config::new(), move || {
            let context = Context::thread_local();
            let handle = context.handle();
            thread::scope(|scope| {
                scope.spawn(move || bell.obey(|| handle.interrupt()));
                let _closing = Closing(bell);
                Session { shared, worker, warm: None, questions: 0 }.serve(resumed)
            })
        });
        match end {
            End::Closed => return,
            End::Retired(work) => at_hand = work,
        }
    }
}

/// Closes a bell when the session is over, however it ends, so that its interrupter ends too.
struct Closing<'b>(&'b Bell);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// One context on one worker.
#[derive(Debug)]
struct Session<'p> {
    shared: &'p Shared,
    worker: usize,
    warm: Option<Warm>,
    questions: usize,
}

/// What becomes of a question in a session.
enum Step {
    Answered(Answer),
    /// It needs a fresh context.
    Postponed,
}

impl Session<'_> {
    fn serve(mut self, mut at_hand: Option<Work>) -> End {
        loop {
            let Some(mut work) = at_hand.take().or_else(|| self.next()) else {
                return End::Closed;
            };
            let retire = match self.solve(&mut work) {
                Ok(true) => return End::Retired(Some(work)),
                Ok(false) => {
                    work.job.finish(Ok(work.answers));
                    self.is_spent()
                }
                Err(failure) => {
                    work.job.finish(Err(failure));
                    true
                }
            };
            if retire {
                return End::Retired(None);
            }
        }
    }

    fn next(&self) -> Option<Work> {
        lock(&self.shared.queue).looking += 1;
        look(|| self.shared.has_work.load(Ordering::Acquire));
        let mut queue = lock(&self.shared.queue);
        queue.looking -= 1;
        loop {
            if queue.closed {
                return None;
            }
            let job = queue.jobs.pop_front();
            self.shared.has_work.store(!queue.jobs.is_empty(), Ordering::Release);
            match job {
                Some(job) if job.begin(self.worker) => {
                    return Some(Work { job, answers: Vec::new() });
                }
                Some(_) => {}
                None => {
                    queue = self.shared.filled.wait(queue).unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }

    /// Whether the context must not be used again.
    fn is_spent(&self) -> bool {
        let bell = self.shared.bells.get(self.worker);
        self.questions >= QUESTIONS_PER_CONTEXT || bell.is_none_or(Bell::is_ringing)
    }

    /// Solves what is left of a job; true where the rest needs a fresh context.
    fn solve(&mut self, work: &mut Work) -> Result<bool, Failure> {
        let job = Arc::clone(&work.job);
        for (place, question) in job.questions.iter().enumerate().skip(work.answers.len()) {
            if job.is_stopped() {
                break;
            }
            job.set_at(place);
            // The bindings of the solver panic where a call of theirs fails.
            let step = catch_unwind(AssertUnwindSafe(|| self.question(question)));
            let step = step.unwrap_or_else(|_| Err("the solver's bindings failed".to_owned()));
            match step.map_err(|message| Failure { question: place, message })? {
                Step::Answered(answer) => work.answers.push(answer),
                Step::Postponed => return Ok(true),
            }
        }
        Ok(false)
    }

    fn question(&mut self, question: &Question) -> Result<Step, String> {
        let limit = self.shared.resource_limit;
        let fresh = self.questions == 0;
        self.questions += 1;
        if question.linear {
            let warm = self.warm.get_or_insert_with(|| Warm::new(limit));
            if let Some(answer) = warm.decide(question)? {
                return Ok(Step::Answered(answer));
            }
        }
        if !fresh {
            return Ok(Step::Postponed);
        }
        self.questions = QUESTIONS_PER_CONTEXT;
        Ok(Step::Answered(decide_afresh(question, limit)?))
    }
}
