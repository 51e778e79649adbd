#define _GNU_SOURCE
#include "CProbeShims.h"

#include <spawn.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

int probe_spawn_close_from(void *actions, int first) {
#ifdef __APPLE__
  (void)actions, (void)first;
  return 0;
#else
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
#endif
}

void probe_share_one_heap(void) {
#ifdef __GLIBC__
  mallopt(M_ARENA_MAX, 1);
#endif
}
