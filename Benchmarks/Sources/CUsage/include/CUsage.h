#ifndef C_USAGE_H
#define C_USAGE_H

/// What this process has used so far, measured in one way for every client.
struct usage {
  /// Seconds of a clock that only goes forward.
  double seconds;
  /// CPU seconds of all threads, user and system.
  double cpu;
};

/// What this process has used so far.
struct usage usage_now(void);

/// Peak resident memory of this program in KiB, or -1.
///
/// Not `ru_maxrss` of `getrusage`: that one counts the memory of the program that started this one, too.
long usage_peak_kib(void);

#endif
