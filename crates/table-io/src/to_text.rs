//! Values of every Arrow type as text: what stands in a text file for a date, a decimal number or a list.
//!
//! Numbers have the shortest digits that read back as the same number; `1.0` is written `1`, infinity `Inf`, as R writes them.
//! Moments are in ISO 8601, with the offset of their zone if it is one, else in UTC (the rules of zones that have a name are
//! not known here). Bytes are hexadecimal. Inside lists and records what is missing is nothing.

use crate::arrow::array::types::{ArrowPrimitiveType, IntervalDayTimeType, IntervalMonthDayNanoType};
use crate::arrow::array::{Array, AsArray, OffsetSizeTrait};
use crate::arrow::buffer::NullBuffer;
use crate::arrow::datatypes::{
    DataType, Date32Type, Date64Type, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type,
    DurationMicrosecondType, DurationMillisecondType, DurationNanosecondType, DurationSecondType, Float16Type,
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, IntervalYearMonthType, Time32MillisecondType,
    Time32SecondType, Time64MicrosecondType, Time64NanosecondType, TimestampMicrosecondType, TimestampMillisecondType,
    TimestampNanosecondType, TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use crate::arrow::error::ArrowError;
use arrow_schema::{IntervalUnit, TimeUnit};
use std::io::Write;

type Print<'a> = Box<dyn Fn(&mut Vec<u8>, usize) + 'a>;

/// A column whose values can be written as text.
pub struct Texts<'a> {
    /// Where it is missing is not always in the array itself: a dictionary's values may be, and all of a Null array is.
    nulls: Option<NullBuffer>,
    print: Print<'a>,
}

impl std::fmt::Debug for Texts<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Texts").field("nulls", &self.nulls).finish_non_exhaustive()
    }
}

