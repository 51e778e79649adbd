#include "CUsage.h"

#include <stdio.h>
#include <time.h>

static double read_clock(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

struct usage usage_now(void) {
  return (struct usage){.seconds = read_clock(CLOCK_MONOTONIC), .cpu = read_clock(CLOCK_PROCESS_CPUTIME_ID)};
}

long usage_peak_kib(void) {
  FILE *status = fopen("/proc/self/status", "re");
  if (!status)
    return -1;
  char line[256];
  long peak = -1;
  while (peak < 0 && fgets(line, sizeof line, status))
    if (sscanf(line, "VmHWM: %ld", &peak) != 1)
      peak = -1;
  fclose(status);
  return peak;
}
