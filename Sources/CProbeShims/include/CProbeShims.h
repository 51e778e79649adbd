// Small C functions for what Swift cannot import: variadic functions, macros, and GNU extensions.
#ifndef C_PROBE_SHIMS_H
#define C_PROBE_SHIMS_H

#include <stddef.h>

// The first place in the haystack where the needle stands, or NULL; as memmem(3).
const void *_Nullable probe_memmem(const void *_Nonnull haystack, size_t haystack_size,
                                   const void *_Nonnull needle, size_t needle_size);

#endif
