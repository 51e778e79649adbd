import FoundationEssentials
import ProbeCodecs
import ProbeCore
import ProbePatterns

extension ExporterProber {
  /// Probes a target over HTTP.
  func probeHTTP(_ module: HTTPModule, hostname: String?, _ run: inout ModuleRun) async {
    for metric in HTTPModuleJudge.metrics { run.samples.set(metric, to: 0) }
    let request: HTTPModuleRequest
    do throws(InvalidInput) {
      request = try HTTPModuleRequest(run.target, module, hostname: hostname)
    } catch {
      return run.fail(run.failure(for: error))
    }
    var address: IPAddress?
    var lookupTime: Duration?
    var knownAddresses: FoundAddresses?
    if request.leavesLookupToProxy {
      knownAddresses = await judgedAddresses(ofProxied: request.url, &run)
      guard run.failure == nil else { return }
    } else {
      let target = await self.address(
        of: request.url, module.addresses, proxyLooksUp: request.isForwarded, &run)
      lookupTime = target?.lookupTime
      run.samples.set(.httpPhases, phase: "resolve", lookupTime ?? .zero)
      guard let target else { return }
      address = target.address
      if request.isForwarded { knownAddresses = target.found }
    }
    for phase in ["connect", "tls", "processing", "transfer"] {
      run.samples.set(.httpPhases, phase: phase, .zero)
    }
    let share = memory.share(of: run.target, keepsBytes: module.readsBody)
    defer { share.end() }
    let result: Result<ProbeResponse, ProbeFailure>
    do {
      let remaining = run.remaining
      guard remaining > .zero else { throw ProbeFailure(.totalTimeout, "no time is left after the lookup") }
      var probe = try request.request(to: address, timeout: remaining)
      probe.bodyKeeping = share
      probe.knownAddresses = knownAddresses
      run.redactor = probe.redactor
      result = .success(try await prober.probe(probe))
    } catch let failure as ProbeFailure {
      let shortage = share.shortage.map { ProbeFailure($0.reason, $0.detail, partial: failure.partial) }
      result = .failure(shortage ?? failure)
    } catch {
      result = .failure(ProbeFailure(.invalidRequest, "\(error)"))
    }
    await HTTPModuleJudge(module: module, lookupTime: lookupTime, share: share).judge(result, &run)
  }
}

/// Judges the response of an HTTP module, in the order of blackbox_exporter.
struct HTTPModuleJudge {
  /// The metrics of every probe, even one whose name is not found.
  static let metrics: [ProbeMetric] = [
    .contentLength, .bodyLength, .redirects, .usesTLS, .statusCode, .httpVersion, .failedDueToRegex,
  ]

  let module: HTTPModule
  /// The duration of the target's lookup; nil if the proxy looks it up.
  let lookupTime: Duration?
  /// The share of the probe in the memory of all.
  let share: MemoryShare

  /// Sets the samples of a probe, and fails it if the response is not as the module expects.
  func judge(_ result: Result<ProbeResponse, ProbeFailure>, _ run: inout ModuleRun) async {
    var failure: ProbeFailure?
    let response: ProbeResponse?
    switch result {
    case .success(let received):
      response = received
      failure = redirectFailure(of: received)
    case .failure(let error):
      response = error.partial
      // The last redirect is then the response to judge.
      if error.reason != .tooManyRedirects { failure = error }
    }
    for hop in response?.redirects ?? [] {
      run.note("status \(hop.status) of \(hop.url): redirect to \(hop.target?.string ?? "no URL")")
    }
    // Go's client does not treat a redirect that it cannot follow as a response.
    guard let response, let head = response.head,
      failure == nil || !isUnfollowedRedirect(head, of: response)
    else {
      if let response { setConnectionSamples(of: response, &run) }
      if let failure { run.samples.addCertificates(refusedBy: failure) }
      return run.fail(failure ?? ProbeFailure(.httpNoResponse, "there is no response"))
    }
    if let remote = response.remoteAddress { run.note("\(remote) responded with status \(head.status)") }
    if !isExpected(head.status) { run.fail(.httpStatus, "the status is \(head.status)") }
    if run.failure == nil { judgeFields(of: head, &run) }
    let isLeftUnread = isUnfollowedRedirect(head, of: response)
    let body = await body(of: response, isComplete: failure == nil, &run)
    if run.failure == nil { judge(body: body.bytes, &run) }
    if let failure { run.fail(failure) }
    setSamples(of: response, head, bodyLength: isLeftUnread ? 0 : body.count, &run)
    judgeConnection(response, head, &run)
  }

