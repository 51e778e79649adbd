internal import ProbeCore
public import SourceDocuments

/// What came of loading a fixture.
public struct LoadedFixture: Sendable {
  /// The path of its `fixture.yaml`, or what was named when there is none.
  public var path: String
  /// The fixture, or nil when something is wrong with it.
  public var fixture: Fixture?
  /// Everything that is wrong, in the order of the places.
  public var findings: [SourceFinding]
  /// What is odd and stops nothing, such as a route that nothing reaches.
  public var warnings: [SourceFinding] = []
  /// The paths of all files it was made from, `fixture.yaml` first, also those that could not be read.
  public var files: [String]

  /// The name of the pipeline file that a fixture is asked by when it brings one along, in place of the built-in pipeline.
  public static let pipelineName = "pipeline.yaml"

  /// The path of such a file in the fixture's folder, whether it is there or not.
  public var pipelinePath: String { path(of: Self.pipelineName) }

  /// The path of a file in the fixture's folder, whether it is there or not.
  package func path(of name: String) -> String {
    FixtureLoader.path(of: name, in: FixtureLoader.folder(of: path))
  }

  /// What came of loading.
  public init(path: String, fixture: Fixture? = nil, findings: [SourceFinding] = [], files: [String] = []) {
    self.path = path
    self.fixture = fixture
    self.findings = findings
    self.files = files
  }
}

extension LoadedFixture: CustomStringConvertible {
  /// The fixture's folder, or what was named when there is no fixture.
  var folder: String {
    FixtureLoader.lastPart(of: path) == FixtureLoader.fileName ? FixtureLoader.folder(of: path) : path
  }

  /// The fixture's folder, safe to print: what tests that take fixtures as their arguments are told apart by.
  public var description: String { folder.escapedForDisplay }
}

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
