import SourceDocuments
import TestRequirements
import TestSupport
import Testing

@testable import BlackboxExporter

/// Extreme numbers in blackbox.yml: each is accepted or a finding, and none ends the process.
@Suite(.heavy) struct ExtremeModuleTests {
  @Test func extremeNumbersAreAcceptedOrFindings() {
    var count = 0
    for bytes in ExtremeNumbers(in: Array(longConfiguration.utf8), seed: 55, each: 2) {
      let text = String(decoding: bytes, as: UTF8.self)
      let (configuration, findings) = readConfiguration(text)
      #expect(configuration != nil || findings.contains { $0.severity == .error }, "seed 55: \(text)")
      count += 1
    }
    #expect(count > 50)
  }
}
