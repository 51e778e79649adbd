import ProbeCore

/// Public names that resolved to non-public addresses, which shows that a third party answers DNS queries.
struct AddressFindings {
  private var urlsByAddress: [IPAddress: [String]] = [:]
  /// The operators of those names.
  private var operators: Set<OperatorName> = []

  /// Examines the probes that were not accepted.
  ///
  /// Behind a gateway that translates addresses, genuine responses can come from any address. A response over
  /// a verified connection is from the requested server, whatever its address.
  init(_ run: RunFindings) {
    for probe in [run.intercepted, run.failed].joined() {
      guard let response = probe.response, let address = response.remoteAddress?.address,
        address.isSpecialPurpose, address.reach != .machine, response.url.address == nil,
        !response.url.isLocal, !probe.isRouted,
        !(probe.hasResponse && probe.knownEncryption == .encrypted)
      else { continue }
      urlsByAddress[address, default: []].append(probe.url)
      operators.insert(OperatorName(requestedBy: probe))
    }
  }

  /// Whether they prove interception if no other traffic passes.
  ///
  /// The servers of a single operator may be on an internal network, where such addresses are correct. Those of this
  /// machine are not among the findings.
  var prove: Bool { operators.count >= 2 }

  /// The most frequent address.
  var foremost: IPAddress? { ranked.first?.key }

  private var ranked: [(key: IPAddress, value: [String])] {
    urlsByAddress.sorted { (-$0.value.count, $0.key.bits) < (-$1.value.count, $1.key.bits) }
  }

  var evidence: [Evidence] {
    ranked.prefix(10).map { address, probes in
      Evidence(
        .address,
        "\(probeCount(probes.count)) of public names connected to \(address), which is not a public address: "
          + "a third party answers name lookups",
        probes: probes)
    }
  }
}
