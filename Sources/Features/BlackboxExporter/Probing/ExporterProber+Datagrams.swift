import ProbeCore
import ProbePatterns

extension ExporterProber {
  /// Sends an echo request to a target.
  func probeICMP(_ module: ICMPModule, _ run: inout ModuleRun) async {
    for phase in ["resolve", "setup", "rtt"] { run.samples.set(.icmpPhases, phase: phase, .zero) }
    do {
      let target = try ProbeURL(scheme: .icmp, target: run.target.bracketedHostIfBare)
      guard let found = await address(of: target, module.addresses, &run) else { return }
      run.samples.set(.icmpPhases, phase: "resolve", found.lookupTime)
      var request = ProbeRequest(
        try ProbeURL("icmp://\(found.address.bracketed)"), from: module.source, within: run.remaining)
      request[PingOptions.self] = module.ping
      let start = ContinuousClock.now
      let response = try await prober.probe(request)
      guard let time = response.ping?.roundTrips.first else {
        return run.fail(.tooMuchLoss, "there was no reply within \(run.remaining)")
      }
      run.samples.set(.icmpPhases, phase: "setup", max(.zero, start.duration(to: .now) - time))
      run.samples.set(.icmpPhases, phase: "rtt", time)
      if let limit = response.ping?.hopLimit { run.samples.set(.replyHopLimit, to: Double(limit)) }
    } catch {
      run.fail(run.failure(for: error))
    }
  }

  /// Sends a query to a target.
  func probeDNS(_ module: DNSModule, _ run: inout ModuleRun) async {
    for phase in ["resolve", "connect", "request"] { run.samples.set(.dnsPhases, phase: phase, .zero) }
    let counts: [ProbeMetric] = [.answerRecords, .authorityRecords, .additionalRecords, .querySucceeded]
    for metric in counts { run.samples.set(metric, to: 0) }
    do {
      let server = try ProbeURL(scheme: .dns, target: Self.authority(run.target))
      guard let found = await address(of: server, module.addresses, &run) else { return }
      run.samples.set(.dnsPhases, phase: "resolve", found.lookupTime)
      let response = try await prober.probe(
        Self.request(module, to: found.address, of: server, within: run.remaining))
      guard let facts = response.dns else { return run.fail(.dnsFailure, "there is no DNS response") }
      let timings = response.timings
      run.samples.set(.dnsPhases, phase: "connect", (timings.connect ?? .zero) + (timings.tls ?? .zero))
      run.samples.set(.dnsPhases, phase: "request", response.timings.firstByte ?? .zero)
      judge(facts, module, &run)
    } catch {
      run.fail(run.failure(for: error))
    }
  }

  /// The query of a module, to an address of its target.
  ///
  /// - Throws: `InvalidInput` if the module's query name is invalid, or one of its files cannot be read.
  static func request(
    _ module: DNSModule, to address: IPAddress, of server: ProbeURL, within timeout: Duration
  ) throws(InvalidInput) -> ProbeRequest {
    // TLS verifies the host of the URL; the query always goes to the target.
    let host = module.usesTLS ? module.tls.serverName ?? server.host : address.description
    let scheme = module.usesTLS ? URLScheme.dnsTLS : .dns
    let port = server.explicitPort ?? scheme.defaultPort ?? 53
    let name = module.name.utf8.percentEncodedComponent()
    var request = ProbeRequest(
      try ProbeURL(
        "\(scheme)://\(host.bracketedHostIfBare):\(port)/\(name)?type=\(module.type)&class=\(module.recordClass)"
      ), from: module.source, within: timeout)
    if module.usesTLS { try request.connect(to: address, module.tls) }
    request[DNSQueryOptions.self] = module.query
    return request
  }

  private func judge(_ facts: DNSFacts, _ module: DNSModule, _ run: inout ModuleRun) {
    run.samples.set(.answerRecords, to: Double(facts.answer.count))
    run.samples.set(.authorityRecords, to: Double(facts.authority.count))
    run.samples.set(.additionalRecords, to: Double(facts.additional.count))
    run.samples.set(.querySucceeded, to: 1)
    if module.type == "SOA" {
      let serial = facts.answer.last { $0.type == "SOA" }.flatMap { Self.serial(of: $0) }
      run.samples.set(.serial, to: serial ?? 0)
    }
    for record in facts.answer + facts.authority + facts.additional { run.note("received: \(record)") }
    guard module.responseCodes.contains("\(facts.code)") else {
      return run.fail(.recordMismatch, "the response code is \(facts.code)")
    }
    let sections = [
      ("answer", facts.answer, module.answer), ("authority", facts.authority, module.authority),
      ("additional", facts.additional, module.additional),
    ]
    do throws(ProbeFailure) {
      for (name, records, rules) in sections {
        let texts = records.map { Array($0.description.utf8) }
        guard let problem = try rules.problem(of: texts) else { continue }
        throw ProbeFailure(.recordMismatch, "the \(name) section: \(problem)")
      }
    } catch {
      run.fail(error)
    }
  }

  private static func serial(of record: DNSRecord) -> Double? {
    let fields = record.data.split(separator: " ")
    return fields.count > 2 ? Double(fields[2]) : nil
  }

  /// The host and port of a target, with brackets around an IPv6 address; any other colon is before a port.
  private static func authority(_ target: String) -> String {
    IPAddress(target) == nil ? target : target.bracketedHost
  }
}

extension DNSModule.RecordRules {
  /// The reason why the records are not as expected; nil if they are.
  ///
  /// - Throws: `ProbeFailure` with `match.limit`.
  fileprivate func problem(of records: [[UInt8]]) throws(ProbeFailure) -> String? {
    if records.isEmpty {
      guard failsIfNotMatches.isEmpty, failsIfNoneMatches.isEmpty else { return "there are no records" }
    }
    for pattern in failsIfMatches where try pattern.count(in: records) > 0 {
      return "a record matches \(Excerpt(pattern.text))"
    }
    for pattern in failsIfNotMatches where try pattern.count(in: records) < records.count {
      return "a record does not match \(Excerpt(pattern.text))"
    }
    // As in blackbox_exporter, all records must match all expressions.
    var allMatch = !failsIfAllMatch.isEmpty
    for pattern in failsIfAllMatch where try pattern.count(in: records) < records.count { allMatch = false }
    if allMatch { return "all records match \(Excerpt(failsIfAllMatch[0].text))" }
    for pattern in failsIfNoneMatches where try pattern.count(in: records) > 0 { return nil }
    return failsIfNoneMatches.first.map { "no record matches \(Excerpt($0.text))" }
  }
}

extension GoPattern {
  /// The number of texts that the expression matches.
  fileprivate func count(in texts: [[UInt8]]) throws(ProbeFailure) -> Int {
    var count = 0
    for text in texts where try isFound(in: text) { count += 1 }
    return count
  }
}
