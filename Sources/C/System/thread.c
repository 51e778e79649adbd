#define _GNU_SOURCE
#include "CProbeSystem.h"

#include <pthread.h>

void probe_name_this_thread(const char *name) {
#ifdef __APPLE__
  pthread_setname_np(name);
#else
  pthread_setname_np(pthread_self(), name);
#endif
}
