#ifndef C_USAGE_H
#define C_USAGE_H

/// The resources this process has used so far, measured in the same way for every client.
struct usage {
  /// Seconds of a monotonic clock.
  double seconds;
  /// CPU seconds of all threads, user and system.
  double cpu;
};

/// The resources this process has used so far.
struct usage usage_now(void);

/// Peak resident memory of this program in KiB, or -1.
///
/// Not `ru_maxrss` of getrusage(2), which also counts the memory of the program that started this one.
long usage_peak_kib(void);

#endif