  private func isExpected(_ status: Int) -> Bool {
    module.statusCodes.isEmpty ? (200..<300).contains(status) : module.statusCodes.contains(status)
  }

  /// Whether it is a redirect that Go's client receives and does not follow; its body is not read.
  private func isUnfollowedRedirect(_ head: HTTPResponseHead, of response: ProbeResponse) -> Bool {
    RedirectHop(of: head, from: response.url)?.location?.isEmpty == false
  }

  /// The reason why a redirect was not followed although the module follows redirects; nil if the response is
  /// no such redirect.
  private func redirectFailure(of response: ProbeResponse) -> ProbeFailure? {
    guard module.followsRedirects, let head = response.head, isUnfollowedRedirect(head, of: response) else {
      return nil
    }
    return ProbeFailure(.httpRedirect, "the location of the redirect cannot be requested", partial: response)
  }

  private func judgeConnection(_ response: ProbeResponse, _ head: HTTPResponseHead, _ run: inout ModuleRun) {
    let version = "HTTP/\(head.version == "2" ? "2.0" : head.version)"
    if !module.versions.isEmpty, !module.versions.contains(version) {
      run.fail(.httpProtocol, "the version is \(version), and not one of \(module.versions.alternatives)")
    }
    if response.tls != nil {
      if module.failsIfSSL { run.fail(.rejected, "the final response was over TLS, and fail_if_ssl is set") }
    } else if module.failsIfNotSSL, run.failure == nil {
      run.fail(.plaintext, "the final response was not over TLS, and fail_if_not_ssl is set")
    }
  }
}

/// Header fields and body.
extension HTTPModuleJudge {
  private func judgeFields(of head: HTTPResponseHead, _ run: inout ModuleRun) {
    judge(unwanted: module.failsIfHeaderMatches, wanted: module.failsIfHeaderDoesNotMatch, &run) {
      rule, mustMatch in
      let name = "the header field \(rule.header)"
      let values = head.fields.rawValues(for: rule.header).map { Array($0) }
      guard !values.isEmpty else {
        return rule.allowsMissing ? nil : ProbeFailure(.httpHeader, "\(name) is missing")
      }
      return Self.problem(.httpHeader, of: rule.pattern, in: values, called: name, mustMatch: mustMatch)
    }
  }

  private func judge(body: [UInt8], _ run: inout ModuleRun) {
    judge(unwanted: module.failsIfBodyMatches, wanted: module.failsIfBodyDoesNotMatch, &run) {
      pattern, mustMatch in
      Self.problem(.bodyMismatch, of: pattern, in: [body], called: "the body", mustMatch: mustMatch)
    }
  }

  /// Fails the probe with the first problem of rules, some of which must not match, and others must.
  private func judge<Rule>(
    unwanted: [Rule], wanted: [Rule], _ run: inout ModuleRun,
    problem: (Rule, _ mustMatch: Bool) -> ProbeFailure?
  ) {
    let rules = unwanted.map { ($0, false) } + wanted.map { ($0, true) }
    guard !rules.isEmpty else { return }
    var first: ProbeFailure?
    for (rule, mustMatch) in rules where first == nil { first = problem(rule, mustMatch) }
    run.samples.set(.failedDueToRegex, to: first != nil)
    if let first { run.fail(first) }
  }

  /// The failure if a pattern matches one of some texts and must not, or matches none and must.
  private static func problem(
    _ reason: ReasonCode, of pattern: GoPattern, in texts: [[UInt8]], called name: String, mustMatch: Bool
  ) -> ProbeFailure? {
    do throws(ProbeFailure) {
      var hasMatch = false
      for text in texts where !hasMatch { hasMatch = try pattern.isFound(in: text) }
      guard hasMatch != mustMatch else { return nil }
      let words = hasMatch ? "matches" : "does not match"
      return ProbeFailure(reason, "\(name) \(words) \(Excerpt(pattern.text))")
    } catch {
      return error
    }
  }

