//! Why a command stopped before the service could answer.

use annotate_snippets::Level;

use crate::exit::Exit;
use crate::output;
use crate::show::text::visible;

/// A problem of the command itself: its flags, its files, its surroundings.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    exit: Exit,
    message: String,
    help: Option<String>,
}

/// What a command returns.
pub(crate) type Outcome = Result<Exit, Failure>;

impl Failure {
    /// The command line, or a file that it names, cannot be used.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self { exit: Exit::Usage, message: message.into(), help: None }
    }

    /// The service refused, and says why.
    pub(crate) fn refused(message: impl Into<String>) -> Self {
        Self { exit: Exit::Refused, message: message.into(), help: None }
    }

    /// Something outside the process does not serve.
    pub(crate) fn unavailable(message: impl Into<String>) -> Self {
        Self { exit: Exit::Unavailable, message: message.into(), help: None }
    }

    /// The same failure with what to do about it.
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Tells the person and gives the exit code.
    pub(crate) fn report(&self) -> Exit {
        let title = Level::ERROR.primary_title(visible(&self.message));
        let help = self.help.as_deref().map(|it| Level::HELP.message(visible(it)));
        output::report(title.elements(help));
        self.exit
    }
}
