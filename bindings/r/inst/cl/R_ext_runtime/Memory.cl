// @provides: vmaxget, vmaxset
// @depends: (none)
// @includes: R_ext_runtime

/* There is no memory to take on a device: R's bookkeeping of it does nothing. */
#ifndef vmaxget
#define vmaxget() 0
#endif
#ifndef vmaxset
#define vmaxset(x)
#endif
