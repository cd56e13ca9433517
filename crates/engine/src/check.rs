//! The engine: from a plan and claim values to one outcome per assertion.

use std::sync::Arc;
use std::time::Duration;

use assay_dsail::bind::Bound;

use crate::cancel::Cancel;
use crate::error::{CheckError, StartError, VerifyFault};
use crate::job::{Failure, Job, Progress};
use crate::ladder::{Climb, Left, Parts};
use crate::limits::{EVALUATION_LIMIT, Settings, Stopwatch};
use crate::meter::Meter;
use crate::outcome::{Outcome, Reason, Word};
use crate::plan::Plan;
use crate::question::Question;
use crate::solve::Answer;
use crate::verify::Verifier;
use crate::warmup;
use crate::worker::Pool;

/// How often a waiting caller looks whether it was cancelled.
const LOOK: Duration = Duration::from_millis(10);

/// How long the first answers may take at least: a busy machine is no broken solver.
const WARMUP: Duration = Duration::from_secs(60);

/// What one queued check takes, as far as it can be foreseen.
const USUAL_CHECK_MS: u64 = 25;

/// The solver threads and what may be asked of them.
#[derive(Debug)]
pub struct Engine {
    pool: Pool,
    verifier: Verifier,
    settings: Settings,
    version: String,
}

impl Engine {
    /// Starts the solver threads and puts them to the test.
    ///
    /// # Errors
    /// [`StartError`] says whether the solver is too old, answers wrongly or gets no threads.
    pub fn start(settings: Settings) -> Result<Self, StartError> {
        let version = warmup::version()
            .map_err(|found| StartError::Version { found, oldest: warmup::oldest() })?;
        let pool = Pool::start(&settings).map_err(StartError::Threads)?;
        let verifier = Verifier::start().map_err(StartError::Threads)?;
        let engine = Self { pool, verifier, settings, version };
        let (questions, expected): (Vec<_>, Vec<_>) = warmup::statements().into_iter().unzip();
        let job = Arc::new(Job::new(questions));
        let patience = engine.settings.wall_clock.max(WARMUP);
        let answers = engine
            .wait(&job, &Cancel::new(), patience)
            .map_err(|stop| StartError::Warmup { found: format!("{stop:?}") })?;
        let expected: Vec<_> = expected.into_iter().map(Answer::Possible).collect();
        if answers != expected {
            return Err(StartError::Warmup { found: format!("{answers:?}") });
        }
        Ok(engine)
    }

    /// The name and version of the solver, such as `z3 5.3.2`.
    #[must_use]
    pub fn solver_version(&self) -> String {
        self.version.clone()
    }

    /// Decides every assertion, in the order of the ruleset. Blocks while the solver works.
    ///
    /// # Errors
    /// [`CheckError`]; there are no outcomes then, not even of the assertions that were decided.
    pub fn check(
        &self,
        plan: &Plan,
        bound: &Bound,
        cancel: &Cancel,
    ) -> Result<Vec<Outcome>, CheckError> {
        let climbed = self.climb(plan, bound, cancel)?;
        self.complete(plan, bound, climbed, cancel)
    }

    /// As [`Engine::check`], except that the solver decides every assertion as it is written, with
    /// the values beside it as equations. Slow; it is there to be compared with.
    ///
    /// # Errors
    /// As [`Engine::check`].
    pub fn check_with_solver(
        &self,
        plan: &Plan,
        bound: &Bound,
        cancel: &Cancel,
    ) -> Result<Vec<Outcome>, CheckError> {
        let whole = plan.assertions.iter();
        let whole = whole.map(|it| Err(Box::new(Question::whole(plan, it.root, &bound.values))));
        self.complete(plan, bound, whole.collect(), cancel)
    }

    /// Whether the solver accepts every assertion of a plan, values aside. Nothing is solved.
    ///
    /// # Errors
    /// One fault for each assertion that it does not accept.
    pub fn verify(&self, plan: &Plan) -> Result<(), Vec<VerifyFault>> {
        self.verifier.verify(plan)
    }

    /// Decides what needs no solver and refuses what no budget pays for. Looks between assertions
    /// whether the caller or the wall clock has had enough.
    fn climb(&self, plan: &Plan, bound: &Bound, cancel: &Cancel) -> Result<Climbed, CheckError> {
        let clock = Stopwatch::start();
        let meter = Meter::cancelled_by(EVALUATION_LIMIT, cancel);
        let mut climb = Climb::new(plan, bound, &meter);
        let mut climbed = Vec::with_capacity(plan.assertions.len());
        for (place, planned) in plan.assertions.iter().enumerate() {
            let rung = climb.rung(place, planned);
            meter.forget_refusal();
            if cancel.is_cancelled() {
                return Err(CheckError::Cancelled);
            }
            // Reading the clock takes longer than most assertions do.
            if place.is_multiple_of(16) && clock.has_passed(self.settings.wall_clock) {
                return Err(CheckError::Inconclusive { assertion: name(plan, place).to_owned() });
            }
            climbed.push(match rung {
                Ok(outcome) => Ok(outcome),
                Err(Left::Refused) => {
                    let reason = Reason::EvaluationBudget { limit: EVALUATION_LIMIT };
                    Ok(plan.unpaid(planned, reason, bound))
                }
                Err(Left::Question(question)) if question.limbs > question.limit() => {
                    let reason = Reason::NumeralBudget { limit: question.limit() };
                    Ok(plan.unpaid(planned, reason, bound))
                }
                Err(Left::Question(question)) => Err(question),
            });
        }
        Ok(climbed)
    }