impl<'a> Texts<'a> {
    /// # Errors
    /// If the array is of a type that does not exist, such as a time of 32 bits in nanoseconds.
    pub fn of(array: &'a dyn Array) -> Result<Texts<'a>, ArrowError> {
        Ok(Texts { nulls: array.logical_nulls(), print: print(array)? })
    }

    /// Whether there is no value.
    pub fn is_missing(&self, row: usize) -> bool {
        self.nulls.as_ref().is_some_and(|nulls| nulls.is_null(row))
    }

    /// Adds the value of a row; nothing, where it is missing.
    pub fn write(&self, out: &mut Vec<u8>, row: usize) {
        if !self.is_missing(row) {
            (self.print)(out, row);
        }
    }

    /// `[1, 2]`
    fn write_list(&self, out: &mut Vec<u8>, rows: std::ops::Range<usize>) {
        out.push(b'[');
        for (i, row) in rows.enumerate() {
            separate(out, i);
            self.write(out, row);
        }
        out.push(b']');
    }
}

fn separate(out: &mut Vec<u8>, i: usize) {
    if i > 0 {
        out.extend_from_slice(b", ");
    }
}

/// Formatted text; a vector takes all that is written to it.
macro_rules! put {
    ($out:expr, $($text:tt)*) => { drop(write!($out, $($text)*)) };
}

fn print<'a>(array: &'a dyn Array) -> Result<Print<'a>, ArrowError> {
    /// Prints the values of a primitive type by a function of the value.
    macro_rules! values {
        ($type:ty, $print:expr) => {{
            let values = array.as_primitive::<$type>();
            let print = $print;
            Box::new(move |out: &mut Vec<u8>, row: usize| print(out, values.value(row)))
        }};
    }
    /// Values that are bytes.
    macro_rules! bytes {
        ($values:expr, $print:expr) => {{
            let values = $values;
            let print = $print;
            Box::new(move |out: &mut Vec<u8>, row: usize| print(out, values.value(row).as_ref()))
        }};
    }
    let decimal = |scale: i8| move |out: &mut Vec<u8>, digits: String| decimal(out, &digits, scale);
    let text = |out: &mut Vec<u8>, text: &[u8]| out.extend_from_slice(text);
    Ok(match array.data_type() {
        DataType::Null => Box::new(|_, _| ()),
        DataType::Boolean => {
            let values = array.as_boolean();
            Box::new(|out, row| out.extend_from_slice(if values.value(row) { b"TRUE" } else { b"FALSE" }))
        }
        DataType::Int8 => values!(Int8Type, integer),
        DataType::Int16 => values!(Int16Type, integer),
        DataType::Int32 => values!(Int32Type, integer),
        DataType::Int64 => values!(Int64Type, integer),
        DataType::UInt8 => values!(UInt8Type, integer),
        DataType::UInt16 => values!(UInt16Type, integer),
        DataType::UInt32 => values!(UInt32Type, integer),
        DataType::UInt64 => values!(UInt64Type, integer),
        // All numbers of 16 bits have few digits: those of the same number in 32 bits read back as it.
        DataType::Float16 => {
            values!(Float16Type, |out: &mut Vec<u8>, value: <Float16Type as ArrowPrimitiveType>::Native| {
                float(out, value.to_f32())
            })
        }
        DataType::Float32 => values!(Float32Type, float::<f32>),
        DataType::Float64 => values!(Float64Type, float::<f64>),
        DataType::Decimal32(_, scale) => {
            let print = decimal(*scale);
            values!(Decimal32Type, move |out: &mut Vec<u8>, value: i32| print(out, value.to_string()))
        }
        DataType::Decimal64(_, scale) => {
            let print = decimal(*scale);
            values!(Decimal64Type, move |out: &mut Vec<u8>, value: i64| print(out, value.to_string()))
        }
        DataType::Decimal128(_, scale) => {
            let print = decimal(*scale);
            values!(Decimal128Type, move |out: &mut Vec<u8>, value: i128| print(out, value.to_string()))
        }
        DataType::Decimal256(_, scale) => {
            let print = decimal(*scale);
            values!(Decimal256Type, move |out: &mut Vec<u8>, value: crate::arrow::buffer::i256| {
                print(out, value.to_string())
            })
        }
        DataType::Date32 => values!(Date32Type, |out: &mut Vec<u8>, days: i32| date(out, days.into())),
        DataType::Date64 => values!(Date64Type, |out: &mut Vec<u8>, value: i64| moment(out, value, 1_000, None)),
        DataType::Time32(TimeUnit::Second) => {
            values!(Time32SecondType, |out: &mut Vec<u8>, value: i32| time(out, value.into(), 1))
        }
        DataType::Time32(TimeUnit::Millisecond) => {
            values!(Time32MillisecondType, |out: &mut Vec<u8>, value: i32| time(out, value.into(), 1_000))
        }
        DataType::Time64(TimeUnit::Microsecond) => {
            values!(Time64MicrosecondType, |out: &mut Vec<u8>, value: i64| time(out, value, 1_000_000))
        }
        DataType::Time64(TimeUnit::Nanosecond) => {
            values!(Time64NanosecondType, |out: &mut Vec<u8>, value: i64| time(out, value, 1_000_000_000))
        }
        DataType::Timestamp(unit, zone) => {
            let (parts, offset) = (parts_of_second(*unit), zone.as_deref().map(offset_of));
            let print = move |out: &mut Vec<u8>, value: i64| moment(out, value, parts, offset);
            match unit {
                TimeUnit::Second => values!(TimestampSecondType, print),
                TimeUnit::Millisecond => values!(TimestampMillisecondType, print),
                TimeUnit::Microsecond => values!(TimestampMicrosecondType, print),
                TimeUnit::Nanosecond => values!(TimestampNanosecondType, print),
            }
        }
        DataType::Duration(unit) => {
            let parts = parts_of_second(*unit);
            let print = move |out: &mut Vec<u8>, value: i64| duration(out, value, parts);
            match unit {
                TimeUnit::Second => values!(DurationSecondType, print),
                TimeUnit::Millisecond => values!(DurationMillisecondType, print),
                TimeUnit::Microsecond => values!(DurationMicrosecondType, print),
                TimeUnit::Nanosecond => values!(DurationNanosecondType, print),
            }
        }
        DataType::Interval(IntervalUnit::YearMonth) => {
            values!(IntervalYearMonthType, |out: &mut Vec<u8>, months: i32| {
                put!(out, "{} years {} mons", months.div_euclid(12), months.rem_euclid(12))
            })
        }
        DataType::Interval(IntervalUnit::DayTime) => {
            let values = array.as_primitive::<IntervalDayTimeType>();
            Box::new(|out, row| {
                let value = values.value(row);
                interval(out, &[(value.days, "days")], value.milliseconds.into(), 1_000);
            })
        }
        DataType::Interval(IntervalUnit::MonthDayNano) => {
            let values = array.as_primitive::<IntervalMonthDayNanoType>();
            Box::new(|out, row| {
                let value = values.value(row);
                interval(out, &[(value.months, "mons"), (value.days, "days")], value.nanoseconds, 1_000_000_000);
            })
        }
        DataType::Utf8 => bytes!(array.as_string::<i32>(), text),
        DataType::LargeUtf8 => bytes!(array.as_string::<i64>(), text),
        DataType::Utf8View => bytes!(array.as_string_view(), text),
        DataType::Binary => bytes!(array.as_binary::<i32>(), hexadecimal),
        DataType::LargeBinary => bytes!(array.as_binary::<i64>(), hexadecimal),
        DataType::BinaryView => bytes!(array.as_binary_view(), hexadecimal),
        DataType::FixedSizeBinary(_) => bytes!(array.as_fixed_size_binary(), hexadecimal),
        DataType::List(_) => list::<i32>(array)?,
        DataType::LargeList(_) => list::<i64>(array)?,
        DataType::ListView(_) => list_view::<i32>(array)?,
        DataType::LargeListView(_) => list_view::<i64>(array)?,
        DataType::FixedSizeList(_, _) => {
            let (lists, length) = (array.as_fixed_size_list(), array.as_fixed_size_list().value_length() as usize);
            let items = Texts::of(lists.values())?;
            Box::new(move |out, row| items.write_list(out, row * length..(row + 1) * length))
        }
        DataType::Struct(fields) => {
            let columns = array.as_struct().columns().iter().map(|column| Texts::of(column));
            let columns = columns.collect::<Result<Vec<_>, _>>()?;
            Box::new(move |out, row| {
                out.push(b'{');
                for (i, (field, column)) in fields.iter().zip(&columns).enumerate() {
                    separate(out, i);
                    put!(out, "{}: ", field.name());
                    column.write(out, row);
                }
                out.push(b'}');
            })
        }
        DataType::Map(_, _) => {
            let map = array.as_map();
            let (keys, values) = (Texts::of(map.keys())?, Texts::of(map.values())?);
            Box::new(move |out, row| {
                let offsets = map.value_offsets();
                out.push(b'{');
                for (i, entry) in (offsets[row] as usize..offsets[row + 1] as usize).enumerate() {
                    separate(out, i);
                    keys.write(out, entry);
                    out.extend_from_slice(b": ");
                    values.write(out, entry);
                }
                out.push(b'}');
            })
        }
        DataType::Union(fields, _) => {
            let union = array.as_union();
            let children = fields.iter().map(|(id, field)| Ok((id, field.name(), Texts::of(union.child(id))?)));
            let children = children.collect::<Result<Vec<_>, ArrowError>>()?;
            Box::new(move |out, row| {
                let id = union.type_id(row);
                if let Some((_, name, child)) = children.iter().find(|(other, ..)| *other == id) {
                    put!(out, "{{{name}=");
                    child.write(out, union.value_offset(row));
                    out.push(b'}');
                }
            })
        }
        DataType::Dictionary(_, _) => {
            let dictionary = array.as_any_dictionary();
            let (key, values) = (key_of(dictionary.keys())?, Texts::of(dictionary.values())?);
            Box::new(move |out, row| values.write(out, key(row)))
        }
        DataType::RunEndEncoded(ends, _) => {
            macro_rules! runs {
                ($type:ty) => {{
                    let runs = array.as_run::<$type>();
                    let values = Texts::of(runs.values())?;
                    Box::new(move |out: &mut Vec<u8>, row: usize| values.write(out, runs.get_physical_index(row)))
                }};
            }
            match ends.data_type() {
                DataType::Int16 => runs!(Int16Type),
                DataType::Int32 => runs!(Int32Type),
                DataType::Int64 => runs!(Int64Type),
                _ => return Err(no_such_type(array)),
            }
        }
        DataType::Time32(_) | DataType::Time64(_) => return Err(no_such_type(array)),
    })
}

