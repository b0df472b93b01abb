//! Tables of options, and the domains of their values.
//!
//! A table states each option of a configuration once: field, builder method, default, domain and
//! help. The command line, its help, and the random configurations of the stress test are generated
//! from the rows.

use crate::error::ConfigError;
use std::fmt::{self, Display};
use std::ops::{Bound, RangeBounds};
use std::str::FromStr;

/// A row of a table of options, such as [`OPTIONS`](super::OPTIONS) or
/// [`PROVER_OPTIONS`](super::PROVER_OPTIONS). `C` is the type of the configuration.
#[non_exhaustive]
pub struct OptionSpec<C: 'static> {
    /// The option's name on the command line, in kebab case.
    pub name: &'static str,
    /// The option's effect, in one sentence.
    pub help: &'static str,
    /// Further help, which may be empty.
    pub more: &'static str,
    /// Reads a value into a configuration.
    pub set: fn(&mut C, &str) -> Result<(), ConfigError>,
    /// Writes the value in a configuration in the form that `set` reads.
    pub get: fn(&C) -> String,
    pub(super) values: fn() -> OptionValues,
    pub(super) check: fn(&C) -> Result<(), ConfigError>,
    /// The default in words, if it depends on the machine or the game.
    pub(super) usual: Option<&'static str>,
}

impl<C: Default> OptionSpec<C> {
    /// Returns the domain of the option's values.
    pub fn values(&self) -> OptionValues {
        (self.values)()
    }

    /// Returns the default value as shown to users: as `set` reads it, or in words if it varies.
    pub fn default_value(&self) -> String {
        self.usual.map_or_else(|| (self.get)(&C::default()), str::to_string)
    }
}

impl<C> fmt::Debug for OptionSpec<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "--{} {}", self.name, (self.values)())
    }
}

/// The domain of an option's values, which is displayed in the form used by the program's help.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum OptionValues {
    /// One of these words.
    Words(Vec<&'static str>),
    /// A whole number between two bounds.
    Whole(Bound<i128>, Bound<i128>),
    /// A finite number between two bounds.
    Number(Bound<f64>, Bound<f64>),
    /// A number of bytes between two bounds. The number may be followed by a unit ([`read_bytes`]).
    Bytes(Bound<u64>, Bound<u64>),
    /// One of these words, or a file whose name has this ending.
    WordsOrFile(Vec<&'static str>, &'static str),
}

impl OptionValues {
    pub(super) fn expected(&self) -> String {
        match self {
            OptionValues::Words(words) if words[..] == ["on", "off"] => "on or off".into(),
            OptionValues::Words(words) => format!("one of {}", words.join(", ")),
            OptionValues::Whole(low, high) => number(&range(low, high, " and ")),
            OptionValues::Number(low, high) => number(&range(low, high, " and ")),
            OptionValues::Bytes(low, high) => {
                let range = bytes_range(*low, *high);
                format!("a number of bytes such as 64M or 2G, {range}")
            }
            OptionValues::WordsOrFile(words, ending) => {
                format!("one of {}, or a *{ending} file", words.join(", "))
            }
        }
    }
}

fn number(range: &str) -> String {
    let joint = match range.split(' ').next() {
        Some("at") => "of ",
        Some("greater" | "less") => "",
        _ => "from ",
    };
    format!("a number {joint}{range}")
}

impl Display for OptionValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionValues::Words(words) => f.write_str(&words.join(" | ")),
            OptionValues::Whole(low, high) => f.write_str(&range(low, high, ", ")),
            OptionValues::Number(low, high) => f.write_str(&range(low, high, ", ")),
            OptionValues::Bytes(low, high) => {
                let range = bytes_range(*low, *high);
                write!(f, "a number of bytes, optionally followed by K, M, G or T; {range}")
            }
            OptionValues::WordsOrFile(words, ending) => {
                write!(f, "{} | FILE{ending}", words.join(" | "))
            }
        }
    }
}

