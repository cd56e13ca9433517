//! The codes of every problem that the product reports.
//!
//! Generated from `crates/base/data/codes.json` by `cargo xtask generate`. Do not edit.

use crate::diagnostic::Severity;

/// A stable word for one kind of problem. A code is never reused for another problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Code {
    /// A character that the language does not use.
    Character,
    /// A string that does not end.
    UnterminatedString,
    /// A character that a string may not hold.
    StringCharacter,
    /// A string that is too long.
    StringLength,
    /// A name that mixes alphabets.
    MixedScript,
    /// A malformed number.
    Numeral,
    /// A name that is too long.
    IdentifierLength,
    /// Nesting that is too deep.
    Nesting,
    /// Something else was expected here.
    Syntax,
    /// A statement without its semicolon.
    MissingSemicolon,
    /// Comparisons in a chain.
    ChainedComparison,
    /// A single equals sign.
    SingleEquals,
    /// Logic between operands.
    InfixLogic,
    /// A unit without quotes.
    BareUnit,
    /// A language version that is not supported.
    Version,
    /// A binding that is not allowed.
    Let,
    /// An unknown policy.
    Policy,
    /// A ruleset without assertions.
    NoAssertion,
    /// An unknown annotation.
    AnnotationTag,
    /// An annotation that does not exist any more.
    RemovedAnnotation,
    /// An annotation for no claim.
    AnnotationClaim,
    /// A second annotation of the same kind.
    AnnotationDuplicate,
    /// An annotation for numbers on another type.
    AnnotationType,
    /// An annotation without its text.
    AnnotationText,
    /// A malformed range.
    Range,
    /// An assertion without a description.
    Description,
    /// A name that is declared twice.
    DuplicateName,
    /// A reserved name.
    ReservedName,
    /// An undefined variable.
    Undefined,
    /// A claim that no assertion reads.
    UnusedClaim,
    /// A local name without a definition.
    UnboundLocal,
    /// A definition that needs itself.
    CircularLet,
    /// An enum member that is listed twice.
    DuplicateMember,
    /// A value of the wrong type.
    Type,
    /// The wrong number of arguments.
    Arity,
    /// An unknown function.
    UnknownFunction,
    /// A word outside the vocabulary.
    Member,
    /// Enums with different vocabularies.
    VocabulariesDiffer,
    /// An order comparison of an unordered enum.
    Unordered,
    /// A CASE that leaves members out.
    CaseCoverage,
    /// A CASE arm that is never reached.
    CaseArm,
    /// An IF without ELSE that is no truth value.
    IfWithoutElse,
    /// Something that is no set.
    Set,
    /// A quantity that meets a bare number.
    BareLiteral,
    /// A claim without a unit that meets a quantity.
    MissingUnit,
    /// Quantities of different dimensions.
    Dimension,
    /// A product of quantities.
    UnitProduct,
    /// Arithmetic on a scale with its own zero.
    AffineArithmetic,
    /// A unit that no library knows.
    UnknownUnit,
    /// Units that nothing converts.
    UnbridgedUnits,
    /// A division by zero.
    ZeroDivisor,
    /// An assertion that reads no claim.
    ConstantAssertion,
    /// The solver does not accept the ruleset.
    Translation,
    /// The claim dictionary was refused.
    ValidationRejected,
    /// The ruleset does not compile.
    CompileFailed,
    /// A limit was exceeded.
    BudgetExceeded,
    /// No such ruleset.
    RulesetNotFound,
    /// The engine failed.
    EngineError,
    /// The engine is busy.
    EngineBusy,
    /// The solver ran out of time.
    EngineInconclusive,
    /// The request has the wrong shape.
    BadRequest,
    /// A credential is needed.
    CredentialRequired,
    /// The credential is not accepted.
    CredentialInvalid,
    /// The credential does not reach this far.
    CredentialScope,
    /// The allowance is used up.
    EntitlementExceeded,
    /// No such tool.
    UnknownTool,
    /// The profile denies this kind of tool.
    FacetDenied,
    /// The tool is stopped.
    ToolSuspended,
    /// The tool is out of use.
    ToolDisabled,
    /// No version of the tool fits.
    VersionUnavailable,
    /// A permission is missing.
    PermissionDenied,
    /// The session is of another kind.
    RoleSessionRequired,
    /// Nothing of yours has this id.
    ScopeViolation,
    /// The arguments do not fit.
    InputInvalid,
    /// A step before this one is missing.
    PrerequisiteMissing,
    /// A step before this one stands in the way.
    PrerequisiteNotMet,
    /// More people have to agree.
    ApprovalRequired,
    /// What people said does not count.
    ApprovalInvalid,
    /// The person has to confirm.
    ConfirmationRequired,
    /// The person did not want it.
    ConfirmationDeclined,
    /// Nobody can confirm here.
    ConfirmationUnavailable,
    /// Too many calls.
    RateLimited,
    /// The same call is under way.
    IdempotencyInFlight,
    /// The same key with other arguments.
    IdempotencyMismatch,
    /// The end of the same call is not known.
    IdempotencyUnknownOutcome,
    /// The server behind the tool cannot be reached.
    ToolUnavailable,
    /// The server behind the tool took too long.
    ToolTimeout,
    /// The server behind the tool failed.
    ToolFailed,
    /// Nobody knows what came of the call.
    OutcomeUnknown,
    /// The answer is not what the tool promises.
    OutputInvalid,
    /// The call cannot be put on record.
    AuditUnavailable,
    /// No such page, route, team or member.
    NotFound,
    /// The route takes another method.
    MethodNotAllowed,
    /// The Host or Origin is not allowed.
    ForbiddenOrigin,
    /// The store does not answer.
    StoreUnavailable,
    /// The call was cancelled.
    CallCancelled,
    /// An internal fault.
    Internal,
}