  /// The body, decoded if it is complete; fails the probe if it cannot be decoded, or is longer than allowed.
  private func body(
    of response: ProbeResponse, isComplete: Bool, _ run: inout ModuleRun
  ) async -> ModuleBody {
    let limit = module.bodySizeLimit ?? ModuleBody.maximumSize
    var body = ModuleBody(bytes: response.body, count: share.receivedCount)
    if let coding = module.compression, isComplete {
      do throws(ProbeFailure) {
        body = try await ModuleBody.decoded(
          response.body, by: coding, limit: limit, keepsBytes: module.matchesBody, share, by: run.deadline)
      } catch {
        run.fail(error)
        body = ModuleBody(bytes: [], count: 0)
      }
    }
    guard body.count > limit || response.bodyIsCut && isComplete && module.bodySizeLimit != nil else {
      return body
    }
    run.fail(.bodyTooLarge, "the body is longer than \(limit) bytes")
    // A probe that has failed is not judged by its body.
    return ModuleBody(bytes: [], count: min(body.count, limit))
  }
}

extension HTTPModule {
  /// Whether an expression is matched with the body.
  fileprivate var matchesBody: Bool { !failsIfBodyMatches.isEmpty || !failsIfBodyDoesNotMatch.isEmpty }

  /// Whether the bytes of the body are read at all, rather than only counted.
  fileprivate var readsBody: Bool { matchesBody || compression != nil }
}

/// The samples of a response.
extension HTTPModuleJudge {
  func setSamples(
    of response: ProbeResponse, _ head: HTTPResponseHead, bodyLength: Int, _ run: inout ModuleRun
  ) {
    setConnectionSamples(of: response, &run)
    run.samples.set(.statusCode, to: Double(head.status))
    run.samples.set(.httpVersion, to: Double(head.version) ?? 0)
    run.samples.set(.contentLength, to: Double(contentLength(head)))
    run.samples.set(.bodyLength, to: Double(bodyLength))
    run.samples.set(.usesTLS, to: response.tls != nil)
    if let date = head.fields["Last-Modified"].flatMap({ Date(httpDate: $0, now: .now) }) {
      run.samples.set(.lastModified, to: date.timeIntervalSince1970)
    }
    if let tls = response.tls { run.samples.add(tls, hasCipher: true) }
  }

  /// Sets the samples that require no response: those of the phases and redirects.
  func setConnectionSamples(of response: ProbeResponse, _ run: inout ModuleRun) {
    // Without a location it is an ordinary response.
    let redirects = response.redirects.filter { $0.location?.isEmpty == false }
    run.samples.set(.redirects, to: Double(redirects.count))
    let timings = response.timings
    let phases = [timings.resolve, timings.connect, timings.tls, timings.firstByte].map { $0 ?? .zero }
    if lookupTime != nil || !redirects.isEmpty {
      run.samples.set(.httpPhases, phase: "resolve", (lookupTime ?? .zero) + phases[0])
    }
    for (phase, time) in zip(["connect", "tls", "processing"], phases.dropFirst()) {
      run.samples.set(.httpPhases, phase: phase, time)
    }
    guard timings.firstByte != nil, let total = timings.total else { return }
    run.samples.set(.httpPhases, phase: "transfer", max(.zero, total - phases.reduce(.zero, +)))
  }

  /// The length as Go's client reports it: -1 if it is unknown.
  private func contentLength(_ head: HTTPResponseHead) -> Int {
    if (100..<200).contains(head.status) || [204, 304].contains(head.status) { return 0 }
    let codings = head.fields.values(for: "Transfer-Encoding")
    guard codings.isEmpty, let text = head.fields["Content-Length"] else { return -1 }
    return Int(text: text) ?? -1
  }
}

