//! Memory of others as Arrow's columns, and ours for others: NumPy's arrays, and the Arrow PyCapsule interface.

use crate::errors;
use gristmill::tables::io::MemoryTable;
use gristmill::tables::io::arrow::array::{
    Array, ArrayRef, BooleanArray, DictionaryArray, Int32Array, NullArray, PrimitiveArray, RecordBatch,
    RecordBatchIterator, RecordBatchOptions, RecordBatchReader, StringArray, StructArray,
};
use gristmill::tables::io::arrow::buffer::{BooleanBuffer, Buffer, NullBuffer, ScalarBuffer};
use gristmill::tables::io::arrow::datatypes::{
    ArrowPrimitiveType, Date32Type, Field, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, Schema,
    SchemaRef, TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType,
    UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use gristmill::tables::io::arrow::ffi::{
    FFI_ArrowArray, FFI_ArrowArrayStream, FFI_ArrowSchema, RecordBatchStreamReader, from_ffi,
};
use numpy::ndarray::ArrayView1;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyCapsuleMethods, PyList, PyString, PyTuple};
use std::ffi::CStr;
use std::panic::AssertUnwindSafe;
use std::ptr::NonNull;
use std::sync::Arc;

const STREAM: &CStr = c"arrow_array_stream";
const ARRAY: &CStr = c"arrow_array";
const SCHEMA: &CStr = c"arrow_schema";

/// A table of columns that Python has sorted out: `(name, kind, values, mask, more)`.
pub(crate) fn table_of_columns(rows: usize, columns: &Bound<'_, PyList>) -> PyResult<MemoryTable> {
    let (mut fields, mut arrays) = (Vec::new(), Vec::new());
    for column in columns {
        let column = column.cast::<PyTuple>()?;
        let (name, kind): (String, String) = (column.get_item(0)?.extract()?, column.get_item(1)?.extract()?);
        let (values, mask, more) = (column.get_item(2)?, column.get_item(3)?, column.get_item(4)?);
        let array = column_of(rows, &kind, &values, &mask, &more)?;
        if array.len() != rows {
            return Err(PyValueError::new_err(format!(
                "column `{name}` has {} values, but the table has {rows} rows",
                array.len()
            )));
        }
        fields.push(Field::new(name, array.data_type().clone(), true));
        arrays.push(array);
    }
    let schema: SchemaRef = Arc::new(Schema::new(fields));
    let options = RecordBatchOptions::new().with_row_count(Some(rows));
    let batch = RecordBatch::try_new_with_options(schema.clone(), arrays, &options).map_err(|e| errors::value(&e))?;
    MemoryTable::new(schema, vec![batch]).map_err(|e| errors::of_table(&e))
}

fn column_of(
    rows: usize,
    kind: &str,
    values: &Bound<'_, PyAny>,
    mask: &Bound<'_, PyAny>,
    more: &Bound<'_, PyAny>,
) -> PyResult<ArrayRef> {
    let nulls = nulls(mask)?;
    Ok(match kind {
        "nothing" => Arc::new(NullArray::new(rows)),
        "numbers" => numbers(values, nulls)?,
        "text" => {
            let texts = values.cast::<PyList>()?;
            let text = |item: Bound<'_, PyAny>| -> PyResult<Option<String>> {
                if item.is_none() { Ok(None) } else { Ok(Some(item.cast::<PyString>()?.to_str()?.to_string())) }
            };
            Arc::new(StringArray::from(texts.iter().map(text).collect::<PyResult<Vec<Option<String>>>>()?))
        }
        "codes" => {
            let levels: Vec<String> = more.extract()?;
            let codes = values.cast::<PyArray1<i32>>()?;
            // SAFETY: Python made the array for this call; nobody writes to it.
            let codes = unsafe { codes.as_slice() }.map_err(|e| PyValueError::new_err(e.to_string()))?;
            let code = |c: &i32| usize::try_from(*c).ok().filter(|c| *c < levels.len()).map(|_| *c);
            let keys = Int32Array::from(codes.iter().map(code).collect::<Vec<Option<i32>>>());
            let levels: ArrayRef = Arc::new(StringArray::from(levels));
            Arc::new(DictionaryArray::try_new(keys, levels).map_err(|e| errors::value(&e))?)
        }
        "time" => {
            let unit: String = more.extract()?;
            match unit.as_str() {
                "D" => {
                    let days = values.cast::<PyArray1<i32>>()?;
                    Arc::new(PrimitiveArray::<Date32Type>::new(shared(days), nulls))
                }
                other => {
                    let ticks = shared(values.cast::<PyArray1<i64>>()?);
                    match other {
                        "s" => Arc::new(PrimitiveArray::<TimestampSecondType>::new(ticks, nulls)),
                        "ms" => Arc::new(PrimitiveArray::<TimestampMillisecondType>::new(ticks, nulls)),
                        "us" => Arc::new(PrimitiveArray::<TimestampMicrosecondType>::new(ticks, nulls)),
                        _ => Arc::new(PrimitiveArray::<TimestampNanosecondType>::new(ticks, nulls)),
                    }
                }
            }
        }
        other => return Err(PyTypeError::new_err(format!("`{other}` is no kind of column"))),
    })
}