fn no_such_type(array: &dyn Array) -> ArrowError {
    ArrowError::SchemaError(format!("there is no type {}", array.data_type()))
}

/// The key of each row of a dictionary; 0 where it is missing.
pub(crate) fn key_of<'a>(keys: &'a dyn Array) -> Result<Box<dyn Fn(usize) -> usize + 'a>, ArrowError> {
    macro_rules! key {
        ($type:ty) => {{
            let keys = keys.as_primitive::<$type>();
            Box::new(move |row: usize| if keys.is_valid(row) { keys.value(row) as usize } else { 0 })
        }};
    }
    Ok(match keys.data_type() {
        DataType::Int8 => key!(Int8Type),
        DataType::Int16 => key!(Int16Type),
        DataType::Int32 => key!(Int32Type),
        DataType::Int64 => key!(Int64Type),
        DataType::UInt8 => key!(UInt8Type),
        DataType::UInt16 => key!(UInt16Type),
        DataType::UInt32 => key!(UInt32Type),
        DataType::UInt64 => key!(UInt64Type),
        _ => return Err(no_such_type(keys)),
    })
}

fn list<'a, O: OffsetSizeTrait>(array: &'a dyn Array) -> Result<Print<'a>, ArrowError> {
    let lists = array.as_list::<O>();
    let items = Texts::of(lists.values())?;
    Ok(Box::new(move |out, row| {
        let offsets = lists.value_offsets();
        items.write_list(out, offsets[row].as_usize()..offsets[row + 1].as_usize());
    }))
}

