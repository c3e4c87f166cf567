// @provides: _
// @depends: (none)
// @includes: libR_shims

/* Messages are not translated, because nobody reads them. */
#ifndef _
#define _(text) text
#endif
#ifndef N_
#define N_(text) text
#endif
