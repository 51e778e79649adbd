#define _GNU_SOURCE
#include "CProbeSystem.h"

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

int probe_usable_processors(void) {
#ifndef __APPLE__
  cpu_set_t usable;
  if (sched_getaffinity(0, sizeof usable, &usable) == 0) return CPU_COUNT(&usable);
  // There are more processors than a cpu_set_t holds.
#endif
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? (int)count : 1;
}

void probe_share_one_heap(void) {
#ifdef __GLIBC__
  mallopt(M_ARENA_MAX, 1);
#endif
}

bool probe_descriptor_is_reserved(int descriptor) {
  enum { spared = 16 };
  // A new descriptor is the lowest one free: all below it are taken.
  // The limit as last queried; it is not queried again while the descriptor is far below it. If the limit has been
  // lowered meanwhile, the only effect is that no descriptors are reserved.
  static _Atomic rlim_t known = 0;
  if ((rlim_t)descriptor + spared < known) return false;
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return false;
  known = limit.rlim_cur;
  return (rlim_t)descriptor + spared >= limit.rlim_cur;
}