/// Where values are there; the mask says where they are missing.
fn nulls(mask: &Bound<'_, PyAny>) -> PyResult<Option<NullBuffer>> {
    if mask.is_none() {
        return Ok(None);
    }
    let mask = mask.cast::<PyArray1<bool>>()?;
    // SAFETY: Python made the array for this call; nobody writes to it.
    let mask = unsafe { mask.as_slice() }.map_err(|e| PyValueError::new_err(e.to_string()))?;
    Ok(Some(NullBuffer::new(BooleanBuffer::collect_bool(mask.len(), |i| !mask[i]))))
}

fn numbers(values: &Bound<'_, PyAny>, nulls: Option<NullBuffer>) -> PyResult<ArrayRef> {
    if let Ok(values) = values.cast::<PyArray1<bool>>() {
        // SAFETY: as NumPy's own functions, this relies on nobody writing meanwhile.
        let truth = unsafe { values.as_slice() }.map_err(|e| PyValueError::new_err(e.to_string()))?;
        return Ok(Arc::new(BooleanArray::new(BooleanBuffer::collect_bool(truth.len(), |i| truth[i]), nulls)));
    }
    macro_rules! primitive {
        ($($element:ty => $type:ty;)*) => {
            $(if let Ok(values) = values.cast::<PyArray1<$element>>() {
                return Ok(Arc::new(PrimitiveArray::<$type>::new(shared(values), nulls)));
            })*
        };
    }
    primitive! {
        f64 => Float64Type; f32 => Float32Type; i64 => Int64Type; i32 => Int32Type; i16 => Int16Type; i8 => Int8Type;
        u64 => UInt64Type; u32 => UInt32Type; u16 => UInt16Type; u8 => UInt8Type;
    }
    let ty = values.getattr("dtype").and_then(|d| d.str()).map_or_else(|_| "?".into(), |d| d.to_string());
    Err(PyTypeError::new_err(format!("an array of {ty} holds no numbers")))
}

/// The memory of an array as Arrow's, without a copy: the array lives as long as somebody uses it.
///
/// Python hands over arrays of one dimension, contiguous and aligned; one that is not would be a mistake of ours, and is
/// copied.
fn shared<T: numpy::Element + gristmill::tables::io::arrow::buffer::ArrowNativeType>(
    array: &Bound<'_, PyArray1<T>>,
) -> ScalarBuffer<T> {
    // SAFETY: as NumPy's own functions, this relies on nobody writing meanwhile.
    let Ok(values) = (unsafe { array.as_slice() }) else {
        return ScalarBuffer::from(array.to_vec().unwrap_or_default());
    };
    if values.is_empty() || !values.as_ptr().is_aligned() {
        return ScalarBuffer::from(values.to_vec());
    }
    let owner = Arc::new(AssertUnwindSafe(array.clone().unbind()));
    let place = NonNull::from(values).cast::<u8>();
    // SAFETY: the owner keeps the memory, which has this many bytes, at its place.
    let buffer = unsafe { Buffer::from_custom_allocation(place, size_of_val(values), owner) };
    ScalarBuffer::new(buffer, 0, values.len())
}

