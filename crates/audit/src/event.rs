//! What an entry may tell of: two closed lists.

/// Defines a closed list with the word of each member.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$member_doc:meta])* $member:ident = $word:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum $name { $($(#[$member_doc])* $member,)+ }

        impl $name {
            /// Every member, in the order of the list.
            pub const ALL: &[Self] = &[$(Self::$member,)+];

            /// The word that stands in the log.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $(Self::$member => $word,)+ }
            }
        }
    };
}

words! {
    /// What happened.
    Event {
        /// A call that was let through has ended.
        ToolInvoked = "tool.invoked",
        /// A call was refused.
        ToolDenied = "tool.denied",
        /// A call with side effects is about to leave; durable before it does.
        ToolDispatching = "tool.dispatching",
        /// The end of a call became known after the fact.
        ToolReconciled = "tool.reconciled",
        /// Somebody asked for an approval.
        ApprovalRequested = "approval.requested",
        /// An approval was given.
        ApprovalGranted = "approval.granted",
        /// An approval was refused.
        ApprovalDenied = "approval.denied",
        /// A call used up what people had said to it.
        ApprovalConsumed = "approval.consumed",
        /// An approval ended unused.
        ApprovalExpired = "approval.expired",
        /// A person confirmed an action.
        ActionConfirmed = "action.confirmed",
        /// A person declined an action.
        ActionDeclined = "action.declined",
        /// A registry came into force.
        SnapshotLoaded = "registry.snapshot.loaded",
        /// A registry was refused.
        SnapshotRefused = "registry.snapshot.refused",
        /// A tool was switched off.
        KillSet = "registry.kill.set",
        /// A tool was switched on again.
        KillCleared = "registry.kill.cleared",
        /// The first of two people asked for a tool to be switched on again.
        KillLiftAsked = "registry.kill.lift_asked",
        /// A checkpoint was signed.
        Checkpoint = "audit.checkpoint",
        /// Fields could not be sanitised, so the entry goes without them.
        RedactionFailed = "audit.redaction.failed",
    }
}

words! {
    /// How it ended.
    Outcome {
        /// As asked.
        Success = "success",
        /// Not at all.
        Failure = "failure",
        /// In part.
        Partial = "partial",
    }
}
