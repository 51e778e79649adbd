internal import ProbeCore
public import SourceDocuments

/// The result of loading a fixture.
public struct LoadedFixture: Sendable {
  /// The path of its `fixture.yaml`, or the given path if there is none.
  public var path: String
  /// The fixture, or nil if there are errors.
  public var fixture: Fixture?
  /// All errors, in the order of their locations.
  public var findings: [SourceFinding]
  /// Warnings, which do not prevent the fixture from being replayed, such as a route that is never reached.
  public var warnings: [SourceFinding] = []
  /// The paths of all files it was loaded from, `fixture.yaml` first, including unreadable ones.
  package var files: [String]

  /// The name of the pipeline file that a fixture may contain to be probed with, instead of the built-in
  /// pipeline.
  package static let pipelineName = "pipeline.yaml"

  /// The path of the pipeline file in the fixture's folder, whether or not the file exists.
  package var pipelinePath: String { path(of: Self.pipelineName) }

  /// The path of a file in the fixture's folder, whether or not the file exists.
  package func path(of name: String) -> String {
    FixtureLoader.path(of: name, in: path.folderOfPath)
  }

  package init(path: String, fixture: Fixture? = nil, findings: [SourceFinding] = [], files: [String] = []) {
    self.path = path
    self.fixture = fixture
    self.findings = findings
    self.files = files
  }
}

extension LoadedFixture: CustomStringConvertible {
  /// The fixture's folder, or the given path if there is no fixture.
  var folder: String {
    FixtureLoader.lastPart(of: path) == FixtureLoader.fileName ? path.folderOfPath : path
  }

  /// The fixture's folder, safe to print; it identifies the arguments of a parameterized test.
  public var description: String { folder.escapedForDisplay }
}

extension Fixture {
  /// Loads the fixture in a folder, for instance for a test that replays it.
  ///
  /// - Parameter path: The folder's path, or that of its `fixture.yaml`.
  /// - Throws: ``InvalidFixture`` with all errors in it.
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
  /// All errors in it.
  public let findings: [SourceFinding]

  init(_ findings: [SourceFinding]) {
    self.findings = findings
  }
}

extension InvalidFixture: CustomStringConvertible {
  /// All findings, each with its location.
  public var description: String { findings.map(\.description).joined(separator: "\n") }
}
