import ProbeCore

/// Public names that led to addresses which no public host has: somebody answers in the place of DNS.
struct AddressFindings {
  private var places: [IPAddress: [String]] = [:]
  /// The operators whose names led there.
  private(set) var operators: Set<OperatorName> = []

  /// Looks at the probes that were not accepted.
  ///
  /// Behind a gateway that translates addresses, right answers may come from anywhere. What came over a verified
  /// connection came from the one that was asked, wherever that is.
  init(_ run: RunFindings) {
    for probe in [run.intercepted, run.failed].joined() {
      guard let response = probe.response, let address = response.remoteAddress?.address,
        address.isSpecialPurpose, response.url.address == nil, !response.url.isLocal, !probe.isRouted,
        !(probe.isAnswered && probe.knownEncryption == .encrypted)
      else { continue }
      places[address, default: []].append(probe.url)
      operators.insert(OperatorName(askedBy: probe))
    }
  }

  /// Whether they prove it where nothing got through: the servers of one operator alone may be on an inner network,
  /// whose names lead there rightly.
  var prove: Bool { operators.count >= 2 }

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
