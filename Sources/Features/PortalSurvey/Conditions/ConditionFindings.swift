import ProbeCore
import ProbePipeline

/// The evidence in the results of the pipeline of ``NetworkConditions``; no I/O.
struct ConditionFindings {
  private(set) var evidence: [Evidence] = []

  /// Reads results.
  ///
  /// - Parameters:
  ///   - observation: The results.
  ///   - probeKitRun: The run that found the verdict.
  ///   - hasRoute: Whether this machine has a route to an address.
  init(
    _ observation: NetworkConditions.Observation, beside probeKitRun: RunResult,
    hasRoute: (IPAddress) -> Bool
  ) {
    let passesEncrypted = probeKitRun.sets.flatMap(\.probes).contains {
      $0.outcome == .accepted && $0.encryption == .encrypted && $0.response?.isFromThisMachine != true
    }
    func probes(_ kind: EvidenceKind) -> [ProbeResult] { observation.probes[kind.rawValue] ?? [] }
    readUDP(probes(.udp443), passesEncrypted: passesEncrypted)
    if passesEncrypted { readIPv6(probes(.ipv6), hasRoute) }
    readPrefix(probes(.nat64))
    // This name always exists, so a name that does not is a statement.
    if probes(.nat64).contains(where: { $0.response?.dns?.code == .noError }) {
      readPolicy(probes(.dnsPolicy))
    }
  }

  private mutating func add(_ kind: EvidenceKind, _ summary: String, _ probes: [ProbeResult]) {
    evidence.append(Evidence(kind, summary, probes: probes.map(\.url)))
  }

  private mutating func readUDP(_ probes: [ProbeResult], passesEncrypted: Bool) {
    let accepted = probes.filter { $0.outcome == .accepted }
    if !accepted.isEmpty {
      add(.udp443, "UDP port 443 passes: a response to QUIC from \(accepted.hosts)", accepted)
    } else if case let others = probes.filter(\.hasForeignResponse), !others.isEmpty {
      add(
        .udp443,
        "UDP port 443 does not reach \(others.hosts): something else responds, and not by QUIC", others)
    } else if passesEncrypted, !probes.isEmpty, probes.allSatisfy(\.isWithoutResponse) {
      add(
        .udp443,
        "UDP port 443 is blocked: no response to QUIC from \(probes.hosts), so browsers use HTTP/2 in place of HTTP/3",
        probes)
    }
  }

  private mutating func readIPv6(_ probes: [ProbeResult], _ hasRoute: (IPAddress) -> Bool) {
    // A refusal is a response, of the server or of a firewall.
    let refusals: [ReasonCode?] = [.connectRefused, .connectReset]
    guard !probes.isEmpty, probes.allSatisfy({ $0.isWithoutResponse && !refusals.contains($0.reason) }) else {
      return
    }
    let addresses = probes.compactMap { $0.response?.remoteAddress?.address }.filter { $0.family == .v6 }
    guard addresses.contains(where: hasRoute) else { return }
    add(
      .ipv6,
      "IPv6 has no way out: this machine has a route, and no connection by IPv6 to \(probes.hosts) succeeds",
      probes)
  }

  private mutating func readPrefix(_ probes: [ProbeResult]) {
    let addresses = probes.compactMap(\.response?.dns).flatMap(\.answer).filter { $0.type == "AAAA" }
      .compactMap { IPAddress($0.data) }
    var prefixes: [AddressBlock] = []
    for prefix in addresses.compactMap(\.translationPrefix) where !prefixes.contains(prefix) {
      prefixes.append(prefix)
    }
    guard !prefixes.isEmpty else { return }
    let words = prefixes.prefix(3).map(\.description).joined(separator: ", ")
    add(.nat64, "IPv4 servers are reached through NAT64, by DNS64 with the prefix \(words)", probes)
  }

