//! What a numeric claim was worth, for the record of a check.

use assay_base::canonical::Slot;

use crate::ir::{Ruleset, Unit, VariableId};
use crate::units::Conversion;

/// What a numeric claim was worth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quantity {
    /// The claim.
    pub variable: VariableId,
    /// The value as it was submitted, without the quotes and escapes of a string.
    pub submitted: Box<str>,
    /// How many bytes of `submitted` are the number; a unit may follow.
    pub(super) numeral_bytes: usize,
    /// The unit that the value came in, where it has one.
    pub unit: Option<Unit>,
    /// How the value came into the declared unit, where it was submitted in another.
    pub arrival: Option<Arrival>,
}

/// How a value in one unit came into another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Arrival {
    /// By an exact conversion.
    Convertible(Conversion),
    /// Not at all: only an interval leads there.
    Ambiguous,
    /// Not at all: nothing leads there.
    NoPath,
}

impl Arrival {
    /// The word on the wire, which is also that of the unit library.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Convertible(_) => "convertible",
            Self::Ambiguous => "ambiguous",
            Self::NoPath => "no_path",
        }
    }
}

impl Quantity {
    /// The literal of the language that the value became, in the unit that it came in: `42`, or
    /// `6000 "USD"`. The digits are those that were submitted.
    #[must_use]
    pub fn bound(&self) -> String {
        let numeral = self.submitted.get(..self.numeral_bytes).unwrap_or_default();
        match &self.unit {
            Some(unit) => format!("{numeral} \"{unit}\""),
            None => numeral.to_owned(),
        }
    }

    /// Writes `{bound, claim, conversion?, measured_in, submitted}`. The conversion is
    /// `{by, factor?, from, offset?, status, to}`, with an offset for scales that have a zero of
    /// their own.
    pub fn write(&self, slot: Slot<'_>, ruleset: &Ruleset) {
        let claim = ruleset.claim(self.variable);
        let declared = claim.and_then(|it| it.unit.as_ref()).map(Unit::symbol);
        slot.object(|object| {
            object.key("bound").string(&self.bound());
            object.key("claim").string(claim.map_or("", |it| &it.name));
            if let Some(arrival) = &self.arrival {
                self.write_arrival(object.key("conversion"), arrival, declared);
            }
            object.key("measured_in").optional_string(declared);
            object.key("submitted").string(&self.submitted);
        });
    }

    fn write_arrival(&self, slot: Slot<'_>, arrival: &Arrival, declared: Option<&str>) {
        slot.object(|object| {
            object.key("by").string("engine");
            let conversion = match arrival {
                Arrival::Convertible(conversion) => Some(conversion),
                Arrival::Ambiguous | Arrival::NoPath => None,
            };
            if let Some(conversion) = conversion {
                object.key("factor").number(&conversion.factor);
            }
            object.key("from").string(self.unit.as_ref().map_or("", Unit::symbol));
            if let Some(conversion) = conversion.filter(|it| !it.offset.is_zero()) {
                object.key("offset").number(&conversion.offset);
            }
            object.key("status").string(arrival.word());
            object.key("to").string(declared.unwrap_or_default());
        });
    }
}
