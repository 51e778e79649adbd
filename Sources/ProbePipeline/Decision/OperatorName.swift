import ProbeCore

/// The operator of a host, judging by its name: hosts of one operator share the registered domain.
///
/// Only the public suffix list (https://publicsuffix.org) defines the registered part of a name. This type
/// uses an approximation: three labels under a country's domain if the second one is a common registry label
/// such as `co` or `com`, otherwise two. A wrong guess splits one operator into two, or joins two: it shifts
/// a weight, and is never decisive alone.
struct OperatorName: Hashable, Sendable {
  private let name: String

  /// Creates the operator of a host.
  init(ofHost host: String) {
    guard IPAddress(host) == nil else {
      name = host
      return
    }
    let labels = host.split(separator: ".")
    let isUnderRegistry =
      labels.count > 2 && labels[labels.count - 1].utf8.count == 2
      && Self.registries.contains(labels[labels.count - 2])
    name = labels.suffix(isUnderRegistry ? 3 : 2).joined(separator: ".")
  }

  /// Creates the operator of a probe's URL; text that is not a URL is a separate operator.
  init(askedBy probe: ProbeResult) {
    if let url = try? ProbeURL(probe.url) {
      self.init(ofHost: url.host)
    } else {
      self.init(name: probe.url)
    }
  }

  private init(name: String) {
    self.name = name
  }

  private static let registries: Set<Substring> = [
    "ac", "co", "com", "edu", "go", "gob", "gov", "ne", "net", "or", "org",
  ]
}

/// A cache of the operators of many hosts.
struct OperatorNames {
  private var names: [String: OperatorName] = [:]

  /// The operator of a probe's URL; without a redirect, the host comes from the response, which saves parsing
  /// the URL.
  mutating func name(askedBy probe: ProbeResult) -> OperatorName {
    guard let response = probe.response, response.redirects.isEmpty else {
      return OperatorName(askedBy: probe)
    }
    let host = response.url.host
    if let name = names[host] { return name }
    let name = OperatorName(ofHost: host)
    names[host] = name
    return name
  }
}