fn list_view<'a, O: OffsetSizeTrait>(array: &'a dyn Array) -> Result<Print<'a>, ArrowError> {
    let lists = array.as_list_view::<O>();
    let items = Texts::of(lists.values())?;
    Ok(Box::new(move |out, row| {
        let start = lists.value_offsets()[row].as_usize();
        items.write_list(out, start..start + lists.value_sizes()[row].as_usize());
    }))
}

fn integer<I: itoa::Integer>(out: &mut Vec<u8>, value: I) {
    out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
}

/// A number with a point, as R writes it. (Half of the time of writing text is here: in its loop it is a tenth faster.)
#[inline]
pub(crate) fn float<F: zmij::Float + Copy + Into<f64>>(out: &mut Vec<u8>, value: F) {
    let wide: f64 = value.into();
    if wide.is_finite() {
        let mut buffer = zmij::Buffer::new();
        let text = buffer.format_finite(value);
        // `1.0` is written `1`.
        out.extend_from_slice(text.strip_suffix(".0").unwrap_or(text).as_bytes());
    } else if wide.is_nan() {
        out.extend_from_slice(b"NaN");
    } else {
        out.extend_from_slice(if wide > 0.0 { b"Inf" } else { b"-Inf" });
    }
}

/// The digits of a whole number, with the point where the scale says.
fn decimal(out: &mut Vec<u8>, digits: &str, scale: i8) {
    let (sign, digits) = digits.strip_prefix('-').map_or(("", digits), |rest| ("-", rest));
    let places = usize::from(scale.unsigned_abs());
    out.extend_from_slice(sign.as_bytes());
    if scale <= 0 {
        let zeros = if digits == "0" { 0 } else { places };
        put!(out, "{digits}{}", "0".repeat(zeros));
    } else if digits.len() > places {
        let (whole, part) = digits.split_at(digits.len() - places);
        put!(out, "{whole}.{part}");
    } else {
        put!(out, "0.{digits:0>places$}");
    }
}

fn hexadecimal(out: &mut Vec<u8>, bytes: &[u8]) {
    bytes.iter().for_each(|byte| put!(out, "{byte:02x}"));
}

