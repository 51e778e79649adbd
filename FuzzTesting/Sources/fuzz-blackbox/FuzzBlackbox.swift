import ByteStreams
import FuzzNetwork
import FuzzSupport
@testable import ProbeServer
@testable import ProbeCore
@testable import BlackboxExporter
@testable import SourceDocuments
@testable import ProbePatterns

/// Any bytes as a `blackbox.yml`, and as a subject of its expressions: the file is valid, or every error has
/// a location; and the text of `/config` is parsed as the same file.
///
/// Behind a line of equals signs is the timeout of a scrape, and behind each further one what a server sends next: its
/// modules probe that server, and the metrics and pages of each probe are safe to print.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzBlackbox(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  _ = ScriptedPeer.shared
  let parts = ScriptedNetwork.parts(of: bytes)
  checkWork(of: count) {
    let (configuration, findings) = read(parts[0])
    precondition(
      (configuration == nil) == findings.contains { $0.severity == .error },
      "neither modules nor an error, or both")
    for finding in findings {
      precondition(finding.location != nil, "a finding without a place: \(finding)")
      checkSafeToPrint(finding.message + (finding.remedy ?? ""))
    }
    guard let configuration else { return }
    let (again, errors) = read(Array(configuration.text.utf8))
    precondition(again != nil, "the text of /config is invalid: \(errors)")
    precondition(again?.text == configuration.text, "the text of /config changes")
    precondition(
      again?.modules.keys.sorted() == configuration.modules.keys.sorted(), "/config has other modules")
    for module in configuration.modules.values { match(module, in: parts[0]) }
    if parts.count > 1 { serve(configuration, timeout: parts[1], Array(parts[2...])) }
  }
  return 0
}

private func read(_ bytes: [UInt8]) -> (ExporterConfiguration?, [SourceFinding]) {
  ExporterConfiguration.read(bytes, path: "blackbox.yml") { !$0.isEmpty }
}

private func match(_ module: ExporterModule, in bytes: [UInt8]) {
  switch module.probe {
  case .http(let http):
    for pattern in http.failsIfBodyMatches.prefix(2) { _ = try? pattern.matches(bytes) }
  case .tcp(let tcp):
    for step in tcp.steps.prefix(2) {
      guard let match = try? step.expect?.match(in: bytes) else { continue }
      precondition(
        match.groups.allSatisfy { ($0?.count ?? 0) <= bytes.count }, "a group longer than the subject")
      _ = match.expand(step.send)
    }
  case .dns, .icmp, .pipeline, .unsupported: break
  }
}

/// Probes a server with the first modules, and requests the pages.
private func serve(_ configuration: ExporterConfiguration, timeout: [UInt8], _ script: [[UInt8]]) {
  let executor = InlineExecutor()
  let server = script.first ?? []
  let separator = Array("\n====\n".utf8)
  let network = ScriptedNetwork(server + separator + server, on: executor)
  let exporter: Exporter
  do {
    var transports = try network.transports
    try transports.register(ScriptedDatagrams(received: server))
    let prober = try ExporterProber(
      transports, connector: connector, targets: TargetRules(allowsPrivate: true))
    exporter = Exporter(configuration, prober: prober) { .success(configuration) }
  } catch { preconditionFailure("\(error)") }
  for (name, module) in configuration.modules.sorted(by: { $0.key < $1.key }).prefix(3) {
    let target = target(of: module)
    let path = "/probe?debug=true&module=\(encoded(name))&target=\(encoded(target))"
    let page: String
    if case .tcp(let tcp) = module.probe {
      let security: ScriptedPeer.Security =
        tcp.usesTLS ? .atOnce : tcp.steps.contains(where: \.startsTLS) ? .later : .none
      page = ScriptedPeer.shared.serve(script, security) {
        await text(of: path, timeout, from: exporter)
      }
    } else {
      page = executor.run { await text(of: path, timeout, from: exporter) }
    }
    checkLines(page)
    checkLines(executor.run { await text(of: "/logs?target=\(encoded(target))", [], from: exporter) })
  }
  for path in ["/", "/metrics"] { checkLines(executor.run { await text(of: path, [], from: exporter) }) }
}

private let connector = StreamConnector()

private func target(of module: ExporterModule) -> String {
  switch module.probe {
  case .http(let http): http.failsIfNotSSL ? "https://target.example/" : "target.example"
  case .tcp: "127.0.0.1:\(ScriptedPeer.shared.port)"
  case .dns, .icmp, .pipeline, .unsupported: "192.0.2.1"
  }
}

private func encoded(_ text: String) -> String {
  text.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

/// The body of the response to a request.
private func text(of path: String, _ timeout: [UInt8], from exporter: Exporter) async -> String {
  var head = Array("GET \(path) HTTP/1.1\r\nHost: exporter.example\r\n".utf8)
  if !timeout.isEmpty { head += Array("\(ScrapeTimeout.field): ".utf8) + timeout + Array("\r\n".utf8) }
  var options = HTTPServiceOptions()
  (options.maximumHead, options.hosts) = (64 * 1024, .any)
  var connection = ServiceConnection(options, now: .now)
  for case .handle(let request) in connection.received(head + Array("\r\n".utf8), now: .now) {
    do throws(HTTPServiceFailure) {
      return String(decoding: try await exporter.routes.response(to: request).body, as: UTF8.self)
    } catch {
      return String(decoding: error.plainResponse.body, as: UTF8.self)
    }
  }
  return ""
}
