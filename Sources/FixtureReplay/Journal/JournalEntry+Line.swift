internal import ProbeCore

extension JournalEntry {
  /// The entry on one line, fit to be shown: what was asked, and what came of it.
  public var line: String {
    var line = "\(number) \(listener.rawValue) "
    if let head = request?.head {
      let port = self.port.map { ":\($0)" } ?? ""
      line += "\(head.method) \((host ?? "-") + port) \(head.requestTarget)"
    } else {
      line += destination.map { "\($0.host):\($0.port)" } ?? serverName ?? "-"
      if !received.isEmpty { line += " received \(Excerpt(String(decoding: received, as: UTF8.self)))" }
    }
    return (line + " → " + outcome.words).escapedForDisplay
  }
}

extension JournalEntry.Outcome {
  fileprivate var words: String {
    switch self {
    case .answered(let hit):
      var words = "\(hit.fixture)/\(hit.route)"
      if let fault = hit.fault { words += ", fault \(fault.rawValue)" }
      if let after = hit.stateAfter, after != hit.stateBefore { words += ", now \(after)" }
      return words
    case .unmatched(let misses):
      guard let nearest = misses.first else { return "no route matches: there is none" }
      return "no route matches; nearest: \(nearest)"
    case .malformed(let malformed): return "\(malformed.status): \(malformed.reason)"
    case .tlsFailed(let reason): return "no TLS: \(reason)"
    }
  }
}