/// The body of a response: its bytes as far as something reads them, and their number.
///
/// It is decoded with the coding that a module expects, regardless of the server's Content-Encoding.
struct ModuleBody {
  /// The maximum size of a decoded body in bytes.
  static let maximumSize = 64 << 20
  /// The number of bytes that are decoded before other probes have their turn.
  private static let maximumBytesPerTurn = 256 << 10

  /// The bytes; empty if only their number is needed.
  var bytes: [UInt8]
  /// The number of bytes.
  var count: Int

  /// Decodes a body.
  ///
  /// - Parameters:
  ///   - body: The body as received.
  ///   - coding: `gzip`, `deflate`, `br` or `identity`.
  ///   - limit: The maximum number of bytes to decode; one more is decoded if there are more.
  ///   - keepsBytes: Whether the decoded bytes are kept; otherwise they are only counted.
  ///   - share: The share of the probe in the memory of all.
  ///   - deadline: The deadline of the probe.
  /// - Returns: The decoded body.
  /// - Throws: `ProbeFailure`: `body.encoding` if it does not have this coding, `local.memory` if there is no
  ///   memory for it, or none in time, `timeout.total` if the deadline passes meanwhile.
  static func decoded(
    _ body: [UInt8], by coding: String, limit: Int, keepsBytes: Bool, _ share: MemoryShare,
    by deadline: ContinuousClock.Instant
  ) async throws(ProbeFailure) -> ModuleBody {
    let unpacker: (any Unpacker)?
    switch coding.lowercased() {
    case "gzip": unpacker = GzipFile()
    case "deflate": unpacker = Inflater(.deflate)
    case "br": unpacker = BrotliDecoder()
    default: return ModuleBody(bytes: body, count: body.count)
    }
    guard let unpacker else { throw noMemory }
    return try await decoded(
      body, with: unpacker, for: coding, limit: limit, keepsBytes: keepsBytes, share, by: deadline)
  }

  private static let noMemory = ProbeFailure(.noMemory, "there is no memory for the decoder")

  /// Decodes a body with a given decoder; tests give one that fails.
  ///
  /// - Throws: `ProbeFailure`: `body.encoding` if the decoder does not accept the body, `local.memory` if there is no
  ///   memory for it, or none in time, `timeout.total` if the deadline passes meanwhile.
  static func decoded(
    _ body: [UInt8], with unpacker: any Unpacker, for coding: String, limit: Int, keepsBytes: Bool,
    _ share: MemoryShare, by deadline: ContinuousClock.Instant
  ) async throws(ProbeFailure) -> ModuleBody {
    let broken = ProbeFailure(
      .bodyEncoding, "the body is not compressed with \(coding), or incomplete")
    var decoded = ModuleBody(bytes: [], count: 0)
    var (offset, turn) = (0, 0)
    var room = [UInt8](repeating: 0, count: 32 * 1024)
    while decoded.count <= limit {
      let (count, state) = unpacker.unpack(body.span, &offset, into: &room)
      let taken = min(count, limit + 1 - decoded.count)
      if keepsBytes {
        guard await share.provide(decoded.count + taken, by: deadline) else {
          throw share.shortage ?? .noMemoryInTime
        }
        decoded.bytes += room.prefix(taken)
      }
      decoded.count += taken
      switch state {
      case .running:
        guard offset == body.count, count < room.count else { break }
        guard unpacker.isWhole, !unpacker.hasOtherBytesBehind else { throw broken }
        return decoded
      case .ended:
        guard !unpacker.hasOtherBytesBehind else { throw broken }
        return decoded
      case .broken: throw broken
      case .noMemory: throw noMemory
      }
      turn += count
      guard turn >= maximumBytesPerTurn else { continue }
      turn = 0
      await Task.yield()
      guard deadline > .now else {
        throw ProbeFailure(.totalTimeout, "the time passed while the body was decoded")
      }
    }
    return decoded
  }
}

extension Unpacker {
  /// Whether bytes follow gzip data that are not another member, which Go's reader does not accept.
  fileprivate var hasOtherBytesBehind: Bool { (self as? GzipFile)?.hasTrailingBytes ?? false }
}
