//! Every page of `docs/`.
//!
//! Generated from `docs/` by `cargo xtask generate`. Do not edit.

use super::Page;

/// Every page in the order of the paths.
pub const PAGES: &[Page] = &[
    Page {
        path: "/docs/architecture.md",
        title: "Architecture",
        text: include_str!("../../../../docs/architecture.md"),
    },
    Page {
        path: "/docs/audit.md",
        title: "The audit log",
        text: include_str!("../../../../docs/audit.md"),
    },
    Page {
        path: "/docs/callers.md",
        title: "Who calls, and what they may do",
        text: include_str!("../../../../docs/callers.md"),
    },
    Page {
        path: "/docs/effects.md",
        title: "What each tool does to the world",
        text: include_str!("../../../../docs/effects.md"),
    },
    Page {
        path: "/docs/errors/README.md",
        title: "Codes",
        text: include_str!("../../../../docs/errors/README.md"),
    },
    Page {
        path: "/docs/errors/approval-invalid.md",
        title: "What people said does not count",
        text: include_str!("../../../../docs/errors/approval-invalid.md"),
    },
    Page {
        path: "/docs/errors/approval-required.md",
        title: "More people have to agree",
        text: include_str!("../../../../docs/errors/approval-required.md"),
    },
    Page {
        path: "/docs/errors/audit-unavailable.md",
        title: "The call cannot be put on record",
        text: include_str!("../../../../docs/errors/audit-unavailable.md"),
    },
    Page {
        path: "/docs/errors/bad-request.md",
        title: "The request has the wrong shape",
        text: include_str!("../../../../docs/errors/bad-request.md"),
    },
    Page {
        path: "/docs/errors/budget-exceeded.md",
        title: "A limit was exceeded",
        text: include_str!("../../../../docs/errors/budget-exceeded.md"),
    },
    Page {
        path: "/docs/errors/call-cancelled.md",
        title: "The call was cancelled",
        text: include_str!("../../../../docs/errors/call-cancelled.md"),
    },
    Page {
        path: "/docs/errors/compile-failed.md",
        title: "The ruleset does not compile",
        text: include_str!("../../../../docs/errors/compile-failed.md"),
    },
    Page {
        path: "/docs/errors/confirmation-declined.md",
        title: "The person did not want it",
        text: include_str!("../../../../docs/errors/confirmation-declined.md"),
    },
    Page {
        path: "/docs/errors/confirmation-required.md",
        title: "The person has to confirm",
        text: include_str!("../../../../docs/errors/confirmation-required.md"),
    },
    Page {
        path: "/docs/errors/confirmation-unavailable.md",
        title: "Nobody can confirm here",
        text: include_str!("../../../../docs/errors/confirmation-unavailable.md"),
    },
    Page {
        path: "/docs/errors/credential-invalid.md",
        title: "The credential is not accepted",
        text: include_str!("../../../../docs/errors/credential-invalid.md"),
    },
    Page {
        path: "/docs/errors/credential-required.md",
        title: "A credential is needed",
        text: include_str!("../../../../docs/errors/credential-required.md"),
    },
    Page {
        path: "/docs/errors/credential-scope.md",
        title: "The credential does not reach this far",
        text: include_str!("../../../../docs/errors/credential-scope.md"),
    },
    Page {
        path: "/docs/errors/dsail-affine-arithmetic.md",
        title: "Arithmetic on a scale with its own zero",
        text: include_str!("../../../../docs/errors/dsail-affine-arithmetic.md"),
    },
    Page {
        path: "/docs/errors/dsail-annotation-claim.md",
        title: "An annotation for no claim",
        text: include_str!("../../../../docs/errors/dsail-annotation-claim.md"),
    },
    Page {
        path: "/docs/errors/dsail-annotation-duplicate.md",
        title: "A second annotation of the same kind",
        text: include_str!("../../../../docs/errors/dsail-annotation-duplicate.md"),
    },
    Page {
        path: "/docs/errors/dsail-annotation-tag.md",
        title: "An unknown annotation",
        text: include_str!("../../../../docs/errors/dsail-annotation-tag.md"),
    },
    Page {
        path: "/docs/errors/dsail-annotation-text.md",
        title: "An annotation without its text",
        text: include_str!("../../../../docs/errors/dsail-annotation-text.md"),
    },
    Page {
        path: "/docs/errors/dsail-annotation-type.md",
        title: "An annotation for numbers on another type",
        text: include_str!("../../../../docs/errors/dsail-annotation-type.md"),
    },
    Page {
        path: "/docs/errors/dsail-arity.md",
        title: "The wrong number of arguments",
        text: include_str!("../../../../docs/errors/dsail-arity.md"),
    },
    Page {
        path: "/docs/errors/dsail-bare-literal.md",
        title: "A quantity that meets a bare number",
        text: include_str!("../../../../docs/errors/dsail-bare-literal.md"),
    },
    Page {
        path: "/docs/errors/dsail-bare-unit.md",
        title: "A unit without quotes",
        text: include_str!("../../../../docs/errors/dsail-bare-unit.md"),
    },
    Page {
        path: "/docs/errors/dsail-case-arm.md",
        title: "A CASE arm that is never reached",
        text: include_str!("../../../../docs/errors/dsail-case-arm.md"),
    },
    Page {
        path: "/docs/errors/dsail-case-coverage.md",
        title: "A CASE that leaves members out",
        text: include_str!("../../../../docs/errors/dsail-case-coverage.md"),
    },
    Page {
        path: "/docs/errors/dsail-chained-comparison.md",
        title: "Comparisons in a chain",
        text: include_str!("../../../../docs/errors/dsail-chained-comparison.md"),
    },
    Page {
        path: "/docs/errors/dsail-character.md",
        title: "A character that the language does not use",
        text: include_str!("../../../../docs/errors/dsail-character.md"),
    },
    Page {
        path: "/docs/errors/dsail-circular-let.md",
        title: "A definition that needs itself",
        text: include_str!("../../../../docs/errors/dsail-circular-let.md"),
    },
    Page {
        path: "/docs/errors/dsail-constant-assertion.md",
        title: "An assertion that reads no claim",
        text: include_str!("../../../../docs/errors/dsail-constant-assertion.md"),
    },
    Page {
        path: "/docs/errors/dsail-description.md",
        title: "An assertion without a description",
        text: include_str!("../../../../docs/errors/dsail-description.md"),
    },
    Page {
        path: "/docs/errors/dsail-dimension.md",
        title: "Quantities of different dimensions",
        text: include_str!("../../../../docs/errors/dsail-dimension.md"),
    },
    Page {
        path: "/docs/errors/dsail-duplicate-member.md",
        title: "An enum member that is listed twice",
        text: include_str!("../../../../docs/errors/dsail-duplicate-member.md"),
    },
    Page {
        path: "/docs/errors/dsail-duplicate-name.md",
        title: "A name that is declared twice",
        text: include_str!("../../../../docs/errors/dsail-duplicate-name.md"),
    },
    Page {
        path: "/docs/errors/dsail-identifier-length.md",
        title: "A name that is too long",
        text: include_str!("../../../../docs/errors/dsail-identifier-length.md"),
    },
    Page {
        path: "/docs/errors/dsail-if-without-else.md",
        title: "An IF without ELSE that is no truth value",
        text: include_str!("../../../../docs/errors/dsail-if-without-else.md"),
    },
    Page {
        path: "/docs/errors/dsail-infix-logic.md",
        title: "Logic between operands",
        text: include_str!("../../../../docs/errors/dsail-infix-logic.md"),
    },
    Page {
        path: "/docs/errors/dsail-let.md",
        title: "A binding that is not allowed",
        text: include_str!("../../../../docs/errors/dsail-let.md"),
    },
    Page {
        path: "/docs/errors/dsail-member.md",
        title: "A word outside the vocabulary",
        text: include_str!("../../../../docs/errors/dsail-member.md"),
    },
    Page {
        path: "/docs/errors/dsail-missing-semicolon.md",
        title: "A statement without its semicolon",
        text: include_str!("../../../../docs/errors/dsail-missing-semicolon.md"),
    },
    Page {
        path: "/docs/errors/dsail-missing-unit.md",
        title: "A claim without a unit that meets a quantity",
        text: include_str!("../../../../docs/errors/dsail-missing-unit.md"),
    },
    Page {
        path: "/docs/errors/dsail-mixed-script.md",
        title: "A name that mixes alphabets",
        text: include_str!("../../../../docs/errors/dsail-mixed-script.md"),
    },
    Page {
        path: "/docs/errors/dsail-nesting.md",
        title: "Nesting that is too deep",
        text: include_str!("../../../../docs/errors/dsail-nesting.md"),
    },
    Page {
        path: "/docs/errors/dsail-no-assertion.md",
        title: "A ruleset without assertions",
        text: include_str!("../../../../docs/errors/dsail-no-assertion.md"),
    },
    Page {
        path: "/docs/errors/dsail-numeral.md",
        title: "A malformed number",
        text: include_str!("../../../../docs/errors/dsail-numeral.md"),
    },
    Page {
        path: "/docs/errors/dsail-policy.md",
        title: "An unknown policy",
        text: include_str!("../../../../docs/errors/dsail-policy.md"),
    },
    Page {
        path: "/docs/errors/dsail-range.md",
        title: "A malformed range",
        text: include_str!("../../../../docs/errors/dsail-range.md"),
    },
    Page {
        path: "/docs/errors/dsail-removed-annotation.md",
        title: "An annotation that does not exist any more",
        text: include_str!("../../../../docs/errors/dsail-removed-annotation.md"),
    },
    Page {
        path: "/docs/errors/dsail-reserved-name.md",
        title: "A reserved name",
        text: include_str!("../../../../docs/errors/dsail-reserved-name.md"),
    },
    Page {
        path: "/docs/errors/dsail-set.md",
        title: "Something that is no set",
        text: include_str!("../../../../docs/errors/dsail-set.md"),
    },
    Page {
        path: "/docs/errors/dsail-single-equals.md",
        title: "A single equals sign",
        text: include_str!("../../../../docs/errors/dsail-single-equals.md"),
    },
    Page {
        path: "/docs/errors/dsail-string-character.md",
        title: "A character that a string may not hold",
        text: include_str!("../../../../docs/errors/dsail-string-character.md"),
    },
    Page {
        path: "/docs/errors/dsail-string-length.md",
        title: "A string that is too long",
        text: include_str!("../../../../docs/errors/dsail-string-length.md"),
    },
    Page {
        path: "/docs/errors/dsail-syntax.md",
        title: "Something else was expected here",
        text: include_str!("../../../../docs/errors/dsail-syntax.md"),
    },
    Page {
        path: "/docs/errors/dsail-translation.md",
        title: "The solver does not accept the ruleset",
        text: include_str!("../../../../docs/errors/dsail-translation.md"),
    },
    Page {
        path: "/docs/errors/dsail-type.md",
        title: "A value of the wrong type",
        text: include_str!("../../../../docs/errors/dsail-type.md"),
    },
    Page {
        path: "/docs/errors/dsail-unbound-local.md",
        title: "A local name without a definition",
        text: include_str!("../../../../docs/errors/dsail-unbound-local.md"),
    },
    Page {
        path: "/docs/errors/dsail-unbridged-units.md",
        title: "Units that nothing converts",
        text: include_str!("../../../../docs/errors/dsail-unbridged-units.md"),
    },
    Page {
        path: "/docs/errors/dsail-undefined.md",
        title: "An undefined variable",
        text: include_str!("../../../../docs/errors/dsail-undefined.md"),
    },
    Page {
        path: "/docs/errors/dsail-unit-product.md",
        title: "A product of quantities",
        text: include_str!("../../../../docs/errors/dsail-unit-product.md"),
    },
    Page {
        path: "/docs/errors/dsail-unknown-function.md",
        title: "An unknown function",
        text: include_str!("../../../../docs/errors/dsail-unknown-function.md"),
    },
    Page {
        path: "/docs/errors/dsail-unknown-unit.md",
        title: "A unit that no library knows",
        text: include_str!("../../../../docs/errors/dsail-unknown-unit.md"),
    },
    Page {
        path: "/docs/errors/dsail-unordered.md",
        title: "An order comparison of an unordered enum",
        text: include_str!("../../../../docs/errors/dsail-unordered.md"),
    },
    Page {
        path: "/docs/errors/dsail-unterminated-string.md",
        title: "A string that does not end",
        text: include_str!("../../../../docs/errors/dsail-unterminated-string.md"),
    },
    Page {
        path: "/docs/errors/dsail-unused-claim.md",
        title: "A claim that no assertion reads",
        text: include_str!("../../../../docs/errors/dsail-unused-claim.md"),
    },
    Page {
        path: "/docs/errors/dsail-version.md",
        title: "A language version that is not supported",
        text: include_str!("../../../../docs/errors/dsail-version.md"),
    },
    Page {
        path: "/docs/errors/dsail-vocabularies-differ.md",
        title: "Enums with different vocabularies",
        text: include_str!("../../../../docs/errors/dsail-vocabularies-differ.md"),
    },
    Page {
        path: "/docs/errors/dsail-zero-divisor.md",
        title: "A division by zero",
        text: include_str!("../../../../docs/errors/dsail-zero-divisor.md"),
    },
    Page {
        path: "/docs/errors/engine-busy.md",
        title: "The engine is busy",
        text: include_str!("../../../../docs/errors/engine-busy.md"),
    },
    Page {
        path: "/docs/errors/engine-error.md",
        title: "The engine failed",
        text: include_str!("../../../../docs/errors/engine-error.md"),
    },
    Page {
        path: "/docs/errors/engine-inconclusive.md",
        title: "The solver ran out of time",
        text: include_str!("../../../../docs/errors/engine-inconclusive.md"),
    },
    Page {
        path: "/docs/errors/entitlement-exceeded.md",
        title: "The allowance is used up",
        text: include_str!("../../../../docs/errors/entitlement-exceeded.md"),
    },
    Page {
        path: "/docs/errors/facet-denied.md",
        title: "The profile denies this kind of tool",
        text: include_str!("../../../../docs/errors/facet-denied.md"),
    },
    Page {
        path: "/docs/errors/forbidden-origin.md",
        title: "The Host or Origin is not allowed",
        text: include_str!("../../../../docs/errors/forbidden-origin.md"),
    },
    Page {
        path: "/docs/errors/idempotency-in-flight.md",
        title: "The same call is under way",
        text: include_str!("../../../../docs/errors/idempotency-in-flight.md"),
    },
    Page {
        path: "/docs/errors/idempotency-mismatch.md",
        title: "The same key with other arguments",
        text: include_str!("../../../../docs/errors/idempotency-mismatch.md"),
    },
    Page {
        path: "/docs/errors/idempotency-unknown-outcome.md",
        title: "The end of the same call is not known",
        text: include_str!("../../../../docs/errors/idempotency-unknown-outcome.md"),
    },
    Page {
        path: "/docs/errors/input-invalid.md",
        title: "The arguments do not fit",
        text: include_str!("../../../../docs/errors/input-invalid.md"),
    },
    Page {
        path: "/docs/errors/internal.md",
        title: "An internal fault",
        text: include_str!("../../../../docs/errors/internal.md"),
    },
    Page {
        path: "/docs/errors/method-not-allowed.md",
        title: "The route takes another method",
        text: include_str!("../../../../docs/errors/method-not-allowed.md"),
    },
    Page {
        path: "/docs/errors/not-found.md",
        title: "No such page, route, team or member",
        text: include_str!("../../../../docs/errors/not-found.md"),
    },
    Page {
        path: "/docs/errors/outcome-unknown.md",
        title: "Nobody knows what came of the call",
        text: include_str!("../../../../docs/errors/outcome-unknown.md"),
    },
    Page {
        path: "/docs/errors/output-invalid.md",
        title: "The answer is not what the tool promises",
        text: include_str!("../../../../docs/errors/output-invalid.md"),
    },
    Page {
        path: "/docs/errors/permission-denied.md",
        title: "A permission is missing",
        text: include_str!("../../../../docs/errors/permission-denied.md"),
    },
    Page {
        path: "/docs/errors/prerequisite-missing.md",
        title: "A step before this one is missing",
        text: include_str!("../../../../docs/errors/prerequisite-missing.md"),
    },
    Page {
        path: "/docs/errors/prerequisite-not-met.md",
        title: "A step before this one stands in the way",
        text: include_str!("../../../../docs/errors/prerequisite-not-met.md"),
    },
    Page {
        path: "/docs/errors/rate-limited.md",
        title: "Too many calls",
        text: include_str!("../../../../docs/errors/rate-limited.md"),
    },
    Page {
        path: "/docs/errors/role-session-required.md",
        title: "The session is of another kind",
        text: include_str!("../../../../docs/errors/role-session-required.md"),
    },
    Page {
        path: "/docs/errors/ruleset-not-found.md",
        title: "No such ruleset",
        text: include_str!("../../../../docs/errors/ruleset-not-found.md"),
    },
    Page {
        path: "/docs/errors/scope-violation.md",
        title: "Nothing of yours has this id",
        text: include_str!("../../../../docs/errors/scope-violation.md"),
    },
    Page {
        path: "/docs/errors/store-unavailable.md",
        title: "The store does not answer",
        text: include_str!("../../../../docs/errors/store-unavailable.md"),
    },
    Page {
        path: "/docs/errors/tool-disabled.md",
        title: "The tool is out of use",
        text: include_str!("../../../../docs/errors/tool-disabled.md"),
    },
    Page {
        path: "/docs/errors/tool-failed.md",
        title: "The server behind the tool failed",
        text: include_str!("../../../../docs/errors/tool-failed.md"),
    },
    Page {
        path: "/docs/errors/tool-suspended.md",
        title: "The tool is stopped",
        text: include_str!("../../../../docs/errors/tool-suspended.md"),
    },
    Page {
        path: "/docs/errors/tool-timeout.md",
        title: "The server behind the tool took too long",
        text: include_str!("../../../../docs/errors/tool-timeout.md"),
    },
    Page {
        path: "/docs/errors/tool-unavailable.md",
        title: "The server behind the tool cannot be reached",
        text: include_str!("../../../../docs/errors/tool-unavailable.md"),
    },
    Page {
        path: "/docs/errors/unknown-tool.md",
        title: "No such tool",
        text: include_str!("../../../../docs/errors/unknown-tool.md"),
    },
    Page {
        path: "/docs/errors/validation-rejected.md",
        title: "The claim dictionary was refused",
        text: include_str!("../../../../docs/errors/validation-rejected.md"),
    },
    Page {
        path: "/docs/errors/version-unavailable.md",
        title: "No version of the tool fits",
        text: include_str!("../../../../docs/errors/version-unavailable.md"),
    },
    Page {
        path: "/docs/governance.md",
        title: "Tools of other servers, behind the gate",
        text: include_str!("../../../../docs/governance.md"),
    },
    Page {
        path: "/docs/language.md",
        title: "DSAIL 1.3 in one page",
        text: include_str!("../../../../docs/language.md"),
    },
    Page {
        path: "/docs/profiles.md",
        title: "Profiles",
        text: include_str!("../../../../docs/profiles.md"),
    },
    Page {
        path: "/docs/review.md",
        title: "The review",
        text: include_str!("../../../../docs/review.md"),
    },
    Page {
        path: "/docs/settings.md",
        title: "Settings",
        text: include_str!("../../../../docs/settings.md"),
    },
    Page {
        path: "/docs/tools/dsail_add_unit_converter.md",
        title: "Add or replace a unit converter",
        text: include_str!("../../../../docs/tools/dsail_add_unit_converter.md"),
    },
    Page {
        path: "/docs/tools/dsail_check.md",
        title: "Check claim values against a ruleset",
        text: include_str!("../../../../docs/tools/dsail_check.md"),
    },
    Page {
        path: "/docs/tools/dsail_compile.md",
        title: "Compile a policy into a ruleset",
        text: include_str!("../../../../docs/tools/dsail_compile.md"),
    },
    Page {
        path: "/docs/tools/dsail_copy_ruleset.md",
        title: "Copy a ruleset to another workspace",
        text: include_str!("../../../../docs/tools/dsail_copy_ruleset.md"),
    },
    Page {
        path: "/docs/tools/dsail_create_team.md",
        title: "Create a team",
        text: include_str!("../../../../docs/tools/dsail_create_team.md"),
    },
    Page {
        path: "/docs/tools/dsail_get_account_status.md",
        title: "Get the account's status",
        text: include_str!("../../../../docs/tools/dsail_get_account_status.md"),
    },
    Page {
        path: "/docs/tools/dsail_get_prompt_pack.md",
        title: "Get the extraction prompts of a ruleset",
        text: include_str!("../../../../docs/tools/dsail_get_prompt_pack.md"),
    },
    Page {
        path: "/docs/tools/dsail_invite_to_team.md",
        title: "Invite a person to a team",
        text: include_str!("../../../../docs/tools/dsail_invite_to_team.md"),
    },
    Page {
        path: "/docs/tools/dsail_issue_api_key.md",
        title: "Issue an API key",
        text: include_str!("../../../../docs/tools/dsail_issue_api_key.md"),
    },
    Page {
        path: "/docs/tools/dsail_list_rulesets.md",
        title: "List saved rulesets",
        text: include_str!("../../../../docs/tools/dsail_list_rulesets.md"),
    },
    Page {
        path: "/docs/tools/dsail_list_workspaces.md",
        title: "List workspaces",
        text: include_str!("../../../../docs/tools/dsail_list_workspaces.md"),
    },
    Page {
        path: "/docs/tools/dsail_load_ruleset.md",
        title: "Load a saved ruleset",
        text: include_str!("../../../../docs/tools/dsail_load_ruleset.md"),
    },
    Page {
        path: "/docs/tools/dsail_record_approval.md",
        title: "Record a person's approval of a ruleset",
        text: include_str!("../../../../docs/tools/dsail_record_approval.md"),
    },
    Page {
        path: "/docs/tools/dsail_remove_from_team.md",
        title: "Remove a member from a team",
        text: include_str!("../../../../docs/tools/dsail_remove_from_team.md"),
    },
    Page {
        path: "/docs/tools/dsail_review.md",
        title: "Review a ruleset",
        text: include_str!("../../../../docs/tools/dsail_review.md"),
    },
    Page {
        path: "/docs/tools/dsail_save_ruleset.md",
        title: "Save a ruleset under a name",
        text: include_str!("../../../../docs/tools/dsail_save_ruleset.md"),
    },
    Page {
        path: "/docs/tools/dsail_set_team_role.md",
        title: "Change a member's role in a team",
        text: include_str!("../../../../docs/tools/dsail_set_team_role.md"),
    },
    Page {
        path: "/docs/tools/dsail_team_members.md",
        title: "List the members of a team",
        text: include_str!("../../../../docs/tools/dsail_team_members.md"),
    },
    Page {
        path: "/docs/tools/dsail_unit_library.md",
        title: "Look up units and conversions",
        text: include_str!("../../../../docs/tools/dsail_unit_library.md"),
    },
    Page {
        path: "/docs/tools/dsail_use_workspace.md",
        title: "Switch to another workspace",
        text: include_str!("../../../../docs/tools/dsail_use_workspace.md"),
    },
];