/// Writes two bounds in words, such as `1 to 3`, `at least 1`, or `greater than 0, less than 1`.
fn range<T: Display>(low: &Bound<T>, high: &Bound<T>, and: &str) -> String {
    let low = match low {
        Bound::Included(low) => match high {
            Bound::Included(high) => return format!("{low} to {high}"),
            _ => format!("at least {low}"),
        },
        Bound::Excluded(low) => format!("greater than {low}"),
        Bound::Unbounded => String::new(),
    };
    let high = match high {
        Bound::Included(high) => format!("at most {high}"),
        Bound::Excluded(high) => format!("less than {high}"),
        Bound::Unbounded => String::new(),
    };
    let joint = if low.is_empty() || high.is_empty() { "" } else { and };
    format!("{low}{joint}{high}")
}

/// Writes a range of bytes in words, without the upper bound (the limit of the address space).
fn bytes_range(low: Bound<u64>, _: Bound<u64>) -> String {
    range(&low.map(write_bytes), &Bound::Unbounded, "")
}

pub(super) trait Domain<T> {
    fn values(&self) -> OptionValues;

    /// Reads a value; `None` if it is outside the domain.
    fn read(&self, text: &str) -> Option<T>;

    fn holds(&self, value: &T) -> bool;

    /// Writes a value in the form that `read` reads.
    fn write(&self, value: &T) -> String;
}

pub(super) struct Switch;

pub(super) fn switch() -> Switch {
    Switch
}

impl Domain<bool> for Switch {
    fn values(&self) -> OptionValues {
        OptionValues::Words(vec!["on", "off"])
    }

    fn read(&self, text: &str) -> Option<bool> {
        match &*text.trim().to_ascii_lowercase() {
            "on" | "true" => Some(true),
            "off" | "false" => Some(false),
            _ => None,
        }
    }

    fn holds(&self, _: &bool) -> bool {
        true
    }

    fn write(&self, value: &bool) -> String {
        if *value { "on".into() } else { "off".into() }
    }
}

