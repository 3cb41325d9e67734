//! Exact fractions for stated and measured numbers, compared to the precision that the file gives.

use super::spec::Relation;
use std::cmp::Ordering;
use std::fmt;

/// An exact number: a fraction in lowest terms with a positive denominator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ratio {
    /// The numerator.
    pub numerator: i128,
    /// The denominator, at least 1.
    pub denominator: i128,
}

impl Ratio {
    /// Returns a fraction in lowest terms. A denominator of 0 is replaced by 1.
    pub fn new(numerator: i128, denominator: i128) -> Ratio {
        let denominator = if denominator == 0 { 1 } else { denominator };
        let divisor = gcd(numerator.unsigned_abs(), denominator.unsigned_abs()).max(1) as i128;
        let sign = denominator.signum();
        Ratio {
            numerator: numerator / divisor * sign,
            denominator: denominator / divisor * sign,
        }
    }

    /// Returns a whole number.
    pub fn whole(number: i128) -> Ratio {
        Ratio::new(number, 1)
    }

    /// Returns the number as a float, for messages. Comparisons use the number itself.
    pub fn as_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }

    /// Returns exactly the number that a float stores, or 0 for one of less than 2^-60. Returns `None` if the
    /// number is infinite or exceeds 64 bits.
    pub fn of_f64(number: f64) -> Option<Ratio> {
        const SCALE: i128 = 1 << 60;
        let scaled = number * SCALE as f64;
        let fits = scaled.abs() < i128::MAX as f64 / 2.0;
        fits.then(|| Ratio::new(scaled as i128, SCALE))
    }

    /// Returns the number with six decimal places, exactly if it is whole.
    pub fn decimals(self) -> String {
        match self.denominator {
            1 => format!("{}.000000", self.numerator),
            _ => self.to_string(),
        }
    }

    fn plus(self, other: Ratio) -> Option<Ratio> {
        let left = self.numerator.checked_mul(other.denominator)?;
        let right = other.numerator.checked_mul(self.denominator)?;
        let denominator = self.denominator.checked_mul(other.denominator)?;
        Some(Ratio::new(left.checked_add(right)?, denominator))
    }

    /// Returns the number times 10 to the power of `places`, rounded half away from zero. Returns `None` on
    /// overflow.
    fn rounded(self, places: u32) -> Option<i128> {
        let scaled = self.numerator.checked_mul(10i128.checked_pow(places)?)?;
        let doubled = scaled.checked_mul(2)?;
        let half = if scaled < 0 {
            -self.denominator
        } else {
            self.denominator
        };
        Some(doubled.checked_add(half)? / self.denominator.checked_mul(2)?)
    }
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Ratio) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ratio {
    /// Compares the whole parts, and then the reciprocals of the remainders, which cannot overflow as the
    /// products of numerators and denominators can.
    fn cmp(&self, other: &Ratio) -> Ordering {
        let (mut left, mut right) = (*self, *other);
        loop {
            let whole = |ratio: Ratio| ratio.numerator.div_euclid(ratio.denominator);
            let remainder = |ratio: Ratio| ratio.numerator.rem_euclid(ratio.denominator);
            let order = whole(left).cmp(&whole(right));
            let (left_rest, right_rest) = (remainder(left), remainder(right));
            if order.is_ne() || left_rest == 0 || right_rest == 0 {
                return order.then(left_rest.min(1).cmp(&right_rest.min(1)));
            }
            let reciprocal = |ratio: Ratio, rest: i128| Ratio {
                numerator: ratio.denominator,
                denominator: rest,
            };
            // Of two positive numbers, the greater one has the smaller reciprocal.
            (left, right) = (reciprocal(right, right_rest), reciprocal(left, left_rest));
        }
    }
}

impl fmt::Display for Ratio {
    /// Writes a whole number exactly and any other number with six decimal places.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.denominator {
            1 => self.numerator.fmt(f),
            _ => write!(f, "{:.6}", self.as_f64()),
        }
    }
}

/// A number as a claims file states it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    /// The exact value.
    pub value: Ratio,
    /// The number of decimal places written; `None` for a fraction such as `1/3`, which is exact.
    pub places: Option<u32>,
    /// The text as written.
    pub text: String,
}