/// A table from whatever has the Arrow PyCapsule interface.
pub(crate) fn table_of_capsules(object: &Bound<'_, PyAny>) -> PyResult<MemoryTable> {
    let py = object.py();
    if object.hasattr("__arrow_c_stream__")? {
        let capsule = object.call_method0("__arrow_c_stream__")?;
        let capsule = capsule.cast::<PyCapsule>()?;
        let stream = capsule.pointer_checked(Some(STREAM))?.cast::<FFI_ArrowArrayStream>();
        // SAFETY: the interface says that a capsule of this name holds such a stream; it is moved out, which marks it.
        let reader = unsafe { RecordBatchStreamReader::from_raw(stream.as_ptr()) }.map_err(|e| errors::value(&e))?;
        let schema = reader.schema();
        // The producer may need Python's lock, or take long.
        let batches = py.detach(move || reader.collect::<Result<Vec<RecordBatch>, _>>());
        let batches = batches.map_err(|e| errors::value(&e))?;
        return MemoryTable::new(schema, batches).map_err(|e| errors::of_table(&e));
    }
    let both = object.call_method0("__arrow_c_array__")?;
    let both = both.cast::<PyTuple>()?;
    let (schema, array) = (both.get_item(0)?, both.get_item(1)?);
    let schema = schema.cast::<PyCapsule>()?.pointer_checked(Some(SCHEMA))?.cast::<FFI_ArrowSchema>();
    let array = array.cast::<PyCapsule>()?.pointer_checked(Some(ARRAY))?.cast::<FFI_ArrowArray>();
    // SAFETY: the interface says what capsules of these names hold; the array is moved out, which marks it.
    let data = unsafe { from_ffi(FFI_ArrowArray::from_raw(array.as_ptr()), schema.as_ref()) };
    let data = data.map_err(|e| errors::value(&e))?;
    if !matches!(data.data_type(), gristmill::tables::io::arrow::datatypes::DataType::Struct(_)) {
        return Err(PyTypeError::new_err(format!("`table` is an array of {}, but must be a table", data.data_type())));
    }
    let batch = RecordBatch::from(StructArray::from(data));
    MemoryTable::new(batch.schema(), vec![batch]).map_err(|e| errors::of_table(&e))
}

/// The stream of a table's parts, for whoever takes it. They share the table's memory.
pub(crate) fn stream<'py>(py: Python<'py>, table: &MemoryTable) -> PyResult<Bound<'py, PyCapsule>> {
    let parts: Vec<_> = table.batches().iter().cloned().map(Ok).collect();
    let reader = RecordBatchIterator::new(parts, table.schema().clone());
    let stream = Box::new(FFI_ArrowArrayStream::new(Box::new(reader)));
    capsule(py, stream, STREAM)
}

/// The schema of a table.
pub(crate) fn schema<'py>(py: Python<'py>, table: &MemoryTable) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(table.schema().as_ref()).map_err(|e| errors::value(&e))?;
    capsule(py, Box::new(schema), SCHEMA)
}

/// A capsule that drops what it holds, unless somebody has moved it out, which leaves something empty to drop.
fn capsule<'py, T>(py: Python<'py>, content: Box<T>, name: &'static CStr) -> PyResult<Bound<'py, PyCapsule>> {
    /// # Safety
    /// 1. The capsule holds a `Box<T>` as a pointer.
    unsafe extern "C" fn free<T>(capsule: *mut ffi::PyObject) {
        // SAFETY: a capsule of ours, under its own name; (1).
        unsafe {
            let pointer = ffi::PyCapsule_GetPointer(capsule, ffi::PyCapsule_GetName(capsule));
            if !pointer.is_null() {
                drop(Box::from_raw(pointer.cast::<T>()));
            }
        }
    }
    let pointer = NonNull::from(Box::leak(content)).cast();
    // SAFETY: `free` takes what was leaked, once.
    unsafe { PyCapsule::new_with_pointer_and_destructor(py, pointer, name, Some(free::<T>)) }
}

/// The values of a column: an array or, of text, a list; where they are missing; and the unit of times.
pub(crate) type Values<'py> = (Bound<'py, PyAny>, Option<Bound<'py, PyArray1<bool>>>, Option<&'static str>);

