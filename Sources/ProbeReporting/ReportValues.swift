import ProbeCore
import ProbePipeline

extension Duration {
  /// The time in seconds, to the microsecond: finer than any clock of a probe, and short when written out.
  var inSeconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + (Double(attoseconds) / 1e12).rounded() / 1e6
  }

  /// The time for a person: `0.4 ms`, `45 ms`, `1.23 s`.
  var forPerson: String {
    let micro = Int(inSeconds * 1e6)
    switch micro {
    case ..<10_000: return "\(micro / 1000).\(micro / 100 % 10) ms"
    case ..<1_000_000: return "\(micro / 1000) ms"
    default:
      let hundredths = micro / 10_000 % 100
      return "\(micro / 1_000_000).\(hundredths < 10 ? "0" : "")\(hundredths) s"
    }
  }
}

extension String {
  /// A URL as its author wrote it, without credentials: one that is a ``ProbeURL`` has none, and its `@` means nothing.
  var safeURL: String {
    guard utf8.contains(UInt8(ascii: "@")), (try? ProbeURL(self)) == nil else { return self }
    return withoutCredentials
  }
}

extension Verdict {
  /// The verdict in words.
  var inWords: String {
    switch self {
    case .online: "online"
    case .captivePortal: "captive portal"
    case .intercepted: "intercepted: somebody answers in place of others, with nothing to log in to"
    case .partial: "partly online: some kinds of traffic pass, others do not"
    case .offline: "offline"
    case .inconclusive: "inconclusive: what was seen does not decide the question"
    }
  }
}

extension ProbeResult {
  /// Reason and detail, or nil when there is neither.
  var rejectionInWords: String? {
    let parts = [reason?.rawValue, detail].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ": ")
  }

  /// What the named groups of patterns matched, such as `version = "2.0"`; empty without any.
  var capturesInWords: String {
    captures.sorted { $0.key < $1.key }.map { "\($0.key) = \(Excerpt($0.value))" }.joined(separator: ", ")
  }
}
