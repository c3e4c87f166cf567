// @provides: attribute_visible
// @depends: (none)
// @includes: R_ext_internals

/* A program for a device has no other files to hide names from. */
#ifndef attribute_visible
#define attribute_visible
#endif
#ifndef attribute_hidden
#define attribute_hidden
#endif
