import Foundation
import Glibc
import ProbeCommand
import ProbeCore
import TestRequirements
import TestSupport
import Testing

/// Files of a fixture that become unusable while it is served.
@Suite(.patience(minutes: 1)) struct ReplayReloadTests {
  private static let document = """
    version: 1
    name: small
    source: { kind: synthetic, reference: a test }
    routes: [{ respond: { status: 299, body: page } }]
    """

  /// A replacement for the page, and the message about it.
  private static let replacements: [(change: @Sendable (String) throws -> Void, message: String)] = [
    ({ _ in }, "there is no file \"page\": name a file in the fixture's folder"),
    (
      { #expect(unsafe mkfifo($0, 0o600) == 0) },
      "\"page\" is not a regular file: name a file in the fixture's folder"
    ),
    ({ #expect(unsafe mkdir($0, 0o700) == 0) }, "\"page\" is a folder: name a file in the fixture's folder"),
    (
      { #expect(unsafe symlink("/dev/zero", $0) == 0) },
      "\"page\" is not a regular file: name a file in the fixture's folder"
    ),
    (
      { #expect(unsafe symlink("/etc/passwd", $0) == 0) },
      "the file \"page\": a symbolic link points outside the fixture's folder: copy the file into the folder"
    ),
    (
      {
        try Data().write(to: URL(filePath: $0))
        #expect(unsafe truncate($0, 1 << 34) == 0)
      },
      "the file \"page\": the file has more than 16 MiB: check that it is the right file"
    ),
  ]

  @Test(arguments: replacements.indices)
  func theServedFixturesAreKept(_ index: Int) async throws {
    let (change, message) = Self.replacements[index]
    let folder = try TemporaryFolder(["fixture.yaml": Self.document, "page": "one"])
    let replay = try RunningReplay([folder.path, "--format=json"])
    let announcement = try await replay.announcement()
    try FileManager.default.removeItem(atPath: folder.path(of: "page"))
    try change(folder.path(of: "page"))
    // Between the two steps the file is missing, which may be reported first.
    var line = await replay.nextError()
    while let text = line, !text.hasSuffix(message) { line = await replay.nextError() }
    #expect(line?.hasPrefix("\(folder.path)/fixture.yaml:4:") == true)
    #expect(try await announcement.ask("http://www.example/").body == Array("one".utf8))

    try? FileManager.default.removeItem(atPath: folder.path(of: "page"))
    try folder.write("page", "two")
    while let text = line, text != "probekit replay: the changed fixtures were reloaded" {
      line = await replay.nextError()
    }
    #expect(try await announcement.ask("http://www.example/").body == Array("two".utf8))
    _ = await replay.stop()
  }
}