  private mutating func readPolicy(_ probes: [ProbeResult]) {
    // Of a name with a single family of addresses, the other lookup is without one.
    let known = Set(probes.filter { $0.response?.dns?.hasAddress == true }.compactMap(\.lookedUpName))
    let refused = probes.filter { probe in
      probe.response?.dns != nil && probe.lookedUpName.map { !known.contains($0) } ?? false
    }
    let canary = refused.filter { $0.lookedUpName == "use-application-dns.net" }
    if !canary.isEmpty {
      add(
        .dnsPolicy,
        "the network asks Firefox not to use DNS over HTTPS: use-application-dns.net has no address", canary)
    }
    // Apple names no other response as a block.
    let codes: [DNSResponseCode?] = [.noSuchName, .noError]
    let relay = refused.filter {
      $0.lookedUpName?.hasSuffix(".icloud.com") == true && codes.contains($0.response?.dns?.code)
    }
    if !relay.isEmpty {
      add(.dnsPolicy, "the network blocks iCloud Private Relay by DNS: no address of \(relay.hosts)", relay)
    }
    let designated = probes.filter { $0.lookedUpName == "_dns.resolver.arpa" }
    let names = designated.compactMap(\.response?.dns).flatMap(\.designatedResolvers)
    if !names.isEmpty {
      add(
        .dnsPolicy,
        "the DNS server of the network offers encrypted DNS (RFC 9462): "
          + names.prefix(3).map(\.escapedForDisplay).joined(separator: ", "), designated)
    }
  }
}

extension ProbeResult {
  /// Whether it was sent, and nothing came back.
  fileprivate var isWithoutResponse: Bool {
    outcome == .failed && !failed(with: .lookup) && !failed(with: [.byCaller, .thisMachine])
      && response?.isFromThisMachine != true
  }
}

extension ProbeResult {
  /// Whether it failed, and received something nevertheless.
  fileprivate var hasForeignResponse: Bool {
    outcome == .failed && response?.body.isEmpty == false && response?.isFromThisMachine != true
  }

  /// The name that a URL without a server looks up; otherwise nil.
  fileprivate var lookedUpName: String? {
    guard let url = try? ProbeURL(url), url.host.isEmpty else { return nil }
    return String(url.path.dropFirst())
  }
}

extension [ProbeResult] {
  /// The names in the URLs, each once, in words.
  fileprivate var hosts: String {
    var names: [String] = []
    for probe in self {
      guard let name = probe.lookedUpName ?? (try? ProbeURL(probe.url))?.host, !names.contains(name) else {
        continue
      }
      names.append(name)
    }
    return names.joined(separator: " and ")
  }
}

extension DNSFacts {
  fileprivate var hasAddress: Bool { answer.contains { $0.type == "A" || $0.type == "AAAA" } }

  /// The names of encrypted DNS servers (SVCB records with a priority, RFC 9462 §4).
  fileprivate var designatedResolvers: [String] {
    answer.filter { $0.type == "SVCB" }.compactMap { record in
      let fields = record.data.split(separator: " ", maxSplits: 2)
      guard fields.count > 1, fields[0] != "0", fields[1] != "." else { return nil }
      return String(fields[1].hasSuffix(".") ? fields[1].dropLast() : fields[1])
    }
  }
}

extension IPAddress {
  /// The prefix with which NAT64 makes this address from one of `ipv4only.arpa`, 192.0.0.170 or 192.0.0.171
  /// (RFC 7050 §3; the offsets are those of RFC 6052 §2.2); nil if there is none.
  var translationPrefix: AddressBlock? {
    // An IPv4 address in the form of IPv6 is no address of NAT64 (RFC 4291 §2.5.5).
    guard family == .v6, bits >> 32 != 0, bits >> 32 != 0xFFFF else { return nil }
    let wellKnown: [UInt32] = [0xC000_00AA, 0xC000_00AB]
    for length in [96, 64, 56, 48, 40, 32] where wellKnown.contains(contained(after: length)) {
      return AddressBlock(IPAddress(v6: (bits >> (128 - length)) << (128 - length)), prefixLength: length)
    }
    return nil
  }

  /// The IPv4 address behind a prefix, without the bits 64 to 71, which are always zero.
  private func contained(after length: Int) -> UInt32 {
    guard length < 96 else { return UInt32(truncatingIfNeeded: bits) }
    let (high, low) = (UInt64(truncatingIfNeeded: bits >> 64), UInt64(truncatingIfNeeded: bits) << 8)
    let rest = UInt128(high) << 64 | UInt128(low)
    // Of a prefix of 64 bits, the address begins after the zero byte.
    return UInt32(truncatingIfNeeded: rest >> (96 - length))
  }
}
