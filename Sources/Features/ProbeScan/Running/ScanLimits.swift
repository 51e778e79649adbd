/// The limits of a scan.
package struct ScanLimits: Hashable, Sendable {
  /// The maximum number of concurrent probes.
  package var concurrency: Int
  /// The maximum number of concurrent probes for one host.
  package var perHost: Int
  /// The maximum number of concurrent probes for one address; nil for no limit.
  package var perAddress: Int?
  /// The minimum time between the starts of two probes; nil for none.
  package var interval: Duration?
  /// The maximum number of lines that wait for their host or address while others overtake them.
  package var sideQueue = 8192
  /// The number of bytes in the lines that wait, beyond which no line is read; a line may have 64 KiB.
  var waitingBytes = 16 << 20
  /// The maximum number of lines that are read ahead.
  package var lookahead: Int { concurrency }

  /// Creates limits.
  package init(concurrency: Int = 256, perHost: Int = 8) {
    self.concurrency = concurrency
    self.perHost = perHost
  }
}
