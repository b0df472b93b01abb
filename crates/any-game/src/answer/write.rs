//! Serializers for the engine's types.

use super::ProofNumbers;
use proofwood::internals::{Counters, Fixed};
use proofwood::options::Source;
use proofwood::{Algorithm, Bounds, Expected, Goal, ProofGoal, StopReason, Value, Verdict};
use serde::{Serialize, Serializer};
use std::time::Duration;

pub(super) fn text<S: Serializer>(text: &impl AsRef<str>, to: S) -> Result<S::Ok, S::Error> {
    Some(text.as_ref()).filter(|text| !text.is_empty()).serialize(to)
}

pub(super) trait Named {
    /// Returns the name to write; `None` is written as null.
    fn name(&self) -> Option<&'static str>;
}

macro_rules! named {
    ($($Type:ident)+) => {
        $(impl Named for $Type {
            fn name(&self) -> Option<&'static str> {
                Some($Type::name(*self))
            }
        })+
    };
}

named!(Algorithm ProofGoal Source StopReason Value);

impl Named for Goal {
    fn name(&self) -> Option<&'static str> {
        Named::name(&ProofGoal::from(*self))
    }
}

impl Named for Verdict {
    fn name(&self) -> Option<&'static str> {
        Some(match self {
            Verdict::Proven => "proven",
            Verdict::Disproven => "disproven",
        })
    }
}

impl<T: Named> Named for Option<T> {
    fn name(&self) -> Option<&'static str> {
        self.as_ref()?.name()
    }
}

pub(super) fn named<S: Serializer>(value: &impl Named, to: S) -> Result<S::Ok, S::Error> {
    value.name().serialize(to)
}

/// Writes the lower and the upper bound as a list.
pub(super) fn bounds<S: Serializer>(bounds: &Bounds, to: S) -> Result<S::Ok, S::Error> {
    [bounds.lower, bounds.upper].serialize(to)
}

#[derive(Serialize)]
struct ExpectedAnswer {
    /// The lower bound; null if unknown.
    lower: Option<f64>,
    /// The upper bound; null if unknown.
    upper: Option<f64>,
    /// Whether the bounds are equal.
    exact: bool,
    /// Whether the bounds are final and differ only by rounding.
    rounded: bool,
}

impl From<Expected> for ExpectedAnswer {
    fn from(expected: Expected) -> ExpectedAnswer {
        let end = |end: Option<Fixed>, above| end.map(|end| end.to_f64_outward(above));
        ExpectedAnswer {
            lower: end(expected.lower, false),
            upper: end(expected.upper, true),
            exact: expected.exact().is_some(),
            rounded: expected.rounded,
        }
    }
}

pub(super) fn expected<S: Serializer>(
    expected: &Option<Expected>,
    to: S,
) -> Result<S::Ok, S::Error> {
    expected.map(ExpectedAnswer::from).serialize(to)
}

/// A proof number: a whole number, `"inf"`, or null if it is not counted.
#[derive(Serialize)]
#[serde(untagged)]
enum Number {
    Finite(u32),
    Infinite(&'static str),
    NotCounted,
}

impl Serialize for ProofNumbers {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.iter().map(|number| match number.get() {
            None => Number::Infinite("inf"),
            Some(number) if self.counted || number == 0 => Number::Finite(number),
            Some(_) => Number::NotCounted,
        }))
    }
}

pub(super) fn seconds<S: Serializer>(time: &Duration, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_f64(time.as_secs_f64())
}

pub(super) fn counters<S: Serializer>(
    counters: &Option<Counters>,
    to: S,
) -> Result<S::Ok, S::Error> {
    let counts = counters.iter().flat_map(Counters::iter);
    to.collect_map(counts.map(|(name, _, times)| (name, times)))
}