impl Number {
    /// Returns a whole number.
    pub fn whole(number: i64) -> Number {
        Number {
            value: Ratio::whole(number.into()),
            places: Some(0),
            text: number.to_string(),
        }
    }

    /// Parses `12`, `0.25`, `-3`, `1e3` or `1/3`. Returns `None` for any other text.
    pub fn parse(text: &str) -> Option<Number> {
        let text = text.trim();
        let number = |value, places| Number {
            value,
            places,
            text: text.to_owned(),
        };
        if let Some((above, below)) = text.split_once('/') {
            let above: i64 = above.trim().parse().ok()?;
            let below: i64 = below.trim().parse().ok().filter(|n| *n > 0)?;
            return Some(number(Ratio::new(above.into(), below.into()), None));
        }
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
            None => (text, 0),
        };
        let (whole, decimals) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let is_digits = |digits: &str| digits.bytes().all(|b| b.is_ascii_digit());
        let unsigned = whole.strip_prefix(['-', '+']).unwrap_or(whole);
        if unsigned.is_empty() || !is_digits(unsigned) || !is_digits(decimals) {
            return None;
        }
        let digits: i128 = format!("{whole}{decimals}").parse().ok()?;
        let places = i32::try_from(decimals.len()).ok()? - exponent;
        if places.unsigned_abs() > 18 {
            return None;
        }
        let scale = 10i128.checked_pow(places.unsigned_abs())?;
        Some(match places >= 0 {
            true => number(Ratio::new(digits, scale), Some(places as u32)),
            false => number(Ratio::whole(digits.checked_mul(scale)?), Some(0)),
        })
    }

    /// Returns the number with as many decimal places as this one that is nearest to a measured number and to
    /// which the measured number has the relation. Returns `None` on overflow.
    pub fn corrected(&self, relation: Relation, measured: Ratio) -> Option<Number> {
        let Ratio {
            numerator,
            denominator,
        } = measured;
        let Some(places) = self.places else {
            return Some(Number {
                value: measured,
                places: None,
                text: match denominator {
                    1 => numerator.to_string(),
                    _ => format!("{numerator}/{denominator}"),
                },
            });
        };
        let scale = 10i128.checked_pow(places)?;
        let scaled = numerator.checked_mul(scale)?;
        let digits = match relation {
            Relation::Is => measured.rounded(places)?,
            Relation::AtLeast => scaled.div_euclid(denominator),
            Relation::AtMost => -(-scaled).div_euclid(denominator),
        };
        let (sign, width) = (if digits < 0 { "-" } else { "" }, places as usize + 1);
        let mut text = format!("{:0width$}", digits.unsigned_abs());
        if places > 0 {
            text.insert(text.len() - places as usize, '.');
        }
        Some(Number {
            value: Ratio::new(digits, scale),
            places: Some(places),
            text: format!("{sign}{text}"),
        })
    }

    /// Returns the bounds of the numbers that round to this number. A bound that is too large to compute is
    /// `None`.
    pub fn range(&self) -> (Option<Ratio>, Option<Ratio>) {
        let Some(places) = self.places else {
            return (Some(self.value), Some(self.value));
        };
        let scale = 10i128.checked_pow(places).and_then(|s| s.checked_mul(2));
        let half = |sign: i128| self.value.plus(Ratio::new(sign, scale?));
        (half(-1), half(1))
    }

    /// Returns whether a measured number equals this number to the decimal places written.
    pub fn is(&self, measured: Ratio) -> bool {
        match self.places {
            None => self.value == measured,
            Some(places) => match (self.value.rounded(places), measured.rounded(places)) {
                (Some(stated), Some(measured)) => stated == measured,
                _ => self.value == measured,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Number {
        Number::parse(text).expect(text)
    }

    #[test]
    fn digits_given_are_compared_and_fractions_are_exact() {
        let third = Ratio::new(1, 3);
        assert!(number("0.33").is(third));
        assert!(number("0.333").is(third));
        assert!(!number("0.34").is(third));
        assert!(number("1/3").is(third));
        assert!(!number("33/100").is(third));
        assert!(number("0.5").is(Ratio::new(1, 2)));
        assert!(!number("0.500").is(Ratio::new(4_990, 10_000)));
        assert!(number("-2").is(Ratio::whole(-2)));
        assert!(number("1e3").is(Ratio::whole(1000)));
    }

    #[test]
    fn corrected_numbers_keep_the_decimal_places() {
        for (printed, relation, measured, corrected) in [
            ("8602", Relation::Is, Ratio::whole(8902), "8902"),
            ("0.4", Relation::Is, Ratio::new(1, 3), "0.3"),
            ("0.40", Relation::Is, Ratio::new(-1, 3), "-0.33"),
            ("1/2", Relation::Is, Ratio::new(1, 3), "1/3"),
            ("0.70", Relation::AtLeast, Ratio::new(2, 3), "0.66"),
            ("0.60", Relation::AtMost, Ratio::new(2, 3), "0.67"),
            ("-2", Relation::AtMost, Ratio::new(-3, 2), "-1"),
            ("-1", Relation::AtLeast, Ratio::new(-3, 2), "-2"),
        ] {
            let found = number(printed)
                .corrected(relation, measured)
                .expect(printed);
            assert_eq!(found.text, corrected, "{printed}");
            assert_eq!(number(corrected), found, "{printed}");
        }
    }

    #[test]
    fn other_texts_are_not_numbers() {
        for text in ["", "x", "1/0", "1/", "--1", "0x10", ".5", "1e99", "nan"] {
            assert_eq!(Number::parse(text), None, "{text}");
        }
    }

    #[test]
    fn floats_become_the_numbers_that_they_store() {
        assert_eq!(Ratio::of_f64(0.25), Some(Ratio::new(1, 4)));
        assert_eq!(Ratio::of_f64(-3.0), Some(Ratio::whole(-3)));
        assert_eq!(
            Ratio::of_f64(9_007_199_254_740_992.0),
            Some(Ratio::whole(9_007_199_254_740_992))
        );
        assert_eq!(Ratio::of_f64(f64::INFINITY), None);
        assert_eq!(Ratio::of_f64(f64::NAN), None);
        assert_eq!(Ratio::of_f64(1e30), None);
    }

    #[test]
    fn numbers_that_round_to_a_stated_number_are_within_its_range() {
        let half = |text: &str| number(text).range();
        assert_eq!(
            half("0.3"),
            (Some(Ratio::new(1, 4)), Some(Ratio::new(7, 20)))
        );
        assert_eq!(
            half("9007199254740993"),
            (
                Some(Ratio::new(18_014_398_509_481_985, 2)),
                Some(Ratio::new(18_014_398_509_481_987, 2))
            )
        );
        assert_eq!(
            half("1/3"),
            (Some(Ratio::new(1, 3)), Some(Ratio::new(1, 3)))
        );
    }

    #[test]
    fn order_is_exact() {
        assert!(Ratio::new(1, 3) < Ratio::new(334, 1000));
        assert!(Ratio::new(-1, 3) < Ratio::whole(0));
        assert_eq!(Ratio::new(2, -4), Ratio::new(-1, 2));
    }

    #[test]
    fn order_of_numbers_whose_products_overflow_is_exact() {
        let huge = i128::MAX / 2;
        let ascending = [
            Ratio::whole(-huge),
            Ratio::new(-huge, 2),
            Ratio::new(-huge - 1, huge),
            Ratio::whole(-1),
            Ratio::new(-huge + 1, huge),
            Ratio::new(1, huge),
            Ratio::new(1, huge - 1),
            Ratio::new(huge - 2, huge - 1),
            Ratio::new(huge - 1, huge),
            Ratio::whole(1),
            Ratio::new(huge, huge - 1),
            Ratio::new(huge - 1, huge - 2),
            Ratio::new(huge, 3),
            Ratio::new(huge, 2),
        ];
        for (at, left) in ascending.iter().enumerate() {
            for (to, right) in ascending.iter().enumerate() {
                assert_eq!(left.cmp(right), at.cmp(&to), "{left:?} {right:?}");
            }
        }
    }

    #[test]
    fn order_is_that_of_the_cross_products() {
        for (a, b) in (-9..=9).flat_map(|a| (1..=9).map(move |b| (a, b))) {
            for (c, d) in (-9..=9).flat_map(|c| (1..=9).map(move |d| (c, d))) {
                let order = Ratio::new(a, b).cmp(&Ratio::new(c, d));
                assert_eq!(order, (a * d).cmp(&(c * b)), "{a}/{b} {c}/{d}");
            }
        }
    }
}