fn parts_of_second(unit: TimeUnit) -> i64 {
    match unit {
        TimeUnit::Second => 1,
        TimeUnit::Millisecond => 1_000,
        TimeUnit::Microsecond => 1_000_000,
        TimeUnit::Nanosecond => 1_000_000_000,
    }
}

/// Seconds that a zone is ahead of UTC: `+05:30`, `-0800`, `+01`; 0 for names.
fn offset_of(zone: &str) -> i32 {
    let (sign, rest) = match zone.split_at_checked(1) {
        Some(("+", rest)) => (1, rest),
        Some(("-", rest)) => (-1, rest),
        _ => return 0,
    };
    let digits: Vec<i32> =
        rest.chars().filter(|c| *c != ':').filter_map(|c| c.to_digit(10)).map(|d| d as i32).collect();
    let is_right = rest.chars().all(|c| c == ':' || c.is_ascii_digit());
    match digits[..] {
        [a, b] if is_right => sign * 3600 * (10 * a + b),
        [a, b, c, d] if is_right => sign * (3600 * (10 * a + b) + 60 * (10 * c + d)),
        _ => 0,
    }
}

const DAY: i64 = 86_400;

/// A moment, counted from 1970 in UTC; `offset` is that of its zone, if it is in one.
fn moment(out: &mut Vec<u8>, value: i64, parts: i64, offset: Option<i32>) {
    // In 128 bits, because the last moments of seconds in 64 bits have no later one.
    let shifted = i128::from(value) + i128::from(offset.unwrap_or(0)) * i128::from(parts);
    let day = i128::from(DAY * parts);
    date(out, shifted.div_euclid(day) as i64);
    out.push(b'T');
    time(out, shifted.rem_euclid(day) as i64, parts);
    match offset {
        None => {}
        Some(0) => out.push(b'Z'),
        Some(offset) => {
            let (sign, minutes) = (if offset < 0 { '-' } else { '+' }, offset.unsigned_abs() / 60);
            put!(out, "{sign}{:02}:{:02}", minutes / 60, minutes % 60);
        }
    }
}

/// A day of the Gregorian calendar, counted from 1970-01-01.
///
/// Method: days are counted from 1 March of year 0, so that the leap day is the last of its year; 400 years have 146,097.
fn date(out: &mut Vec<u8>, days: i64) {
    let days = days + 719_468;
    let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    // Months of 31 and 30 days in turn, five of which have 153, beginning with March.
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    match year + era * 400 + next {
        year @ 0..=9_999 => put!(out, "{year:04}-{month:02}-{day:02}"),
        year => put!(out, "{year:+05}-{month:02}-{day:02}"),
    }
}

