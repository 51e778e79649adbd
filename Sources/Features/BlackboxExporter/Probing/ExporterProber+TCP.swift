import ByteStreams
import ProbeCore
import ProbePatterns

extension ExporterProber {
  /// Connects to a target over TCP, and performs the dialog of a module.
  func probeTCP(_ module: TCPModule, hostname: String?, _ run: inout ModuleRun) async {
    do throws(ProbeFailure) {
      let stream = try await connect(module, hostname: hostname, &run)
      run.samples.set(.failedDueToRegex, to: 0)
      run.samples.set(.failedDueToBytes, to: 0)
      stream.deadline = run.deadline
      if module.usesTLS, let tls = stream.response.tls { run.samples.add(tls, hasCipher: false) }
      var dialog = TCPModuleDialog(stream: stream)
      for (index, step) in module.steps.enumerated() {
        run.note("step \(index + 1) of \(module.steps.count)")
        try await dialog.perform(step, &run)
      }
    } catch {
      if let tls = error.partial?.tls { run.note("the certificates: \(tls.chain.map(\.subject))") }
      run.samples.addCertificates(refusedBy: error)
      run.fail(error)
    }
  }

  private func connect(
    _ module: TCPModule, hostname: String?, _ run: inout ModuleRun
  ) async throws(ProbeFailure) -> ByteStream {
    let scheme = module.usesTLS ? "tls" : "tcp"
    do {
      let url = try Self.url(of: run.target, scheme)
      guard let found = await address(of: url, module.addresses, &run) else {
        throw run.failure ?? ProbeFailure(.dnsFailure, "the lookup failed")
      }
      // TLS verifies the host of the URL; the connection always goes to the target.
      let name = module.tls.serverName ?? hostname ?? url.host
      var request = ProbeRequest(
        try ProbeURL("\(scheme)://\(name.bracketedHostIfBare):\(url.port ?? 0)"), from: module.source,
        within: run.remaining)
      try request.connect(to: found.address, module.tls)
      guard request.timeout > .zero else {
        throw ProbeFailure(.totalTimeout, "no time is left after the lookup")
      }
      return try await connector.connect(
        for: request, encryption: module.usesTLS ? .encrypted : .plaintext)
    } catch {
      throw run.failure(for: error)
    }
  }

  /// A target of the form HOST:PORT as a URL.
  private static func url(of target: String, _ scheme: String) throws(InvalidInput) -> ProbeURL {
    let url = try ProbeURL(scheme: URLScheme(scheme), target: target)
    guard url.explicitPort != nil else { throw InvalidInput("it is not HOST:PORT") }
    return url
  }
}

/// The dialog of a TCP module: lines are received until one matches.
struct TCPModuleDialog {
  /// The maximum length of a line, as in Go's scanner.
  private static let maximumLineLength = 64 * 1024
  /// The number of lines that are read before other probes have their turn.
  private static let maximumLinesInTurn = 32

  let stream: ByteStream

  /// Performs a step.
  ///
  /// - Throws: `ProbeFailure` if the peer does not send the expected data.
  mutating func perform(_ step: TCPModule.Step, _ run: inout ModuleRun) async throws(ProbeFailure) {
    var sent = step.send
    if let expected = step.expect {
      let match = try await awaitLine(matching: expected, &run)
      run.samples.set(.failedDueToRegex, to: 0)
      sent = match.expand(step.send)
      if !step.labels.isEmpty {
        let labels = step.labels.map { ($0.name, String(decoding: match.expand($0.value), as: UTF8.self)) }
        run.samples.set(.expectInfo, labels, to: 1)
      }
    }
    if let expected = step.expectBytes { try await receive(expected, &run) }
    if !sent.isEmpty { try await stream.write(sent + [UInt8(ascii: "\n")]) }
    guard step.startsTLS else { return }
    try await stream.startTLS()
    if let tls = stream.response.tls { run.samples.add(tls, hasCipher: false) }
  }

  private func awaitLine(
    matching pattern: GoPattern, _ run: inout ModuleRun
  ) async throws(ProbeFailure) -> GoPattern.Match {
    var turn = 0
    while let line = try await nextLine() {
      run.note("received: \(Excerpt(line[...]))")
      // A peer that sends lines without end is read in turns with others.
      turn += 1
      if turn % Self.maximumLinesInTurn == 0 { await Task.yield() }
      if let match = try pattern.firstMatch(in: line) { return match }
    }
    run.samples.set(.failedDueToRegex, to: 1)
    throw stream.failure(
      .bodyMismatch, "no line matches \(Excerpt(pattern.text)), and the peer sends no more")
  }

  /// The next line without its line break; nil at the end of the data.
  private func nextLine() async throws(ProbeFailure) -> [UInt8]? {
    var line: [UInt8]
    do throws(ProbeFailure) {
      line = try await stream.read(through: [UInt8(ascii: "\n")], limit: Self.maximumLineLength)
      line.removeLast()
    } catch {
      guard error.reason == .bodyShort, !stream.isCutShort else { throw error }
      line = try await stream.read(upTo: Self.maximumLineLength)
      if line.isEmpty { return nil }
    }
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    return line
  }

  private func receive(_ expected: [UInt8], _ run: inout ModuleRun) async throws(ProbeFailure) {
    var received: [UInt8] = []
    while received.count < expected.count {
      let piece = try await stream.read(upTo: expected.count - received.count)
      received += piece
      // Stop at the first mismatch, even if fewer bytes than expected have arrived.
      if piece.isEmpty || !expected.starts(with: received) { break }
    }
    run.samples.set(.failedDueToBytes, to: received != expected)
    guard received == expected else {
      throw stream.failure(
        .bodyMismatch, "received \(Excerpt(received[...])) in place of \(Excerpt(expected[...]))")
    }
  }
}
