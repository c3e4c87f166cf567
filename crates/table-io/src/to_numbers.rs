//! Numbers of every Arrow type as `f64`.

use crate::arrow::array::{Array, AsArray, Float64Array, PrimitiveArray};
use crate::arrow::datatypes::{
    ArrowPrimitiveType, DataType, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type, Float16Type,
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use crate::arrow::error::ArrowError;
use crate::to_text::{Texts, key_of};

/// The values as `f64`, the nearest one where a value has more digits than that holds; truth values are 0 and 1.
///
/// # Errors
/// If the column does not hold numbers.
pub fn numbers(column: &dyn Array) -> Result<Float64Array, ArrowError> {
    fn each<T: ArrowPrimitiveType>(column: &dyn Array, as_f64: impl Fn(T::Native) -> f64) -> Float64Array {
        let values: &PrimitiveArray<T> = column.as_primitive();
        values.unary(as_f64)
    }
    Ok(match column.data_type() {
        DataType::Float64 => column.as_primitive::<Float64Type>().clone(),
        DataType::Float32 => each::<Float32Type>(column, f64::from),
        DataType::Float16 => each::<Float16Type>(column, f64::from),
        DataType::Int8 => each::<Int8Type>(column, f64::from),
        DataType::Int16 => each::<Int16Type>(column, f64::from),
        DataType::Int32 => each::<Int32Type>(column, f64::from),
        DataType::Int64 => each::<Int64Type>(column, |value| value as f64),
        DataType::UInt8 => each::<UInt8Type>(column, f64::from),
        DataType::UInt16 => each::<UInt16Type>(column, f64::from),
        DataType::UInt32 => each::<UInt32Type>(column, f64::from),
        DataType::UInt64 => each::<UInt64Type>(column, |value| value as f64),
        DataType::Decimal32(_, scale) => {
            let decimal = Decimal::new(*scale);
            each::<Decimal32Type>(column, |value| decimal.number(value.into()))
        }
        DataType::Decimal64(_, scale) => {
            let decimal = Decimal::new(*scale);
            each::<Decimal64Type>(column, |value| decimal.number(value.into()))
        }
        DataType::Decimal128(_, scale) => {
            let decimal = Decimal::new(*scale);
            each::<Decimal128Type>(column, |value| decimal.number(value))
        }
        DataType::Decimal256(_, scale) => {
            let decimal = Decimal::new(*scale);
            each::<Decimal256Type>(column, |value| match value.to_i128() {
                Some(value) => decimal.number(value),
                None => decimal.by_text(&value.to_string()),
            })
        }
        DataType::Boolean => {
            let values = column.as_boolean();
            values.iter().map(|value| value.map(|value| f64::from(u8::from(value)))).collect()
        }
        DataType::Null => Float64Array::new_null(column.len()),
        DataType::Dictionary(_, _) => {
            let dictionary = column.as_any_dictionary();
            let (key, values) = (key_of(dictionary.keys())?, numbers(dictionary.values())?);
            let value = |row: usize| Some(key(row)).filter(|k| dictionary.keys().is_valid(row) && values.is_valid(*k));
            (0..column.len()).map(|row| value(row).map(|key| values.value(key))).collect()
        }
        other => return Err(ArrowError::CastError(format!("{other} holds no numbers"))),
    })
}

/// The values as text, each as it stands in a text file; `None` where it is missing.
///
/// # Errors
/// As for [`Texts::of`].
pub fn texts(column: &dyn Array) -> Result<Vec<Option<String>>, ArrowError> {
    let texts = Texts::of(column)?;
    let text = |row: usize| {
        let mut out = Vec::new();
        texts.write(&mut out, row);
        String::from_utf8_lossy(&out).into_owned()
    };
    Ok((0..column.len()).map(|row| (!texts.is_missing(row)).then(|| text(row))).collect())
}

/// Decimal numbers of one scale.
struct Decimal {
    scale: i8,
    /// The power of ten of the scale, if it is an `f64`.
    power: Option<f64>,
}

impl Decimal {
    fn new(scale: i8) -> Decimal {
        // 10^22 is the last power of ten without rounding.
        let power = u32::try_from(scale).ok().filter(|scale| *scale <= 22).map(|scale| 10_u128.pow(scale) as f64);
        Decimal { scale, power }
    }

    /// One division of two exact numbers is rounded once; what is not exact is read as text, which is rounded once as well.
    fn number(&self, digits: i128) -> f64 {
        match self.power {
            Some(power) if digits.unsigned_abs() <= 1 << 53 => digits as f64 / power,
            _ => self.by_text(&digits.to_string()),
        }
    }

    fn by_text(&self, digits: &str) -> f64 {
        let text = format!("{digits}e{}", -i32::from(self.scale));
        fast_float2::parse(text).unwrap_or(f64::NAN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arrow::array::{ArrayRef, BooleanArray, Decimal128Array, DictionaryArray, Int8Array, Int64Array};
    use std::sync::Arc;

    #[test]
    fn decimals_are_the_nearest_numbers() {
        for (digits, scale, expected) in [
            (1, 1, 0.1),
            (-10, 2, -0.1),
            (123_456_789_012_345_678_901_234_567_890, 10, 12_345_678_901_234_567_890.123_456_789),
            (3, -2, 300.0),
            (1, 38, 1e-38),
            (9_007_199_254_740_993, 0, 9_007_199_254_740_992.0),
            (9_007_199_254_740_993, 16, 0.900_719_925_474_099_3),
        ] {
            let array = Decimal128Array::from(vec![Some(digits), None]);
            let array = array.with_precision_and_scale(38, scale).expect("a scale");
            let found = numbers(&array).expect("numbers");
            assert_eq!(found.value(0).to_bits(), f64::to_bits(expected), "{digits}e-{scale}: {}", found.value(0));
            assert!(found.is_null(1));
        }
    }

    #[test]
    fn values_behind_keys_and_truth_values_are_numbers() {
        let values: ArrayRef = Arc::new(Int64Array::from(vec![Some(7), None]));
        let keys = Int8Array::from(vec![Some(0), Some(1), None]);
        let found = numbers(&DictionaryArray::new(keys, values)).expect("numbers");
        assert_eq!(found.iter().collect::<Vec<_>>(), [Some(7.0), None, None]);
        let found = numbers(&BooleanArray::from(vec![Some(true), None, Some(false)])).expect("numbers");
        assert_eq!(found.iter().collect::<Vec<_>>(), [Some(1.0), None, Some(0.0)]);
        assert!(numbers(&crate::arrow::array::StringArray::from(vec!["1"])).is_err());
    }
}