/// A time of the day, with as many digits behind the second as it needs: none, three, six or nine.
fn time(out: &mut Vec<u8>, value: i64, parts: i64) {
    if value < 0 {
        out.push(b'-');
    }
    let (seconds, part) = (value.unsigned_abs() / parts as u64, value.unsigned_abs() % parts as u64);
    put!(out, "{:02}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60);
    let nanoseconds = part * (1_000_000_000 / parts as u64);
    match nanoseconds {
        0 => {}
        n if n % 1_000_000 == 0 => put!(out, ".{:03}", n / 1_000_000),
        n if n % 1_000 == 0 => put!(out, ".{:06}", n / 1_000),
        n => put!(out, ".{n:09}"),
    }
}

/// A length of time in ISO 8601: `PT90.5S`, `-PT1S`; none is `P0D`.
fn duration(out: &mut Vec<u8>, value: i64, parts: i64) {
    if value == 0 {
        return out.extend_from_slice(b"P0D");
    }
    let sign = if value < 0 { "-" } else { "" };
    let (seconds, part) = (value.unsigned_abs() / parts as u64, value.unsigned_abs() % parts as u64);
    put!(out, "{sign}PT{seconds}");
    if part > 0 {
        let digits = format!("{:09}", part * (1_000_000_000 / parts as u64));
        put!(out, ".{}", digits.trim_end_matches('0'));
    }
    out.push(b'S');
}

/// `1 mons 2 days 3 hours 4 mins 5.000 secs`, without what is 0.
fn interval(out: &mut Vec<u8>, units: &[(i32, &str)], value: i64, parts: i64) {
    let start = out.len();
    let space = |out: &mut Vec<u8>| {
        if out.len() > start {
            out.push(b' ')
        }
    };
    let (seconds, part) = (value / parts, value % parts);
    let clock = [(seconds / 3_600, "hours"), (seconds / 60 % 60, "mins")];
    for (count, name) in units.iter().map(|(count, name)| (i64::from(*count), *name)).chain(clock) {
        if count != 0 {
            space(out);
            put!(out, "{count} {name}");
        }
    }
    let seconds = seconds % 60;
    if seconds != 0 || part != 0 {
        space(out);
        let (sign, places) = (if value < 0 { "-" } else { "" }, parts.ilog10() as usize);
        put!(out, "{sign}{}.{:0places$} secs", seconds.abs(), part.abs());
    }
    if out.len() == start {
        out.extend_from_slice(b"0 secs");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(write: impl FnOnce(&mut Vec<u8>)) -> String {
        let mut out = Vec::new();
        write(&mut out);
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn days_are_those_of_the_calendar() {
        for (days, expected) in [
            (0, "1970-01-01"),
            (-1, "1969-12-31"),
            (11_016, "2000-02-29"),
            (11_017, "2000-03-01"),
            (19_782, "2024-02-29"),
            (-25_508, "1900-03-01"),
            (-25_509, "1900-02-28"),
            (2_932_896, "9999-12-31"),
            (2_932_897, "+10000-01-01"),
            (-719_528, "0000-01-01"),
            (-719_529, "-0001-12-31"),
        ] {
            assert_eq!(text(|out| date(out, days)), expected, "{days}");
        }
    }

    #[test]
    fn moments_have_their_offset_and_as_many_digits_as_they_need() {
        for (value, parts, zone, expected) in [
            (0, 1, None, "1970-01-01T00:00:00"),
            (-1, 1_000, None, "1969-12-31T23:59:59.999"),
            (1_500_000, 1_000_000, Some("UTC"), "1970-01-01T00:00:01.500Z"),
            (1_000_001, 1_000_000, Some("+05:30"), "1970-01-01T05:30:01.000001+05:30"),
            (1, 1_000_000_000, Some("-0800"), "1969-12-31T16:00:00.000000001-08:00"),
            (0, 1, Some("+01"), "1970-01-01T01:00:00+01:00"),
            (0, 1, Some("Europe/Rome"), "1970-01-01T00:00:00Z"),
            (0, 1, Some("+x1"), "1970-01-01T00:00:00Z"),
            (i64::MAX, 1, Some("+14:00"), "+292277026596-12-05T05:30:07+14:00"),
            (i64::MIN, 1_000_000_000, None, "1677-09-21T00:12:43.145224192"),
        ] {
            assert_eq!(text(|out| moment(out, value, parts, zone.map(offset_of))), expected);
        }
    }

    #[test]
    fn decimals_durations_and_intervals() {
        for (digits, scale, expected) in [
            ("0", 0, "0"),
            ("-10", 2, "-0.10"),
            ("5", 3, "0.005"),
            ("12345", 2, "123.45"),
            ("-12", -3, "-12000"),
            ("0", -3, "0"),
            ("123", 3, "0.123"),
        ] {
            assert_eq!(text(|out| decimal(out, digits, scale)), expected);
        }
        for (value, parts, expected) in [
            (0, 1, "P0D"),
            (90_500, 1_000, "PT90.5S"),
            (-1, 1, "-PT1S"),
            (-1, 1_000_000_000, "-PT0.000000001S"),
            (i64::MIN, 1, "-PT9223372036854775808S"),
        ] {
            assert_eq!(text(|out| duration(out, value, parts)), expected);
        }
        for (days, milliseconds, expected) in [
            (0, 0, "0 secs"),
            (2, 0, "2 days"),
            (0, 3_661_001, "1 hours 1 mins 1.001 secs"),
            (-1, -1, "-1 days -0.001 secs"),
        ] {
            assert_eq!(text(|out| interval(out, &[(days, "days")], milliseconds, 1_000)), expected);
        }
    }
}
