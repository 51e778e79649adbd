// The yardsticks of the benchmarks: direct calls of the C libraries.
#ifndef C_YARDSTICKS_H
#define C_YARDSTICKS_H

#include <stddef.h>
#include <stdint.h>

// A compiled pattern with the memory for its matches.
struct yardstick_pattern;

// Compiles a pattern to machine code, with the options and newlines of ProbeKit's wrapper; NULL if that fails.
struct yardstick_pattern *_Nullable yardstick_pattern_create(const char *_Nonnull pattern, size_t size);
void yardstick_pattern_free(struct yardstick_pattern *_Nonnull pattern);
// Searches the subject, and returns whether there is a match.
int yardstick_pattern_matches(struct yardstick_pattern *_Nonnull pattern, const void *_Nullable subject,
                              size_t size);

// Whether the needle is in the haystack, by memmem(3).
int yardstick_contains(const void *_Nullable haystack, size_t haystack_size, const void *_Nullable needle,
                       size_t needle_size);

// Whether both are the same bytes, by memcmp(3).
int yardstick_equals(const void *_Nullable left, const void *_Nullable right, size_t size);

// Parses a page with unmodified gumbo, and frees the tree; returns whether it has a root.
int yardstick_parse_html(const void *_Nonnull page, size_t size);

// Nanoseconds of a monotonic clock.
uint64_t yardstick_now(void);

#endif