/// A set of words to choose from, each of which stands for a value.
pub(super) struct Words<T>(Vec<(&'static str, T)>);

pub(super) fn words<T: Copy>(words: &[(&'static str, T)]) -> Words<T> {
    Words(words.to_vec())
}

/// A domain whose values are the items of `all`, chosen by name.
pub(super) fn names<T: Copy>(all: &[T], name: fn(T) -> &'static str) -> Words<T> {
    Words(all.iter().map(|&value| (name(value), value)).collect())
}

impl<T: Copy + PartialEq> Domain<T> for Words<T> {
    fn values(&self) -> OptionValues {
        OptionValues::Words(self.0.iter().map(|&(word, _)| word).collect())
    }

    fn read(&self, text: &str) -> Option<T> {
        let found = self.0.iter().find(|(word, _)| word.eq_ignore_ascii_case(text.trim()));
        found.map(|&(_, value)| value)
    }

    fn holds(&self, value: &T) -> bool {
        self.0.iter().any(|(_, known)| known == value)
    }

    fn write(&self, value: &T) -> String {
        let found = self.0.iter().find(|(_, known)| known == value);
        found.map_or_else(String::new, |(word, _)| word.to_string())
    }
}

pub(super) struct Within<T>(Bound<T>, Bound<T>);

pub(super) fn within<T: Copy>(range: impl RangeBounds<T>) -> Within<T> {
    Within(range.start_bound().cloned(), range.end_bound().cloned())
}

/// The numbers between `low` and `high`, both excluded.
pub(super) fn between<T: Copy>(low: T, high: T) -> Within<T> {
    Within(Bound::Excluded(low), Bound::Excluded(high))
}

pub(super) trait Numeric: Copy + PartialOrd + Display + FromStr {
    /// Converts a number that was written as a float, such as `1e6`, if this type can represent it.
    fn of_float(number: f64) -> Option<Self>;

    /// Returns whether the number is finite.
    fn is_usable(self) -> bool;

    fn values(low: Bound<Self>, high: Bound<Self>) -> OptionValues;
}

macro_rules! whole {
    ($($type:ty),*) => {
        $(impl Numeric for $type {
            fn of_float(number: f64) -> Option<$type> {
                /// The greatest whole number up to which floats are exact.
                const EXACT: f64 = (1u64 << 53) as f64;
                let whole = number.fract() == 0.0 && number.abs() <= EXACT;
                whole.then_some(number as i64).and_then(|number| number.try_into().ok())
            }

            fn is_usable(self) -> bool {
                true
            }

            fn values(low: Bound<$type>, high: Bound<$type>) -> OptionValues {
                OptionValues::Whole(low.map(|n| n as i128), high.map(|n| n as i128))
            }
        })*
    };
}

whole!(usize, u64, u32, i32);

impl Numeric for f64 {
    fn of_float(number: f64) -> Option<f64> {
        Some(number)
    }

    fn is_usable(self) -> bool {
        self.is_finite()
    }

    fn values(low: Bound<f64>, high: Bound<f64>) -> OptionValues {
        OptionValues::Number(low, high)
    }
}

impl<T: Numeric> Domain<T> for Within<T> {
    fn values(&self) -> OptionValues {
        T::values(self.0, self.1)
    }

    fn read(&self, text: &str) -> Option<T> {
        let text = text.trim();
        let number = text.parse().ok().or_else(|| T::of_float(text.parse().ok()?));
        number.filter(|number| self.holds(number))
    }

    fn holds(&self, value: &T) -> bool {
        value.is_usable() && (self.0, self.1).contains(value)
    }

    fn write(&self, value: &T) -> String {
        value.to_string()
    }
}

pub(super) struct Bytes(Bound<u64>, Bound<u64>);

pub(super) fn bytes(range: impl RangeBounds<u64>) -> Bytes {
    Bytes(range.start_bound().cloned(), range.end_bound().cloned())
}

impl Domain<u64> for Bytes {
    fn values(&self) -> OptionValues {
        OptionValues::Bytes(self.0, self.1)
    }

    fn read(&self, text: &str) -> Option<u64> {
        // A float cannot represent every number of bytes.
        let bytes = text.trim().parse().ok().or_else(|| read_bytes(text).ok());
        bytes.filter(|bytes| self.holds(bytes))
    }

    fn holds(&self, value: &u64) -> bool {
        (self.0, self.1).contains(value)
    }

    fn write(&self, value: &u64) -> String {
        write_bytes(*value)
    }
}

/// A domain to which the word `default`, which stands for `None`, is added.
pub(super) struct Own<D>(D);

pub(super) fn own<D>(domain: D) -> Own<D> {
    Own(domain)
}

const DEFAULT: &str = "default";

impl<T, D: Domain<T>> Domain<Option<T>> for Own<D> {
    fn values(&self) -> OptionValues {
        self.0.values()
    }

    fn read(&self, text: &str) -> Option<Option<T>> {
        match text.trim().eq_ignore_ascii_case(DEFAULT) {
            true => Some(None),
            false => self.0.read(text).map(Some),
        }
    }

    fn holds(&self, value: &Option<T>) -> bool {
        value.as_ref().is_none_or(|value| self.0.holds(value))
    }

    fn write(&self, value: &Option<T>) -> String {
        value.as_ref().map_or_else(|| DEFAULT.into(), |value| self.0.write(value))
    }
}

pub(super) fn read<T>(
    domain: impl Domain<T>,
    option: &'static str,
    text: &str,
) -> Result<T, ConfigError> {
    domain.read(text).ok_or_else(|| refused(&domain.values(), option, text.into()))
}

pub(super) fn check<T>(
    domain: impl Domain<T>,
    option: &'static str,
    value: &T,
) -> Result<(), ConfigError> {
    match domain.holds(value) {
        true => Ok(()),
        false => Err(refused(&domain.values(), option, domain.write(value))),
    }
}

fn refused(values: &OptionValues, option: &'static str, given: String) -> ConfigError {
    ConfigError::Value { option, given, expected: values.expected() }
}

/// Reads an amount of memory such as `64M`. K, M, G and T are powers of 1024.
///
/// # Errors
/// A one-line message if `text` is not such an amount.
pub fn read_bytes(text: &str) -> Result<u64, String> {
    let wrong = || format!("'{text}' should be a number of bytes such as 64K, 64M or 2G");
    let trimmed = text.trim().to_ascii_uppercase();
    let trimmed = trimmed.strip_suffix("IB").or(trimmed.strip_suffix('B')).unwrap_or(&trimmed);
    let (digits, unit) = match trimmed.find(|c: char| c.is_ascii_alphabetic()) {
        Some(at) => trimmed.split_at(at),
        None => (trimmed, ""),
    };
    let shift = match unit {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        "T" => 40,
        _ => return Err(wrong()),
    };
    let amount: f64 = digits.trim().parse().map_err(|_| wrong())?;
    let bytes = amount * (1u64 << shift) as f64;
    if bytes.is_finite() && bytes >= 1.0 && bytes < u64::MAX as f64 {
        Ok(bytes as u64)
    } else {
        Err(wrong())
    }
}

/// Writes a number of bytes in the largest unit in which it is a whole number.
fn write_bytes(bytes: u64) -> String {
    let units = [(40, "T"), (30, "G"), (20, "M"), (10, "K")];
    let unit = units.iter().find(|(shift, _)| bytes > 0 && bytes.is_multiple_of(1u64 << shift));
    unit.map_or_else(|| bytes.to_string(), |(shift, unit)| format!("{}{unit}", bytes >> shift))
}

/// Generates a configuration and its table from one list. An entry of the list gives the option's
/// field with its Rust documentation, its command-line name, its type (and the argument type of its
/// method if the field is optional), its default (and a description if it varies), its domain, its
/// help, and further help. A `@hidden` field is not in the table; only tests change it.
macro_rules! options {
    (
        $(#[$meta:meta])*
        pub struct $Config:ident;
        $(#[$table_meta:meta])*
        table $TABLE:ident;
        $(
            $(#[doc = $doc:literal])*
            $field:ident $name:literal: $type:ty $(| $arg:ty)? = $default:expr $(=> $usual:literal)?,
            $domain:ident $range:tt, $help:literal $(, $more:literal)?;
        )*
        $(@hidden $hidden:ident: $hidden_type:ty = $hidden_default:expr;)*
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub struct $Config {
            $(
                #[doc = $help]
                $(#[doc = $more])?
                #[doc = ""]
                $(#[doc = $doc])*
                #[doc = ""]
                #[doc = $crate::settings::options::options!(@values $domain $range)]
                #[doc = $crate::settings::options::options!(@default $default $(=> $usual)?)]
                pub $field: $type,
            )*
            $(#[doc(hidden)] pub $hidden: $hidden_type,)*
        }

        impl Default for $Config {
            fn default() -> $Config {
                $Config { $($field: $default,)* $($hidden: $hidden_default,)* }
            }
        }

        impl $Config {
            $($crate::settings::options::options! {
                @method $Config $field: $type $(| $arg)?
            })*

            $(
                #[doc(hidden)]
                #[must_use]
                pub fn $hidden(mut self, $hidden: $hidden_type) -> $Config {
                    self.$hidden = $hidden;
                    self
                }
            )*

            /// Sets an option by its name in the table.
            ///
            /// # Errors
            /// If the option does not exist, or the value is outside its domain.
            pub fn set(&mut self, name: &str, value: &str) -> Result<(), ConfigError> {
                let found = $TABLE.iter().find(|spec| spec.name == name);
                let spec = found.ok_or_else(|| ConfigError::Unknown(name.into()))?;
                (spec.set)(self, value)
            }
        }

        $(#[$table_meta])*
        pub static $TABLE: &[OptionSpec<$Config>] = &[$(
            OptionSpec {
                name: $name,
                help: $help,
                more: concat!($($more)?),
                set: |config, text| {
                    let option = concat!(stringify!($Config), "::", stringify!($field));
                    config.$field = options::read($domain $range, option, text)?;
                    Ok(())
                },
                get: |config| {
                    options::Domain::<$type>::write(&$domain $range, &config.$field)
                },
                values: || options::Domain::<$type>::values(&$domain $range),
                check: |config| {
                    let option = concat!(stringify!($Config), "::", stringify!($field));
                    options::check($domain $range, option, &config.$field)
                },
                usual: $crate::settings::options::options!(@usual $($usual)?),
            },
        )*];
    };
    (@method $Config:ident $field:ident: $type:ty) => {
        #[doc = concat!("Sets [`", stringify!($field), "`](", stringify!($Config), "#structfield.", stringify!($field), ").")]
        #[must_use]
        pub fn $field(mut self, $field: $type) -> $Config {
            self.$field = $field;
            self
        }
    };
    (@method $Config:ident $field:ident: $type:ty | $arg:ty) => {
        #[doc = concat!("Sets [`", stringify!($field), "`](", stringify!($Config), "#structfield.", stringify!($field), ").")]
        #[must_use]
        pub fn $field(mut self, $field: $arg) -> $Config {
            self.$field = $field.into();
            self
        }
    };
    (@usual) => { None };
    (@usual $usual:literal) => { Some($usual) };
    (@default $default:expr) => { concat!("Default: `", stringify!($default), "`.") };
    (@default $default:expr => $usual:literal) => { concat!("Default: ", $usual, ".") };
    (@values within ($($range:tt)*)) => { concat!("Values: `", stringify!($($range)*), "`.") };
    (@values bytes ($($range:tt)*)) => { concat!("Values: `", stringify!($($range)*), "`.") };
    (@values own ($domain:ident $range:tt)) => { $crate::settings::options::options!(@values $domain $range) };
    (@values between ($low:literal, $high:literal)) => {
        concat!("Values: greater than ", $low, " and less than ", $high, ".")
    };
    (@values $domain:ident $range:tt) => { "" };
}
pub(super) use options;

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::settings::{Config, OPTIONS, PROVER_OPTIONS, ProverConfig};

    fn read_back<C: Clone + Default + PartialEq + fmt::Debug>(options: &[OptionSpec<C>]) {
        let config = C::default();
        for spec in options {
            let mut copy = config.clone();
            (spec.set)(&mut copy, &(spec.get)(&config)).unwrap();
            assert_eq!(copy, config, "{}", spec.name);
        }
    }

    #[test]
    fn defaults_are_valid_and_can_be_read_back() {
        Config::default().check().unwrap();
        ProverConfig::default().check().unwrap();
        read_back::<Config>(OPTIONS);
        read_back::<ProverConfig>(PROVER_OPTIONS);
    }

    #[test]
    fn values_are_shown_as_the_help_has_them() {
        let shown = |values: OptionValues| (values.to_string(), values.expected());
        let both = |values: &str, expected: &str| (values.to_string(), expected.to_string());
        assert_eq!(shown(Switch.values()), both("on | off", "on or off"));
        assert_eq!(shown(words(&[("a", 1), ("b", 2)]).values()), both("a | b", "one of a, b"));
        assert_eq!(shown(within(1..=9u32).values()), both("1 to 9", "a number from 1 to 9"));
        assert_eq!(shown(within(1..).values()), both("at least 1", "a number of at least 1"));
        let inside =
            both("greater than 0, less than 0.5", "a number greater than 0 and less than 0.5");
        assert_eq!(shown(between(0.0, 0.5).values()), inside);
        let bytes = bytes(256 << 10..=1 << 62);
        let expected = "a number of bytes such as 64M or 2G, at least 256K";
        let values = "a number of bytes, optionally followed by K, M, G or T; at least 256K";
        assert_eq!(shown(bytes.values()), both(values, expected));
        let number = within(-1.5..=2.0).values();
        assert_eq!(shown(number), both("-1.5 to 2", "a number from -1.5 to 2"));
    }

    #[test]
    fn numbers_may_have_exponents_and_stay_exact() {
        assert_eq!(within(0..=u64::MAX).read("18446744073709551615"), Some(u64::MAX));
        assert_eq!(within(0..=u64::MAX).read("1e6"), Some(1_000_000));
        assert_eq!(within(0..=9u32).read("1e1"), None);
        assert_eq!(within(0..=9u32).read("1.5"), None);
        assert_eq!(within(0.0..).read("inf"), None);
        assert_eq!(bytes(1..).read("9007199254740993"), Some((1 << 53) + 1));
    }

    #[test]
    fn a_default_may_be_no_value() {
        let domain = own(within(0.0..=1000.0));
        assert_eq!(domain.read("default"), Some(None));
        assert_eq!(domain.read("0.5"), Some(Some(0.5)));
        assert_eq!(domain.read("-1"), None);
        assert!(domain.holds(&None) && !domain.holds(&Some(f64::NAN)));
        assert_eq!((domain.write(&None), domain.write(&Some(2.0))), ("default".into(), "2".into()));
    }

    #[test]
    fn memory_has_units() {
        assert_eq!(read_bytes("64M"), Ok(64 << 20));
        assert_eq!(read_bytes("1.5 GiB"), Ok(3 << 29));
        assert_eq!(read_bytes("20000"), Ok(20000));
        assert_eq!(read_bytes("4K"), Ok(4096));
        assert!(read_bytes("0.5").is_err() && read_bytes("-4K").is_err());
        assert_eq!([1 << 40, 20_000, 3 << 29].map(write_bytes), ["1T", "20000", "1536M"]);
    }
}
