// HTML pages parsed by gumbo, with limits of memory, time and stack.
#ifndef C_PROBE_HTML_H
#define C_PROBE_HTML_H

#include <stddef.h>

// A parsed HTML page.
struct probe_html;

// Parses a page with gumbo; NULL if that takes too much memory, time or stack. The bytes must outlive the result.
struct probe_html *_Nullable probe_html_parse(const void *_Nullable bytes, size_t size);
// The page's document, a GumboNode.
const void *_Nullable probe_html_document(const struct probe_html *_Nonnull page);
// Frees the page and all its nodes.
void probe_html_free(struct probe_html *_Nonnull page);

#endif
