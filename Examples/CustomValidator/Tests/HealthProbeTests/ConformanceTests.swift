import Foundation
import ProbeKit
import ProbeTesting
import Testing

@testable import HealthProbe

/// The conformance kits: one line each.
@Suite struct ConformanceTests {
  @Test func theValidatorConforms() throws { try ValidatorConformance(HealthValidator.self).verify() }

  @Test func theTransportConforms() async throws {
    let folder = try Folder()
    try await TransportConformance(FileTransport(), scenarios: folder.scenarios()).verify()
  }
}

/// A folder of files that lives as long as a test.
final class Folder {
  private let url = FileManager.default.temporaryDirectory.appending(path: "health-probe-\(UUID())")

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// Writes a file, and gives its URL for a probe.
  func file(_ name: String, _ text: String) throws -> String {
    try Data(text.utf8).write(to: url.appending(path: name))
    return "file://localhost\(url.path)/\(name.replacing(" ", with: "%20"))"
  }

  /// The scenarios of files: none is without a response or with a redirect, which the kit's report states.
  func scenarios() throws -> [TransportScenario] {
    func request(_ url: String) throws -> ProbeRequest { ProbeRequest(try ProbeURL(url)) }
    let unreadable = ReasonCode(rawValue: "file.unreadable")
    return [
      .responds(try request(file("one", "first")), with: "first"),
      .responds(try request(file("two words", "second")), with: "second"),
      .endlessBody(try request("file://localhost/dev/zero")),
      .refuses(try request("file://localhost\(url.path)/missing"), reason: unreadable),
      .refuses(try request("file://localhost\(url.path)"), reason: unreadable),
    ]
  }
}
