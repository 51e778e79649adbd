import PortalAnalysis
import ProbeCore
package import ProbePipeline
import ProbeBase

extension Duration {
  /// The time in seconds as a decimal number without an exponent, to the microsecond: `0.0027`, `12`.
  package var decimalSeconds: String {
    let micro = microseconds
    return (micro < 0 ? "-" : "") + micro.magnitude.decimalText(unit: 1_000_000)
  }

  /// The time for a person: `0.4 ms`, `45 ms`, `1.23 s`.
  package var forPerson: String {
    let micro = microseconds
    switch micro {
    case ..<10_000: return "\(micro / 1000).\(micro / 100 % 10) ms"
    case ..<1_000_000: return "\(micro / 1000) ms"
    default:
      let hundredths = micro / 10_000 % 100
      return "\(micro / 1_000_000).\(hundredths < 10 ? "0" : "")\(hundredths) s"
    }
  }
}

extension Duration {
  /// The time in whole microseconds, rounded.
  ///
  /// That of a time from outside, such as `seconds-remaining` (RFC 8908), may exceed 64 bits.
  private var microseconds: Int128 {
    let (seconds, attoseconds) = components
    let half: Int64 = attoseconds < 0 ? -500_000_000_000 : 500_000_000_000
    return Int128(seconds) * 1_000_000 + Int128((attoseconds + half) / 1_000_000_000_000)
  }
}

extension String {
  /// A URL as its author wrote it, without credentials.
  ///
  /// A valid ``ProbeURL`` has none, so an `@` in it is not significant.
  package var safeURL: String {
    guard utf8.contains(UInt8(ascii: "@")), (try? ProbeURL(self)) == nil else { return self }
    return withoutCredentials
  }

  /// A URL with its host in ASCII and, where that is another, the host as its author wrote it.
  var withASCIIHost: String {
    guard utf8.contains(where: { $0 >= 0x80 }), let url = try? ProbeURL(self),
      let start = firstRange(of: "://")?.upperBound
    else { return self }
    let host = self[start...].prefix { !"/?#:".contains($0) }
    return host.utf8.allSatisfy { $0 < 0x80 } ? self : "\(url.string) (\(host))"
  }
}

extension Verdict {
  /// The verdict as a word or two.
  package var words: String {
    switch self {
    case .captivePortal: "captive portal"
    case .online, .intercepted, .partial, .offline, .inconclusive, .healthy, .degraded, .unhealthy: rawValue
    }
  }

  /// The verdict, with its meaning where the word does not say it.
  package var longDescription: String {
    switch self {
    case .online: "online"
    case .captivePortal: "captive portal"
    case .intercepted: "intercepted: a third party responds in place of servers, without a login"
    case .partial: "partly online: some kinds of traffic pass, others do not"
    case .offline: "offline"
    case .inconclusive: "inconclusive: the evidence is not sufficient for a verdict"
    case .healthy, .degraded, .unhealthy: rawValue
    }
  }
}

extension RunResult {
  /// The verdict in words, with the login URL, or the services that are not as expected.
  package var verdictDescription: String {
    switch question {
    case .internet: verdict.longDescription + (loginURL.map { ": log in at \($0.string)" } ?? "")
    case .services: verdict.longDescription + (unmetDescription.map { ": \($0)" } ?? "")
    }
  }

  /// The sets that are not met, the required ones before the others, or the count of the only one; nil if all are met.
  private var unmetDescription: String? {
    let unmet = sets.filter { $0.isNeeded && $0.isMet != true }
    let names = (unmet.filter(\.isRequired) + unmet.filter { !$0.isRequired }).map { $0.name }
    guard let first = names.first else { return nil }
    if sets.count == 1 { return "\(unmet[0].accepted) of \(unmet[0].total) accepted" }
    let shown = names.prefix(5)
    let more = names.count > shown.count ? ["\(names.count - shown.count) more sets"] : []
    let parts = shown + more
    return parts.count == 1
      ? "\(first) is not met"
      : "\(parts.dropLast().joined(separator: ", ")) and \(parts[parts.count - 1]) are not met"
  }
}

extension [String: String] {
  /// Labels as text, in the order of their names: `env=prod, site=berlin`.
  var words: String {
    sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ", ")
  }
}

extension ProbeResult {
  /// The identification of the probe: its name, its URL without credentials, and the address family of its
  /// request.
  ///
  /// An internationalized host is shown in ASCII, in which names that look alike differ; its author's form is next to it.
  package var title: String {
    (name.map { "\($0): " } ?? "") + url.safeURL.withASCIIHost + (family.map { " (\($0))" } ?? "")
  }

  /// The URL of the response, or nil if there was none, because a URL is not final without a response.
  ///
  /// For protocols without a head, such as TCP, an established connection counts as a response, inside TLS
  /// after the handshake.
  var responseURL: ProbeURL? {
    guard let response else { return nil }
    let hasResponse =
      outcome == .accepted || response.head != nil || !response.redirects.isEmpty
      || (![URLScheme.http, .https].contains(response.url.scheme) && response.timings.connect != nil
        && (response.url.scheme != .tls || response.timings.tls != nil))
    return hasResponse ? response.url : nil
  }

  /// The facts about a probe other than its reason, for a detailed report; the names are those of
  /// ``JSONReport``.
  var factDescriptions: [(name: String, value: String)] {
    let facts: [(name: String, value: String?)] = [
      ("outcome", outcome.rawValue),
      ("status", response?.status.map { "\($0)" }),
      ("finalURL", responseURL?.string),
      ("remoteAddress", response?.remoteAddress?.description),
      ("labels", labels.isEmpty ? nil : labels.words),
    ]
    return facts.compactMap { name, value in value.map { (name, $0) } }
  }

  /// The reason and the detail, or nil if there is neither.
  var rejectionDescription: String? {
    let parts = [reason?.rawValue, detail].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ": ")
  }

  /// The text that named groups matched, such as `version = "2.0"`; empty if there are none.
  var capturesDescription: String {
    captures.sorted { $0.key < $1.key }.map { "\($0.key) = \(Excerpt($0.value))" }.joined(separator: ", ")
  }
}

extension ConnectionFacts {
  /// The addresses of a lookup, each with its time to live.
  var addressDescriptions: [String] {
    addresses.map { named in
      let seconds = named.timeToLive.map { " (TTL \(ValueSyntax.text(of: $0)))" } ?? ""
      return "\(named.address)\(seconds)"
    }
  }
}
