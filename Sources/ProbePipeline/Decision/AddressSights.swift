import ProbeCore

/// Public names that led to addresses which no public host has: somebody answers in the place of DNS.
struct AddressSights {
  private var places: [IPAddress: [String]] = [:]
  /// The operators whose names led there.
  private(set) var operators: Set<OperatorName> = []

  /// Looks at the probes that were not accepted: behind a gateway that translates addresses, right answers may come
  /// from anywhere.
  init(_ sights: RunSights) {
    for probe in [sights.intercepted, sights.failed].joined() {
      guard let address = probe.response?.remoteAddress?.address, address.isSpecialPurpose,
        let url = try? ProbeURL(probe.url), url.isPublicName
      else { continue }
      places[address, default: []].append(probe.url)
      operators.insert(OperatorName(askedBy: probe))
    }
  }

  /// The addresses in words.
  var evidence: [Evidence] {
    places.sorted { (-$0.value.count, $0.key.bits) < (-$1.value.count, $1.key.bits) }.prefix(10).map {
      address, probes in
      Evidence(
        .address,
        "\(probeCount(probes.count)) of public names led to \(address), which is no public address",
        probes: probes)
    }
  }
}

extension ProbeURL {
  /// Whether the host is a name of the public DNS, rather than an address or a name of a local network.
  fileprivate var isPublicName: Bool {
    guard address == nil else { return false }
    let labels = host.split(separator: ".")
    return labels.count > 1
      && !["local", "lan", "internal", "home", "arpa", "localhost"].contains(labels.last)
  }
}
