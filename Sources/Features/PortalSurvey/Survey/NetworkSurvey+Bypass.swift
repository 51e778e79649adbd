import ProbeBase
import ProbeCore

/// Attempts to bypass the portal.
extension NetworkSurvey {
  func bypassAttempts() async -> [BypassAttempt] {
    guard let userServer else { return [] }
    let controls = BypassAttempt.urls(of: BypassAttempt.nowhere)
    return await withTaskGroup(of: (Int, BypassAttempt).self) { group in
      for (index, url) in BypassAttempt.urls(of: userServer).enumerated() {
        group.addTask {
          async let control = responds(controls[index])
          let hasResponded = await responds(url)
          // A network that accepts connections to anything shows nothing about the server.
          let isForAnything = await control == true
          let hasPassed = hasResponded == true && isForAnything ? nil : hasResponded
          return (index, BypassAttempt(url: url, hasPassed: hasPassed))
        }
      }
      var attempts: [(Int, BypassAttempt)] = []
      for await attempt in group { attempts.append(attempt) }
      return attempts.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }

  /// Whether something responds; nil if this machine could not try.
  private func responds(_ text: String) async -> Bool? {
    guard let url = try? ProbeURL(text) else { return nil }
    switch await response(to: request(for: url), over: transports) {
    // A forged response has addresses, and no other records.
    case .success(let response):
      return url.scheme.name != "dns" || response.dns?.answer.contains { $0.type == "TXT" } == true
    case .failure(let failure):
      return failure.reason == .invalidRequest || !failure.reason.traits.isDisjoint(with: .thisMachine)
        ? nil : false
    }
  }
}

extension BypassAttempt {
  /// The name for which the user's own server has a TXT record.
  package static let name = "probekit.test"
  /// An address that no host has (TEST-NET-1, RFC 5737 §3): any response is from the network itself.
  static let nowhere = "192.0.2.1"

  /// The attempts: a DNS query, an echo request, and connections to ports that filters often leave open.
  static func urls(of server: String) -> [String] {
    let host = server.bracketedHostIfBare
    return ["dns://\(host)/\(name)?type=TXT", "icmp://\(host)"]
      + [22, 53, 123, 443].map { "tcp://\(host):\($0)" }
  }
}
