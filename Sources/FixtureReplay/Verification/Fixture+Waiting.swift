extension Fixture {
  /// Whether a client of this network may have to wait until its own patience ends, or for as long as the fixture says.
  ///
  /// Such a run costs time and next to no work. A fixture that makes its clients wait in another way, as by announcing
  /// more content than it sends, is not recognised.
  package var makesClientsWait: Bool {
    listeners.values.contains { $0 == .blackhole || $0 == .hold }
      || dns.rules.contains { $0.value == .timeout }
      || tls.rules.contains { $0.value == .stall }
      || routes.contains { $0.end == .hold || $0.fault?.kind.takesTime ?? false }
  }
}

extension ReplayFault.Kind {
  fileprivate var takesTime: Bool {
    switch self {
    case .delay, .slowHeaders, .slowBody, .stallHeaders, .stallBody, .continueForever, .endlessHeaders,
      .endlessBody:
      true
    case .rstEarly, .rstAfter, .emptyFin, .halfClose, .shortBody, .chunkCut, .chunkBad, .headerCut, .garbage,
      .badGzip, .gzipBomb:
      false
    }
  }
}