struct Entry {
    word: &'static str,
    page: &'static str,
    title: &'static str,
    severity: Severity,
    http_status: u16,
}

impl Code {
    /// Every code in the order of the table.
    pub const ALL: &'static [Self] = &[
        Self::Character,
        Self::UnterminatedString,
        Self::StringCharacter,
        Self::StringLength,
        Self::MixedScript,
        Self::Numeral,
        Self::IdentifierLength,
        Self::Nesting,
        Self::Syntax,
        Self::MissingSemicolon,
        Self::ChainedComparison,
        Self::SingleEquals,
        Self::InfixLogic,
        Self::BareUnit,
        Self::Version,
        Self::Let,
        Self::Policy,
        Self::NoAssertion,
        Self::AnnotationTag,
        Self::RemovedAnnotation,
        Self::AnnotationClaim,
        Self::AnnotationDuplicate,
        Self::AnnotationType,
        Self::AnnotationText,
        Self::Range,
        Self::Description,
        Self::DuplicateName,
        Self::ReservedName,
        Self::Undefined,
        Self::UnusedClaim,
        Self::UnboundLocal,
        Self::CircularLet,
        Self::DuplicateMember,
        Self::Type,
        Self::Arity,
        Self::UnknownFunction,
        Self::Member,
        Self::VocabulariesDiffer,
        Self::Unordered,
        Self::CaseCoverage,
        Self::CaseArm,
        Self::IfWithoutElse,
        Self::Set,
        Self::BareLiteral,
        Self::MissingUnit,
        Self::Dimension,
        Self::UnitProduct,
        Self::AffineArithmetic,
        Self::UnknownUnit,
        Self::UnbridgedUnits,
        Self::ZeroDivisor,
        Self::ConstantAssertion,
        Self::Translation,
        Self::ValidationRejected,
        Self::CompileFailed,
        Self::BudgetExceeded,
        Self::RulesetNotFound,
        Self::EngineError,
        Self::EngineBusy,
        Self::EngineInconclusive,
        Self::BadRequest,
        Self::CredentialRequired,
        Self::CredentialInvalid,
        Self::CredentialScope,
        Self::EntitlementExceeded,
        Self::UnknownTool,
        Self::FacetDenied,
        Self::ToolSuspended,
        Self::ToolDisabled,
        Self::VersionUnavailable,
        Self::PermissionDenied,
        Self::RoleSessionRequired,
        Self::ScopeViolation,
        Self::InputInvalid,
        Self::PrerequisiteMissing,
        Self::PrerequisiteNotMet,
        Self::ApprovalRequired,
        Self::ApprovalInvalid,
        Self::ConfirmationRequired,
        Self::ConfirmationDeclined,
        Self::ConfirmationUnavailable,
        Self::RateLimited,
        Self::IdempotencyInFlight,
        Self::IdempotencyMismatch,
        Self::IdempotencyUnknownOutcome,
        Self::ToolUnavailable,
        Self::ToolTimeout,
        Self::ToolFailed,
        Self::OutcomeUnknown,
        Self::OutputInvalid,
        Self::AuditUnavailable,
        Self::NotFound,
        Self::MethodNotAllowed,
        Self::ForbiddenOrigin,
        Self::StoreUnavailable,
        Self::CallCancelled,
        Self::Internal,
    ];

    /// The word on the wire.
    #[must_use]
    pub const fn word(self) -> &'static str {
        self.entry().word
    }

    /// The path of the page that resolves the problem.
    #[must_use]
    pub const fn page(self) -> &'static str {
        self.entry().page
    }

    /// The problem in a few words.
    #[must_use]
    pub const fn title(self) -> &'static str {
        self.entry().title
    }

    /// Whether the problem stops the text from being used; a failed call always is an error.
    #[must_use]
    pub const fn severity(self) -> Severity {
        self.entry().severity
    }

    /// The HTTP status of a failed call; 422 for the problems within a source text.
    #[must_use]
    pub const fn http_status(self) -> u16 {
        self.entry().http_status
    }

    #[expect(clippy::too_many_lines, reason = "one arm for each code keeps the table total")]
    const fn entry(self) -> &'static Entry {
        match self {
            Self::Character => &Entry {
                word: "dsail/character",
                page: "/docs/errors/dsail-character.md",
                title: "A character that the language does not use",
                severity: Severity::Error,
                http_status: 422,
            },
            Self::UnterminatedString => &Entry {
                word: "dsail/unterminated-string",
                page: "/docs/errors/dsail-unterminated-string.md",
                title: "A string that does not end",
                severity: Severity::Error,
                http_status: 422,
            },
            Self::StringCharacter => &Entry {
                word: "dsail/string-character",
                page: "/docs/errors/dsail-string-character.md",
                title: "A character that a string may not hold",
                severity: Severity::Error,
                http_status: 422,
            },
            Self::StringLength => &Entry {
                word: "dsail/string-length",
                page: "/docs/errors/dsail-string-length.md",
                title: "A string that is too long",
                severity: Severity::Error,
                http_status: 422,
            },
            Self::MixedScript => &Entry {
                word: "dsail/mixed-script",
                page: "/docs/errors/dsail-mixed-script.md",
                title: "A name that mixes alphabets",
                severity: Severity::Warning,
                http_status: 422,
            },
            Self::Numeral => &Entry {
                word: "dsail/numeral",
                page: "/docs/errors/dsail-numeral.md",
                title: "A malformed number",
                severity: Severity::Error,
                http_status: 422,
            },
            Self::IdentifierLength => &Entry {
                word: "dsail/identifier-length",
                page: "/docs/errors/dsail-identifier-length.md",
                title: "A name that is too long",
                severity: Severity::Error,
                http_status: 422,
            },
            Self::Nesting => &Entry {
                word: "dsail/nesting",
                page: "/docs/errors/dsail-nesting.md",
                title: "Nesting that is too deep",
                severity: Severity::Error,
                http_status: 422,
            },
            Self::Syntax => &Entry {
                word: "dsail/syntax",
                page: "/docs/errors/dsail-syntax.md",
                title: "Something else was expected here",
                severity: Severity::Error,
                http_status: 422,
            },
            Self::MissingSemicolon => &Entry {
                word: "dsail/missing-semicolon",
                page: "/docs/errors/dsail-missing-semicolon.md",
                title: "A statement without its semicolon",
                severity: Severity::Error,
                http_status: 422,
            },
            Self::ChainedComparison => &Entry {
                word: "dsail/chained-comparison",
                page: "/docs/errors/dsail-chained-comparison.md",
                title: "Comparisons in a chain",
                severity: Severity::Error,
                http_status: 422,
            },
            Self::SingleEquals => &Entry {
                word: "dsail/single-equals",
                page: "/docs/errors/dsail-single-equals.md",
                title: "A single equals sign",
                severity: Severity::Error,
                http_status: 422,
            },
            Self::InfixLogic => &Entry {
                word: "dsail/infix-logic",
                page: "/docs/errors/dsail-infix-logic.md",
                title: "Logic between operands",
                severity: Severity::Error,
                http_status: 422,
            },
            Self::BareUnit => &Entry {
                word: "dsail/bare-unit",
                page: "/docs/errors/dsail-bare-unit.md",
                title: "A unit without quotes",
                severity: Severity::Error,
                http_status: 422,
            },
            Self::Version => &Entry {
                word: "dsail/version",
                page: "/docs/errors/dsail-version.md",
                title: "A language version that is not supported",
                severity: Severity::Error,
                http_status: 422,
            },
            Self::Let => &Entry {
                word: "dsail/let",
                page: "/docs/errors/dsail-let.md",
                title: "A binding that is not allowed",
                severity: Severity::Error,
                http_status: 422,
            },
            Self::Policy => &Entry {
                word: "dsail/policy",
                page: "/docs/errors/dsail-policy.md",
                title: "An unknown policy",
                severity: Severity::Error,
                http_status: 422,
            },
            Self::NoAssertion => &Entry {
                word: "dsail/no-assertion",
                page: "/docs/errors/dsail-no-assertion.md",
                title: "A ruleset without assertions",
                severity: Severity::Error,
                http_status: 422,
            },
            Self::AnnotationTag => &Entry {
                word: "dsail/annotation-tag",
                page: "/docs/errors/dsail-annotation-tag.md",
                title: "An unknown annotation",
                severity: Severity::Error,
                http_status: 422,
            },
            Self::RemovedAnnotation => &Entry {
                word: "dsail/removed-annotation",
                page: "/docs/errors/dsail-removed-annotation.md",
                title: "An annotation that does not exist any more",
                severity: Severity::Error,
                http_status: 422,
            },
            Self::AnnotationClaim => &Entry {
                word: "dsail/annotation-claim",
                page: "/docs/errors/dsail-annotation-claim.md",
                title: "An annotation for no claim",
                severity: Severity::Error,
                http_status: 422,
            },
            Self::AnnotationDuplicate => &Entry {
                word: "dsail/annotation-duplicate",
                page: "/docs/errors/dsail-annotation-duplicate.md",
                title: "A second annotation of the same kind",
                severity: Severity::Error,
                http_status: 422,
            },
            Self::AnnotationType => &Entry {
                word: "dsail/annotation-type",
                page: "/docs/errors/dsail-annotation-type.md",
                title: "An annotation for numbers on another type",
                severity: Severity::Error,
                http_status: 422,
            },
            Self::AnnotationText => &Entry {
                word: "dsail/annotation-text",
                page: "/docs/errors/dsail-annotation-text.md",
                title: "An annotation without its text",
                severity: Severity::Error,
                http_status: 422,
            },
            Self::Range => &Entry {
                word: "dsail/range",
                page: "/docs/errors/dsail-range.md",
                title: "A malformed range",
                severity: Severity::Error,
                http_status: 422,
            },
            Self::Description => &Entry {
                word: "dsail/description",
                page: "/docs/errors/dsail-description.md",
                title: "An assertion without a description",
                severity: Severity::Error,
                http_status: 422,
            },
            Self::DuplicateName => &Entry {
                word: "dsail/duplicate-name",
                page: "/docs/errors/dsail-duplicate-name.md",
                title: "A name that is declared twice",
                severity: Severity::Error,
                http_status: 422,
            },
            Self::ReservedName => &Entry {
                word: "dsail/reserved-name",
                page: "/docs/errors/dsail-reserved-name.md",
                title: "A reserved name",
                severity: Severity::Error,
                http_status: 422,
            },
            Self::Undefined => &Entry {
                word: "dsail/undefined",
                page: "/docs/errors/dsail-undefined.md",
                title: "An undefined variable",
                severity: Severity::Error,
                http_status: 422,
            },
            Self::UnusedClaim => &Entry {
                word: "dsail/unused-claim",
                page: "/docs/errors/dsail-unused-claim.md",
                title: "A claim that no assertion reads",
                severity: Severity::Warning,
                http_status: 422,
            },
            Self::UnboundLocal => &Entry {
                word: "dsail/unbound-local",
                page: "/docs/errors/dsail-unbound-local.md",
                title: "A local name without a definition",
                severity: Severity::Warning,
                http_status: 422,
            },
            Self::CircularLet => &Entry {
                word: "dsail/circular-let",
                page: "/docs/errors/dsail-circular-let.md",
                title: "A definition that needs itself",
                severity: Severity::Error,
                http_status: 422,
            },
            Self::DuplicateMember => &Entry {
                word: "dsail/duplicate-member",
                page: "/docs/errors/dsail-duplicate-member.md",
                title: "An enum member that is listed twice",
                severity: Severity::Error,
                http_status: 422,
            },
            Self::Type => &Entry {
                word: "dsail/type",
                page: "/docs/errors/dsail-type.md",
                title: "A value of the wrong type",
                severity: Severity::Error,
                http_status: 422,
            },
            Self::Arity => &Entry {
                word: "dsail/arity",
                page: "/docs/errors/dsail-arity.md",
                title: "The wrong number of arguments",
                severity: Severity::Error,
                http_status: 422,
            },
            Self::UnknownFunction => &Entry {
                word: "dsail/unknown-function",
                page: "/docs/errors/dsail-unknown-function.md",
                title: "An unknown function",
                severity: Severity::Error,
                http_status: 422,
            },
            Self::Member => &Entry {
                word: "dsail/member",
                page: "/docs/errors/dsail-member.md",
                title: "A word outside the vocabulary",
                severity: Severity::Error,
                http_status: 422,
            },
            Self::VocabulariesDiffer => &Entry {
                word: "dsail/vocabularies-differ",
                page: "/docs/errors/dsail-vocabularies-differ.md",
                title: "Enums with different vocabularies",
                severity: Severity::Error,
                http_status: 422,
            },
            Self::Unordered => &Entry {
                word: "dsail/unordered",
                page: "/docs/errors/dsail-unordered.md",
                title: "An order comparison of an unordered enum",
                severity: Severity::Error,
                http_status: 422,
            },
            Self::CaseCoverage => &Entry {
                word: "dsail/case-coverage",
                page: "/docs/errors/dsail-case-coverage.md",
                title: "A CASE that leaves members out",
                severity: Severity::Error,
                http_status: 422,
            },
            Self::CaseArm => &Entry {
                word: "dsail/case-arm",
                page: "/docs/errors/dsail-case-arm.md",
                title: "A CASE arm that is never reached",
                severity: Severity::Error,
                http_status: 422,
            },
            Self::IfWithoutElse => &Entry {
                word: "dsail/if-without-else",
                page: "/docs/errors/dsail-if-without-else.md",
                title: "An IF without ELSE that is no truth value",
                severity: Severity::Error,
                http_status: 422,
            },
            Self::Set => &Entry {
                word: "dsail/set",
                page: "/docs/errors/dsail-set.md",
                title: "Something that is no set",
                severity: Severity::Error,
                http_status: 422,
            },
            Self::BareLiteral => &Entry {
                word: "dsail/bare-literal",
                page: "/docs/errors/dsail-bare-literal.md",
                title: "A quantity that meets a bare number",
                severity: Severity::Error,
                http_status: 422,
            },
            Self::MissingUnit => &Entry {
                word: "dsail/missing-unit",
                page: "/docs/errors/dsail-missing-unit.md",
                title: "A claim without a unit that meets a quantity",
                severity: Severity::Error,
                http_status: 422,
            },
            Self::Dimension => &Entry {
                word: "dsail/dimension",
                page: "/docs/errors/dsail-dimension.md",
                title: "Quantities of different dimensions",
                severity: Severity::Error,
                http_status: 422,
            },
            Self::UnitProduct => &Entry {
                word: "dsail/unit-product",
                page: "/docs/errors/dsail-unit-product.md",
                title: "A product of quantities",
                severity: Severity::Error,
                http_status: 422,
            },
            Self::AffineArithmetic => &Entry {
                word: "dsail/affine-arithmetic",
                page: "/docs/errors/dsail-affine-arithmetic.md",
                title: "Arithmetic on a scale with its own zero",
                severity: Severity::Error,
                http_status: 422,
            },
            Self::UnknownUnit => &Entry {
                word: "dsail/unknown-unit",
                page: "/docs/errors/dsail-unknown-unit.md",
                title: "A unit that no library knows",
                severity: Severity::Warning,
                http_status: 422,
            },
            Self::UnbridgedUnits => &Entry {
                word: "dsail/unbridged-units",
                page: "/docs/errors/dsail-unbridged-units.md",
                title: "Units that nothing converts",
                severity: Severity::Warning,
                http_status: 422,
            },
            Self::ZeroDivisor => &Entry {
                word: "dsail/zero-divisor",
                page: "/docs/errors/dsail-zero-divisor.md",
                title: "A division by zero",
                severity: Severity::Warning,
                http_status: 422,
            },
            Self::ConstantAssertion => &Entry {
                word: "dsail/constant-assertion",
                page: "/docs/errors/dsail-constant-assertion.md",
                title: "An assertion that reads no claim",
                severity: Severity::Warning,
                http_status: 422,
            },
            Self::Translation => &Entry {
                word: "dsail/translation",
                page: "/docs/errors/dsail-translation.md",
                title: "The solver does not accept the ruleset",
                severity: Severity::Error,
                http_status: 422,
            },
            Self::ValidationRejected => &Entry {
                word: "VALIDATION_REJECTED",
                page: "/docs/errors/validation-rejected.md",
                title: "The claim dictionary was refused",
                severity: Severity::Error,
                http_status: 422,
            },
            Self::CompileFailed => &Entry {
                word: "COMPILE_FAILED",
                page: "/docs/errors/compile-failed.md",
                title: "The ruleset does not compile",
                severity: Severity::Error,
                http_status: 422,
            },
            Self::BudgetExceeded => &Entry {
                word: "BUDGET_EXCEEDED",
                page: "/docs/errors/budget-exceeded.md",
                title: "A limit was exceeded",
                severity: Severity::Error,
                http_status: 413,
            },
            Self::RulesetNotFound => &Entry {
                word: "RULESET_NOT_FOUND",
                page: "/docs/errors/ruleset-not-found.md",
                title: "No such ruleset",
                severity: Severity::Error,
                http_status: 404,
            },
            Self::EngineError => &Entry {
                word: "ENGINE_ERROR",
                page: "/docs/errors/engine-error.md",
                title: "The engine failed",
                severity: Severity::Error,
                http_status: 500,
            },
            Self::EngineBusy => &Entry {
                word: "ENGINE_BUSY",
                page: "/docs/errors/engine-busy.md",
                title: "The engine is busy",
                severity: Severity::Error,
                http_status: 503,
            },
            Self::EngineInconclusive => &Entry {
                word: "ENGINE_INCONCLUSIVE",
                page: "/docs/errors/engine-inconclusive.md",
                title: "The solver ran out of time",
                severity: Severity::Error,
                http_status: 503,
            },
            Self::BadRequest => &Entry {
                word: "BAD_REQUEST",
                page: "/docs/errors/bad-request.md",
                title: "The request has the wrong shape",
                severity: Severity::Error,
                http_status: 400,
            },
            Self::CredentialRequired => &Entry {
                word: "CREDENTIAL_REQUIRED",
                page: "/docs/errors/credential-required.md",
                title: "A credential is needed",
                severity: Severity::Error,
                http_status: 401,
            },
            Self::CredentialInvalid => &Entry {
                word: "CREDENTIAL_INVALID",
                page: "/docs/errors/credential-invalid.md",
                title: "The credential is not accepted",
                severity: Severity::Error,
                http_status: 401,
            },
            Self::CredentialScope => &Entry {
                word: "CREDENTIAL_SCOPE",
                page: "/docs/errors/credential-scope.md",
                title: "The credential does not reach this far",
                severity: Severity::Error,
                http_status: 403,
            },
            Self::EntitlementExceeded => &Entry {
                word: "ENTITLEMENT_EXCEEDED",
                page: "/docs/errors/entitlement-exceeded.md",
                title: "The allowance is used up",
                severity: Severity::Error,
                http_status: 402,
            },
            Self::UnknownTool => &Entry {
                word: "UNKNOWN_TOOL",
                page: "/docs/errors/unknown-tool.md",
                title: "No such tool",
                severity: Severity::Error,
                http_status: 404,
            },
            Self::FacetDenied => &Entry {
                word: "FACET_DENIED",
                page: "/docs/errors/facet-denied.md",
                title: "The profile denies this kind of tool",
                severity: Severity::Error,
                http_status: 403,
            },
            Self::ToolSuspended => &Entry {
                word: "TOOL_SUSPENDED",
                page: "/docs/errors/tool-suspended.md",
                title: "The tool is stopped",
                severity: Severity::Error,
                http_status: 503,
            },
            Self::ToolDisabled => &Entry {
                word: "TOOL_DISABLED",
                page: "/docs/errors/tool-disabled.md",
                title: "The tool is out of use",
                severity: Severity::Error,
                http_status: 410,
            },
            Self::VersionUnavailable => &Entry {
                word: "VERSION_UNAVAILABLE",
                page: "/docs/errors/version-unavailable.md",
                title: "No version of the tool fits",
                severity: Severity::Error,
                http_status: 409,
            },
            Self::PermissionDenied => &Entry {
                word: "PERMISSION_DENIED",
                page: "/docs/errors/permission-denied.md",
                title: "A permission is missing",
                severity: Severity::Error,
                http_status: 403,
            },
            Self::RoleSessionRequired => &Entry {
                word: "ROLE_SESSION_REQUIRED",
                page: "/docs/errors/role-session-required.md",
                title: "The session is of another kind",
                severity: Severity::Error,
                http_status: 403,
            },
            Self::ScopeViolation => &Entry {
                word: "SCOPE_VIOLATION",
                page: "/docs/errors/scope-violation.md",
                title: "Nothing of yours has this id",
                severity: Severity::Error,
                http_status: 404,
            },
            Self::InputInvalid => &Entry {
                word: "INPUT_INVALID",
                page: "/docs/errors/input-invalid.md",
                title: "The arguments do not fit",
                severity: Severity::Error,
                http_status: 422,
            },
            Self::PrerequisiteMissing => &Entry {
                word: "PREREQUISITE_MISSING",
                page: "/docs/errors/prerequisite-missing.md",
                title: "A step before this one is missing",
                severity: Severity::Error,
                http_status: 428,
            },
            Self::PrerequisiteNotMet => &Entry {
                word: "PREREQUISITE_NOT_MET",
                page: "/docs/errors/prerequisite-not-met.md",
                title: "A step before this one stands in the way",
                severity: Severity::Error,
                http_status: 409,
            },
            Self::ApprovalRequired => &Entry {
                word: "APPROVAL_REQUIRED",
                page: "/docs/errors/approval-required.md",
                title: "More people have to agree",
                severity: Severity::Error,
                http_status: 428,
            },
            Self::ApprovalInvalid => &Entry {
                word: "APPROVAL_INVALID",
                page: "/docs/errors/approval-invalid.md",
                title: "What people said does not count",
                severity: Severity::Error,
                http_status: 403,
            },
            Self::ConfirmationRequired => &Entry {
                word: "CONFIRMATION_REQUIRED",
                page: "/docs/errors/confirmation-required.md",
                title: "The person has to confirm",
                severity: Severity::Error,
                http_status: 428,
            },
            Self::ConfirmationDeclined => &Entry {
                word: "CONFIRMATION_DECLINED",
                page: "/docs/errors/confirmation-declined.md",
                title: "The person did not want it",
                severity: Severity::Error,
                http_status: 409,
            },
            Self::ConfirmationUnavailable => &Entry {
                word: "CONFIRMATION_UNAVAILABLE",
                page: "/docs/errors/confirmation-unavailable.md",
                title: "Nobody can confirm here",
                severity: Severity::Error,
                http_status: 501,
            },
            Self::RateLimited => &Entry {
                word: "RATE_LIMITED",
                page: "/docs/errors/rate-limited.md",
                title: "Too many calls",
                severity: Severity::Error,
                http_status: 429,
            },
            Self::IdempotencyInFlight => &Entry {
                word: "IDEMPOTENCY_IN_FLIGHT",
                page: "/docs/errors/idempotency-in-flight.md",
                title: "The same call is under way",
                severity: Severity::Error,
                http_status: 409,
            },
            Self::IdempotencyMismatch => &Entry {
                word: "IDEMPOTENCY_MISMATCH",
                page: "/docs/errors/idempotency-mismatch.md",
                title: "The same key with other arguments",
                severity: Severity::Error,
                http_status: 422,
            },
            Self::IdempotencyUnknownOutcome => &Entry {
                word: "IDEMPOTENCY_UNKNOWN_OUTCOME",
                page: "/docs/errors/idempotency-unknown-outcome.md",
                title: "The end of the same call is not known",
                severity: Severity::Error,
                http_status: 409,
            },
            Self::ToolUnavailable => &Entry {
                word: "TOOL_UNAVAILABLE",
                page: "/docs/errors/tool-unavailable.md",
                title: "The server behind the tool cannot be reached",
                severity: Severity::Error,
                http_status: 503,
            },
            Self::ToolTimeout => &Entry {
                word: "TOOL_TIMEOUT",
                page: "/docs/errors/tool-timeout.md",
                title: "The server behind the tool took too long",
                severity: Severity::Error,
                http_status: 504,
            },
            Self::ToolFailed => &Entry {
                word: "TOOL_FAILED",
                page: "/docs/errors/tool-failed.md",
                title: "The server behind the tool failed",
                severity: Severity::Error,
                http_status: 502,
            },
            Self::OutcomeUnknown => &Entry {
                word: "OUTCOME_UNKNOWN",
                page: "/docs/errors/outcome-unknown.md",
                title: "Nobody knows what came of the call",
                severity: Severity::Error,
                http_status: 504,
            },
            Self::OutputInvalid => &Entry {
                word: "OUTPUT_INVALID",
                page: "/docs/errors/output-invalid.md",
                title: "The answer is not what the tool promises",
                severity: Severity::Error,
                http_status: 502,
            },
            Self::AuditUnavailable => &Entry {
                word: "AUDIT_UNAVAILABLE",
                page: "/docs/errors/audit-unavailable.md",
                title: "The call cannot be put on record",
                severity: Severity::Error,
                http_status: 503,
            },
            Self::NotFound => &Entry {
                word: "NOT_FOUND",
                page: "/docs/errors/not-found.md",
                title: "No such page, route, team or member",
                severity: Severity::Error,
                http_status: 404,
            },
            Self::MethodNotAllowed => &Entry {
                word: "METHOD_NOT_ALLOWED",
                page: "/docs/errors/method-not-allowed.md",
                title: "The route takes another method",
                severity: Severity::Error,
                http_status: 405,
            },
            Self::ForbiddenOrigin => &Entry {
                word: "FORBIDDEN_ORIGIN",
                page: "/docs/errors/forbidden-origin.md",
                title: "The Host or Origin is not allowed",
                severity: Severity::Error,
                http_status: 403,
            },
            Self::StoreUnavailable => &Entry {
                word: "STORE_UNAVAILABLE",
                page: "/docs/errors/store-unavailable.md",
                title: "The store does not answer",
                severity: Severity::Error,
                http_status: 503,
            },
            Self::CallCancelled => &Entry {
                word: "CALL_CANCELLED",
                page: "/docs/errors/call-cancelled.md",
                title: "The call was cancelled",
                severity: Severity::Error,
                http_status: 499,
            },
            Self::Internal => &Entry {
                word: "INTERNAL",
                page: "/docs/errors/internal.md",
                title: "An internal fault",
                severity: Severity::Error,
                http_status: 500,
            },
        }
    }
}
