// Small C functions for what Swift cannot import: variadic functions, macros, and GNU extensions.
#ifndef C_PROBE_SHIMS_H
#define C_PROBE_SHIMS_H

#include <stddef.h>

// The first place in the haystack where the needle stands, or NULL; as memmem(3).
const void *_Nullable probe_memmem(const void *_Nonnull haystack, size_t haystack_size,
                                   const void *_Nonnull needle, size_t needle_size);

// A parsed HTML page.
struct probe_html;

// Parses a page with gumbo; NULL when the page asks for too much memory, time or stack. The bytes must outlive it.
struct probe_html *_Nullable probe_html_parse(const void *_Nullable bytes, size_t size);
// The page's document, a GumboNode.
const void *_Nullable probe_html_document(const struct probe_html *_Nonnull page);
// Frees the page and all its nodes.
void probe_html_free(struct probe_html *_Nonnull page);

#endif