/// Keeps the memory of a column for the array that lies over it.
#[pyclass(frozen, module = "gristmill._gristmill")]
struct Memory(#[expect(dead_code, reason = "it is there to be kept")] ArrayRef);

/// Doubles of which none is missing, in one or more parts: what most results are. To join the parts first would be one copy of
/// them more; a single part that is `ours` alone, which nobody else reads or writes, needs none.
pub(crate) fn doubles_of<'py>(py: Python<'py>, parts: &[ArrayRef], ours: bool) -> PyResult<Option<Bound<'py, PyAny>>> {
    use gristmill::tables::io::arrow::array::{Array, AsArray, Float64Array};
    let doubles =
        |part: &'_ ArrayRef| -> bool { part.as_primitive_opt::<Float64Type>().is_some_and(|d| d.null_count() == 0) };
    if parts.is_empty() || !parts.iter().all(doubles) {
        return Ok(None);
    }
    if let ([one], true) = (parts, ours) {
        let values = ArrayView1::from(one.as_primitive::<Float64Type>().values().as_ref());
        let memory = Bound::new(py, Memory(one.clone()))?;
        // SAFETY: the values stay where they are as long as `memory` lives, which the array keeps.
        return Ok(Some(unsafe { PyArray1::borrow_from_array(&values, memory.into_any()) }.into_any()));
    }
    let parts = parts.iter().map(|part| -> &Float64Array { part.as_primitive() });
    // SAFETY: every element is written below, before anybody sees the array.
    let array = unsafe { PyArray1::<f64>::new(py, parts.clone().map(Array::len).sum::<usize>(), false) };
    let mut to = array.data();
    for part in parts {
        // SAFETY: the array has as many elements as all parts together, and is new.
        unsafe {
            std::ptr::copy_nonoverlapping(part.values().as_ptr(), to, part.len());
            to = to.add(part.len());
        }
    }
    Ok(Some(array.into_any()))
}

/// A column for NumPy.
pub(crate) fn values_of<'py>(py: Python<'py>, column: &ArrayRef) -> PyResult<Values<'py>> {
    use gristmill::tables::io::arrow::array::AsArray;
    use gristmill::tables::io::arrow::datatypes::{DataType, TimeUnit};
    let missing = column.logical_nulls().filter(|nulls| nulls.null_count() > 0);
    let missing = missing.map(|nulls| PyArray1::from_vec(py, nulls.iter().map(|there| !there).collect()));
    fn native<'py, T: ArrowPrimitiveType>(py: Python<'py>, column: &ArrayRef) -> Bound<'py, PyAny>
    where
        T::Native: numpy::Element,
    {
        PyArray1::from_slice(py, column.as_primitive::<T>().values()).into_any()
    }
    let mut unit = None;
    let values = match column.data_type() {
        DataType::Float64 => native::<Float64Type>(py, column),
        DataType::Float32 => native::<Float32Type>(py, column),
        DataType::Int8 => native::<Int8Type>(py, column),
        DataType::Int16 => native::<Int16Type>(py, column),
        DataType::Int32 => native::<Int32Type>(py, column),
        DataType::Int64 => native::<Int64Type>(py, column),
        DataType::UInt8 => native::<UInt8Type>(py, column),
        DataType::UInt16 => native::<UInt16Type>(py, column),
        DataType::UInt32 => native::<UInt32Type>(py, column),
        DataType::UInt64 => native::<UInt64Type>(py, column),
        DataType::Boolean => PyArray1::from_vec(py, column.as_boolean().values().iter().collect()).into_any(),
        DataType::Date32 => {
            unit = Some("D");
            native::<Date32Type>(py, column)
        }
        DataType::Timestamp(kind, _) => {
            let (name, ticks) = match kind {
                TimeUnit::Second => ("s", native::<TimestampSecondType>(py, column)),
                TimeUnit::Millisecond => ("ms", native::<TimestampMillisecondType>(py, column)),
                TimeUnit::Microsecond => ("us", native::<TimestampMicrosecondType>(py, column)),
                TimeUnit::Nanosecond => ("ns", native::<TimestampNanosecondType>(py, column)),
            };
            unit = Some(name);
            ticks
        }
        DataType::Float16
        | DataType::Decimal32(..)
        | DataType::Decimal64(..)
        | DataType::Decimal128(..)
        | DataType::Decimal256(..) => {
            let numbers = gristmill::tables::io::numbers(column).map_err(|e| errors::value(&e))?;
            PyArray1::from_slice(py, numbers.values()).into_any()
        }
        _ => {
            let texts = gristmill::tables::io::texts(column).map_err(|e| errors::value(&e))?;
            PyList::new(py, texts)?.into_any()
        }
    };
    Ok((values, missing, unit))
}
