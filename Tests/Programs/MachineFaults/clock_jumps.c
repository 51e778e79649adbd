// A wall clock that jumps back and forth for a program (LD_PRELOAD): its readings are in turn JUMP_SECONDS ahead of the
// true time and behind it. The monotonic clock is unchanged.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

static atomic_uint readings;

static time_t jump(void) {
  const char *text = getenv("JUMP_SECONDS");
  time_t seconds = text == NULL ? 0 : atol(text);
  return atomic_fetch_add(&readings, 1) % 2 == 0 ? seconds : -seconds;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  static int (*real)(clockid_t, struct timespec *);
  if (real == NULL)
    real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  int result = real(clock, now);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
    now->tv_sec += jump();
  return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  (void)zone;
  struct timespec precise;
  int result = clock_gettime(CLOCK_REALTIME, &precise);
  now->tv_sec = precise.tv_sec;
  now->tv_usec = precise.tv_nsec / 1000;
  return result;
}

time_t time(time_t *place) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (place != NULL)
    *place = now.tv_sec;
  return now.tv_sec;
}
