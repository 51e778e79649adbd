import FuzzSupport
@testable import ProbeExporter
@testable import SourceDocuments

/// Any bytes as a `blackbox.yml`, and as a subject of its expressions: the file is valid, or every error has
/// a place; and the text of `/config` is parsed as the same file.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzBlackbox(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  checkWork(of: count) {
    let (configuration, findings) = read(bytes)
    precondition(
      (configuration == nil) == findings.contains { $0.severity == .error },
      "neither modules nor an error, or both")
    for finding in findings {
      precondition(finding.place != nil, "a finding without a place: \(finding)")
      checkSafeToPrint(finding.message + (finding.remedy ?? ""))
    }
    guard let configuration else { return }
    let (again, errors) = read(Array(configuration.text.utf8))
    precondition(again != nil, "the text of /config is invalid: \(errors)")
    precondition(again?.text == configuration.text, "the text of /config changes")
    precondition(
      again?.modules.keys.sorted() == configuration.modules.keys.sorted(), "/config has other modules")
    for module in configuration.modules.values { match(module, in: bytes) }
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
