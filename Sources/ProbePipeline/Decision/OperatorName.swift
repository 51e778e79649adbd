import ProbeCore

/// Who runs a host, as far as its name tells: hosts of one operator share the domain that was registered.
///
/// Which part of a name that is, only a list of all registries can say (https://publicsuffix.org). Here a name under a
/// country's domain has three labels when the second one is a common one of registries, such as `co` and `com`, and two
/// otherwise. Erring splits one operator into two, or joins two: it shifts a weight, and decides nothing alone.
struct OperatorName: Hashable, Sendable {
  private let name: String

  /// The operator of a host.
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

  /// The operator that a probe asked; a text that is no URL is an operator of its own.
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

/// The operators of many hosts, each found out once.
struct OperatorNames {
  private var names: [String: OperatorName] = [:]

  /// The operator that a probe asked; of one that was answered where it asked, the answer knows the host.
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
