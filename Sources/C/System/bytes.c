#define _GNU_SOURCE
#include "CProbeSystem.h"

#include <string.h>

const void *probe_memmem(const void *haystack, size_t haystack_size, const void *needle,
                         size_t needle_size) {
  return memmem(haystack, haystack_size, needle, needle_size);
}
