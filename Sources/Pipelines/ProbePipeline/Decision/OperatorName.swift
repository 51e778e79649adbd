import ProbeCore
import ProbeText

/// The operator of a host, judging by its name: hosts of one operator share the registrable domain.
///
/// Each address, and each name without a registrable domain, is an operator of its own.
struct OperatorName: Hashable, Sendable {
  private let name: String

  init(ofHost host: String) {
    name =
      PublicSuffixes.standard.registrableDomain(of: host)
      ?? (host.hasSuffix(".") ? String(host.dropLast()) : host)
  }

  /// Creates the operator of a probe's URL; text that is not a URL is a separate operator.
  init(requestedBy probe: ProbeResult) {
    if let url = try? ProbeURL(probe.url) {
      self.init(ofHost: url.host)
    } else {
      self.init(name: probe.url)
    }
  }

  private init(name: String) {
    self.name = name
  }
}

/// A cache of the operators of many hosts.
struct OperatorNames {
  private var names: [String: OperatorName] = [:]

  /// The operator of a probe's URL; without a redirect, the host comes from the response, which saves parsing
  /// the URL.
  mutating func name(requestedBy probe: ProbeResult) -> OperatorName {
    guard let response = probe.response, response.redirects.isEmpty else {
      return OperatorName(requestedBy: probe)
    }
    let host = response.url.host
    if let name = names[host] { return name }
    let name = OperatorName(ofHost: host)
    names[host] = name
    return name
  }
}
