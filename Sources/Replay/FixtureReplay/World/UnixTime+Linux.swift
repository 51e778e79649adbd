internal import Glibc

/// The time of this machine in whole seconds since 1970-01-01T00:00:00Z.
func unixTime() -> Int { time(nil) }
