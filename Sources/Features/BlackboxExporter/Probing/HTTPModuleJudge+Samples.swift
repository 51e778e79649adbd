import FoundationEssentials
import ProbeCore

/// The samples of a response.
extension HTTPModuleJudge {
  /// Sets the samples of a response.
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