    /// Puts what is left of a check to the solver.
    fn complete(
        &self,
        plan: &Plan,
        bound: &Bound,
        climbed: Climbed,
        cancel: &Cancel,
    ) -> Result<Vec<Outcome>, CheckError> {
        let mut outcomes = Vec::with_capacity(climbed.len());
        let (mut places, mut questions) = (Vec::new(), Vec::new());
        for (place, rung) in climbed.into_iter().enumerate() {
            outcomes.push(rung.map_err(|question| {
                places.push(place);
                questions.push(*question);
            }));
        }
        let mut decided = Vec::new();
        if !questions.is_empty() {
            let judge = Judge { engine: self, plan, bound, places };
            decided = judge.decide(questions, cancel)?;
        }
        let mut decided = decided.into_iter();
        let all = outcomes.into_iter().map(|it| it.ok().or_else(|| decided.next())).collect();
        Option::ok_or(all, fault("", "an assertion was left without an answer"))
    }

    /// Queues the questions and waits for their answers, which may take `limit` once a worker is
    /// free and as long until then.
    fn wait(&self, job: &Arc<Job>, cancel: &Cancel, limit: Duration) -> Result<Vec<Answer>, Stop> {
        if cancel.is_cancelled() {
            return Err(Stop::Cancelled);
        }
        self.pool.submit(job).map_err(Stop::Busy)?;
        let (mut clock, mut solving) = (Stopwatch::start(), false);
        job.look();
        loop {
            let progress = job.wait(LOOK);
            match progress {
                Progress::Done(result) => return result.map_err(Stop::Failed),
                Progress::Solving(_) if !solving => {
                    (clock, solving) = (Stopwatch::start(), true);
                }
                _ => {}
            }
            let late = clock.has_passed(limit);
            if late || cancel.is_cancelled() {
                job.abandon(self.pool.bells());
                return Err(match (cancel.is_cancelled(), solving) {
                    (true, _) => Stop::Cancelled,
                    (false, true) => Stop::Late(job.at()),
                    (false, false) => Stop::Busy(1),
                });
            }
        }
    }
}

/// For each assertion its outcome, or what the solver is asked.
type Climbed = Vec<Result<Outcome, Box<Question>>>;

/// Why there are no answers.
#[derive(Debug)]
enum Stop {
    /// As many checks wait before each worker.
    Busy(usize),
    Cancelled,
    /// The wall clock stopped the question at this place.
    Late(usize),
    Failed(Failure),
}

/// Turns answers into outcomes.
struct Judge<'c> {
    engine: &'c Engine,
    plan: &'c Plan,
    bound: &'c Bound,
    /// The places of the assertions that the questions belong to.
    places: Vec<usize>,
}

impl Judge<'_> {
    fn decide(
        &self,
        questions: Vec<Question>,
        cancel: &Cancel,
    ) -> Result<Vec<Outcome>, CheckError> {
        let job = Arc::new(Job::new(questions));
        let answers = self
            .engine
            .wait(&job, cancel, self.engine.settings.wall_clock)
            .map_err(|stop| self.error(stop))?;
        if answers.len() != job.questions.len() {
            return Err(fault("", "the solver left questions unanswered"));
        }
        let answers = answers.into_iter().zip(&job.questions).enumerate();
        answers.map(|(place, (answer, question))| self.outcome(place, &answer, question)).collect()
    }

    fn outcome(
        &self,
        question_place: usize,
        answer: &Answer,
        question: &Question,
    ) -> Result<Outcome, CheckError> {
        let reason = match answer {
            Answer::Possible(possible) => {
                let place = self.places.get(question_place).copied().unwrap_or(usize::MAX);
                let parts = Parts::of(question);
                return Ok(self.plan.outcome(place, *possible, &parts, self.bound));
            }
            Answer::Contradiction => {
                let message = "both the assertion and its negation were refuted";
                return Err(fault(self.name(question_place), message));
            }
            Answer::Canceled => Reason::SolverBudget { limit: self.engine.settings.resource_limit },
            Answer::Incomplete => Reason::SolverIncomplete,
        };
        let unbridged = self.plan.unbridged(&question.unknowns, self.bound);
        Ok(Outcome { word: Word::Unknown, reason: Some(reason), unbridged })
    }

    fn error(&self, stop: Stop) -> CheckError {
        match stop {
            Stop::Busy(before) => {
                let before = u64::try_from(before).unwrap_or(u64::MAX);
                CheckError::Busy { retry_after_ms: before.saturating_mul(USUAL_CHECK_MS) }
            }
            Stop::Cancelled => CheckError::Cancelled,
            Stop::Late(at) => CheckError::Inconclusive { assertion: self.name(at).to_owned() },
            Stop::Failed(Failure { question, message }) => fault(self.name(question), &message),
        }
    }

    /// The name of the assertion that a question belongs to.
    fn name(&self, question: usize) -> &str {
        self.places.get(question).map_or("", |place| name(self.plan, *place))
    }
}

fn name(plan: &Plan, assertion: usize) -> &str {
    plan.ruleset.assertions.get(assertion).map_or("", |it| &it.name)
}

fn fault(assertion: &str, message: &str) -> CheckError {
    CheckError::Fault { assertion: assertion.to_owned(), message: message.to_owned() }
}
