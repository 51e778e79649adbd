internal import SourceDocuments
package import PortalAnalysis
public import FixtureReplay
public import ProbeCore
public import ProbePipeline

/// A fixture created from a capture: `fixture.yaml`, the responses as received, and further facts.
public struct CapturedFixture: Sendable {
  /// A file of the fixture's folder.
  public struct File: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The content.
    public var bytes: [UInt8]
  }

  /// The findings of the capture.
  public struct Finding: Sendable {
    /// The verdict.
    public var verdict: Verdict
    /// The login URL, or nil.
    public var loginURL: ProbeURL?

    /// Creates findings.
    public init(verdict: Verdict, loginURL: ProbeURL? = nil) {
      self.verdict = verdict
      self.loginURL = loginURL
    }
  }

  /// The name of the file for facts that a fixture cannot express: timings, certificates, replacements and
  /// losses.
  package static let recordName = "capture.json"

  /// The fixture's name.
  public var name: String
  /// The vendor of the captured product, or nil.
  public var vendor: String?
  /// How it was captured.
  public var source: FixtureSource
  /// The findings, or nil if there was no verdict; private data in them is replaced.
  public var finding: Finding? {
    didSet {
      let url = finding?.loginURL
      finding?.loginURL = url.map(redaction.redacted)
    }
  }
  /// The text of the pipeline file to probe the fixture with, or nil for the built-in pipeline; private data
  /// in it is replaced.
  public var pipeline: String? {
    didSet { pipeline = pipeline.map(redaction.redacted) }
  }
  /// Descriptions of the data that the source of the exchanges lacks.
  public let losses: [String]

  private let exchanges: [RecordedExchange]
  private let redaction: CaptureRedaction
  private var network: CapturedNetwork

  /// Creates a fixture from exchanges.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - source: How it was captured.
  ///   - exchanges: The original exchanges.
  ///   - redaction: Replaces private data in them.
  ///   - losses: Descriptions of the data that the source of the exchanges lacks.
  public init(
    name: String, source: FixtureSource, exchanges: [RecordedExchange], redaction: CaptureRedaction,
    losses: [String] = []
  ) {
    self.name = name
    self.source = source
    // The reference may contain URLs.
    self.source.reference = redaction.redacted(source.reference)
    self.losses = losses.map { redaction.redacted($0) }
    self.redaction = redaction
    self.exchanges = exchanges.map { redaction.redacted($0) }
    network = CapturedNetwork(self.exchanges)
  }

  /// Adds routes for forms that were not sent, whose responses are therefore not known.
  package mutating func add(unsent forms: [PageReferences.Form]) {
    let redacted = forms.map { PageReferences.Form($0.method, redaction.redacted($0.target)) }
    network = CapturedNetwork(exchanges, forms: redacted)
  }

  /// Remarks for the user: what a fixture cannot express, and what could not be redacted.
  public var remarks: [String] { network.remarks + redaction.remarks }

  /// The files of the fixture's folder, `fixture.yaml` first.
  ///
  /// - Throws: An error of the JSON encoder.
  public func files() throws -> [File] {
    var files = [File(name: FixtureLoader.fileName, bytes: Array(text.utf8))]
    for route in network.routes {
      if let name = route.file { files.append(File(name: name, bytes: route.response)) }
    }
    if network.routes.contains(where: \.isUnsentForm) {
      files.append(File(name: UnsentForm.fileName, bytes: Array(UnsentForm.page.utf8)))
    }
    if let pipeline {
      files.append(File(name: LoadedFixture.pipelineName, bytes: Array(pipeline.utf8)))
    }
    let record = CaptureRecord(
      exchanges: exchanges, network: network, replacements: redaction.replacements, remarks: remarks,
      losses: losses)
    files.append(File(name: Self.recordName, bytes: try record.json()))
    return files
  }
}

/// The text of `fixture.yaml`.
extension CapturedFixture {
  private var text: String {
    var lines = ["version: 1", "name: \(name.inYAML)"]
    if let vendor { lines.append("vendor: \(vendor.inYAML)") }
    lines += [
      "source:", "  kind: \(source.kind.rawValue)", "  reference: \(source.reference.inYAML)",
    ]
    if let date = source.date { lines.append("  date: \(date.inYAML)") }
    if let finding {
      lines += ["expect:", "  verdict: \(finding.verdict.rawValue)"]
      if let url = finding.loginURL { lines.append("  loginURL: \(url.string.inYAML)") }
    }
    let modes = [ReplayListener.http, .https].compactMap { listener in
      network.listeners[listener].map { "\(listener.rawValue): \($0.rawValue)" }
    }
    if !modes.isEmpty { lines.append("listeners: { \(modes.joined(separator: ", ")) }") }
    lines.append(network.routes.isEmpty ? "routes: []" : "routes:")
    for route in network.routes { lines += route.lines }
    lines += Self.rules("tls", network.tls.map { ($0.host, $0.mode.rawValue) })
    lines += Self.rules("dns", network.dns.map { ($0.host, $0.answer.inYAML) })
    return lines.joined(separator: "\n") + "\n"
  }

  private static func rules(_ key: String, _ pairs: [(host: String, value: String)]) -> [String] {
    guard !pairs.isEmpty else { return [] }
    return ["\(key):"] + pairs.map { "  \($0.host.inYAML): \($0.value)" }
  }
}

extension CapturedNetwork.Route {
  fileprivate var lines: [String] {
    if isUnsentForm { return UnsentForm.lines(of: self) }
    var condition = ["listener: \(listener.rawValue)"]
    if let method { condition.append("method: \(method)") }
    condition.append("host: \(url.host.inYAML)")
    if namesPort, let port = url.port { condition.append("port: \(port)") }
    condition.append("path: \(url.requestTarget.inYAML)")
    var lines = ["  - id: \(id.inYAML)", "    when: { \(condition.joined(separator: ", ")) }"]
    if let file { lines.append("    send: \(file.inYAML)") }
    if let end { lines.append("    end: \(end.rawValue)") }
    return lines
  }
}

extension DNSAnswer {
  fileprivate var inYAML: String {
    switch self {
    case .address(let address): address.description.inYAML
    case .nxdomain: "nxdomain"
    case .servfail: "servfail"
    case .timeout: "timeout"
    }
  }
}

/// The route for a form that a capture did not send: a page that reports this.
enum UnsentForm {
  /// The file with the page.
  static let fileName = "not-recorded.html"

  static let page = """
    <!DOCTYPE html>
    <meta charset="utf-8">
    <title>Not recorded</title>
    <p>The capture did not send this form, so the portal's response is not known.</p>

    """

  /// The lines of the route in `fixture.yaml`.
  ///
  /// The query is left out of the condition: the fields of the form are the query of a GET.
  static func lines(of route: CapturedNetwork.Route) -> [String] {
    let path = route.url.path.isEmpty ? "/" : route.url.path
    var condition = ["listener: \(route.listener.rawValue)"]
    if let method = route.method { condition.append("method: \(method)") }
    condition.append("host: \(route.url.host.inYAML)")
    if let port = route.url.port { condition.append("port: \(port)") }
    condition.append("path: \(path.inYAML)")
    return [
      "  # The capture did not send this form, so the portal's response is not known.",
      "  - id: \(route.id.inYAML)",
      "    when: { \(condition.joined(separator: ", ")) }",
      "    respond: { status: 501, headers: [\"Content-Type: text/html; charset=utf-8\"], body: \(fileName) }",
    ]
  }
}
