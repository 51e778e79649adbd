public import SourceDocuments

extension Fixture {
  /// The fixture in a folder, as for a test that replays one.
  ///
  /// - Parameter path: The folder's path, or that of its `fixture.yaml`.
  /// - Throws: ``InvalidFixture`` with everything that is wrong with it.
  public init(folder path: String) throws(InvalidFixture) {
    let loaded = FixtureLoader().load([path])
    let findings = loaded.flatMap(\.findings)
    guard findings.isEmpty, let fixture = loaded.first?.fixture else { throw InvalidFixture(findings) }
    guard loaded.count == 1 else {
      let names = loaded.map(\.path).joined(separator: ", ")
      throw InvalidFixture([
        SourceFinding(
          path: path, message: "the folder has \(loaded.count) fixtures in it: \(names)",
          remedy: "name one of them")
      ])
    }
    self = fixture
  }
}

/// A fixture that cannot be replayed.
public struct InvalidFixture: Error, Hashable, Sendable {
  /// Everything that is wrong with it.
  public let findings: [SourceFinding]

  init(_ findings: [SourceFinding]) {
    self.findings = findings
  }
}

extension InvalidFixture: CustomStringConvertible {
  /// All findings, each with its place.
  public var description: String { findings.map(\.description).joined(separator: "\n") }
}
