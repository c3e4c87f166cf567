// @provides: error, warning, Rf_error, Rf_warning
// @depends: (none)
// @includes: R_ext_runtime

/* An error or a warning has nobody to go to on a device. */
#ifndef error
#define error(...)
#endif
#ifndef warning
#define warning(...)
#endif
#ifndef Rf_error
#define Rf_error(...)
#endif
#ifndef Rf_warning
#define Rf_warning(...)
#endif
