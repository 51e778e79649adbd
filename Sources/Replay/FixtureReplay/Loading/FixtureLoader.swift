import ProbeCore
package import SourceDocuments

/// Loads fixtures, and reports all errors in them.
public struct FixtureLoader: Sendable {
  /// The name of the file that makes a folder a fixture.
  package static let fileName = "fixture.yaml"
  /// The maximum size of a response's file in bytes.
  package static let maximumFileLength = 16 << 20
  /// The maximum size of all files of a fixture together in bytes.
  package static let maximumTotalLength = 64 << 20
  /// The maximum number of routes in a fixture; the time to compare them grows with its square.
  package static let maximumRouteCount = 1000

  private let files: any FixtureFiles

  /// Creates a loader that reads the files of this machine, or from another source.
  public init(files: any FixtureFiles = DiskFiles()) {
    self.files = files
  }

  /// Loads fixtures from paths: a fixture's folder, its `fixture.yaml`, or a folder with fixtures at any
  /// depth.
  ///
  /// - Parameter paths: The paths.
  /// - Returns: The result for each fixture, sorted by path within a folder; a path without a fixture results
  ///   in a finding.
  public func load(_ paths: [String]) -> [LoadedFixture] {
    paths.flatMap { path in
      switch files.kind(of: path) {
      case .folder:
        let contents = contents(of: path)
        let found = contents.fixtures.map { load(fixture: $0) }
        let none = contents.findings.isEmpty ? [Self.noFixture(in: path)] : contents.findings
        return found.isEmpty || !contents.findings.isEmpty
          ? found + [LoadedFixture(path: path, findings: none)] : found
      case .file where Self.lastPart(of: path) != Self.fileName:
        let finding = SourceFinding(
          path: path, message: "this is not a fixture",
          remedy: "name a fixture's folder, or its \(Self.fileName)")
        return [LoadedFixture(path: path, findings: [finding], files: [path])]
      default:
        return [load(fixture: path)]
      }
    }
  }

  /// Loads one fixture.
  ///
  /// - Parameter path: The path of its `fixture.yaml`.
  /// - Returns: The fixture, or the errors in it.
  public func load(fixture path: String) -> LoadedFixture {
    do throws(InvalidInput) {
      let folderPath = path.folderOfPath
      let file = SourceFile(
        path: path,
        bytes: try files.read(path, ofFolder: folderPath, limit: SourceDocument.Limits().bytes))
      let folder = FixtureFolder(files, path: folderPath)
      let findings = SourceFindings(file)
      let fixture = SourceDocument.read(findings).flatMap { root in
        FieldReader.fixture(in: folder).document(root, called: "a fixture", findings)
      }
      var loaded = LoadedFixture(
        path: path, fixture: findings.isEmpty ? fixture : nil, findings: findings.all,
        files: [path] + folder.paths)
      loaded.warnings = findings.warnings
      return loaded
    } catch {
      return LoadedFixture(path: path, findings: [SourceFinding(path: path, error)], files: [path])
    }
  }

  /// The finding for a folder without fixtures.
  package static func noFixture(in path: String) -> SourceFinding {
    SourceFinding(
      path: path, message: "the folder contains no fixture",
      remedy: "a fixture is a folder with a \(fileName)")
  }

  static func lastPart(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  package static func path(of name: String, in folder: String) -> String {
    folder == "/" ? "/\(name)" : "\(folder)/\(name)"
  }
}

extension FixtureLoader {
  /// The contents of a folder and its subfolders.
  package struct Contents: Sendable {
    /// The paths of every `fixture.yaml`, sorted.
    package var fixtures: [String] = []
    /// The paths of other YAML and JSON files outside of fixtures, sorted.
    package var documents: [String] = []
    /// The errors for folders that could not be read.
    package var findings: [SourceFinding] = []
  }

  /// Searches a folder and its subfolders for fixtures; everything in a fixture's folder belongs to the
  /// fixture.
  ///
  /// Symbolic links are not followed, and names that start with a dot are skipped.
  ///
  /// - Parameter folder: The path of the folder.
  /// - Returns: The contents.
  package func contents(of folder: String) -> Contents {
    var contents = Contents()
    collect(folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder, into: &contents)
    contents.fixtures.sort()
    contents.documents.sort()
    return contents
  }

  private func collect(_ folder: String, into contents: inout Contents) {
    let own = Self.path(of: Self.fileName, in: folder)
    if files.kind(of: own) != nil {
      contents.fixtures.append(own)
      return
    }
    do throws(InvalidInput) {
      for entry in try files.entries(of: folder) where !entry.name.hasPrefix(".") {
        let path = Self.path(of: entry.name, in: folder)
        if entry.kind == .folder { collect(path, into: &contents) }
        if entry.kind == .file, Self.isDocument(entry.name) { contents.documents.append(path) }
      }
    } catch {
      contents.findings.append(SourceFinding(path: folder, error))
    }
  }

  /// Whether the file's extension is one of YAML or JSON.
  package static func isDocument(_ path: String) -> Bool {
    [".yaml", ".yml", ".json"].contains { path.hasSuffix($0) }
  }
}
