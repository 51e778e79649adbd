import ProbeTLS
import ProbeCore
import SourceDocuments

/// The files that a fixture names; each is read once, and none is outside of its folder.
final class FixtureFolder {
  private let files: any FixtureFiles
  private let path: String
  private var contents: [String: [UInt8]] = [:]
  /// The total size of these files.
  private var length = 0
  /// The paths of all files that were requested.
  private(set) var paths: [String] = []
  private var knownPaths: Set<String> = []
  /// The names of the files directly in the folder.
  private lazy var names = fileNames()

  init(_ files: any FixtureFiles, path: String) {
    self.files = files
    self.path = path
  }

  /// The bytes of a file.
  ///
  /// - Throws: ``InvalidInput`` if the name or the file is invalid.
  func bytes(of name: String) throws(InvalidInput) -> [UInt8] {
    if let known = contents[name] { return known }
    let quoted = Excerpt(name, limit: 200)
    let inside = "name a file in the fixture's folder"
    let parts = name.parts(between: "/")
    guard !name.isEmpty, !name.utf8.contains(0) else {
      throw InvalidInput("\(quoted) is not a file name", remedy: inside)
    }
    guard name.utf8.first != UInt8(ascii: "/"), !parts.contains("..") else {
      throw InvalidInput("the file \(quoted) is outside the fixture's folder", remedy: inside)
    }
    let path = FixtureLoader.path(of: name, in: self.path)
    if knownPaths.insert(path).inserted { paths.append(path) }
    guard let kind = files.kind(of: path) else {
      throw InvalidInput("there is no file \(quoted)", remedy: nearest(to: name) ?? inside)
    }
    guard kind == .file else {
      throw InvalidInput(
        "\(quoted) is \(kind == .folder ? "a folder" : "not a regular file")", remedy: inside)
    }
    let maximumBytes = FixtureLoader.maximumTotalLength
    guard length < maximumBytes else {
      throw InvalidInput(
        "the file \(quoted): the files of the fixture have more than \(maximumBytes >> 20) MiB together",
        remedy: "leave out the large ones")
    }
    do throws(InvalidInput) {
      let bytes = try files.read(
        path, ofFolder: self.path, limit: FixtureLoader.maximumFileLength)
      length += bytes.count
      contents[name] = bytes
      return bytes
    } catch {
      throw InvalidInput("the file \(quoted): \(error.message)", remedy: error.remedy)
    }
  }

  /// The bytes of a file that a value names; errors are reported at the value.
  func bytes(of name: Located<String>, _ findings: SourceFindings) -> [UInt8]? {
    findings.reporting(at: name.node) { () throws(InvalidInput) in try bytes(of: name.value) }
  }

  /// The SHA-256 digest of a file in hexadecimal.
  ///
  /// - Throws: ``InvalidInput`` as ``bytes(of:)``.
  func digest(of name: String) throws(InvalidInput) -> String {
    MessageDigest.sha256.hexadecimal(of: try bytes(of: name))
  }

  private func nearest(to name: String) -> String? {
    nearestName(to: name, among: names).map { "did you mean \($0.escapedForDisplay)?" }
  }

  private func fileNames() -> [String] {
    let entries = (try? files.entries(of: path)) ?? []
    let names = entries.filter { $0.kind == .file && $0.name != FixtureLoader.fileName }.map(\.name)
    return Array(names.sorted().prefix(100))
  }
}
