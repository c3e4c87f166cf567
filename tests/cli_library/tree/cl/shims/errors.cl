// @provides: ML_WARNING
// @depends: types
#define ML_WARNING(x) /* nothing on a device */
