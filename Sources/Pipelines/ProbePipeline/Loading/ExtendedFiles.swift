import ProbeCore
import SourceDocuments

/// The files that a pipeline file extends: their settings apply where it has none.
struct ExtendedFiles {
  /// The keys that are inherited.
  private static let settings = ["question", "policy", "run", "request", "vars", "success", "decide"]
  /// The other keys that such a file can have.
  private static let others = ["version", "name", "description", "extends"]
  /// The maximum number of files that extend each other.
  private static let maximumFiles = 8

  private let folder: PipelineFolder
  private let findings: SourceFindings
  /// The files so far, with symbolic links resolved: the pipeline first.
  private(set) var paths: [String]

  /// Prepares to read the files of a pipeline.
  ///
  /// - Parameters:
  ///   - path: The path of the pipeline file.
  ///   - findings: Receives all errors, and the files.
  init(of path: String, _ findings: SourceFindings) {
    folder = PipelineFolder(ofFile: path)
    self.findings = findings
    paths = [folder.resolved(path)]
  }

  /// The value of a file with the settings of the file that it extends.
  ///
  /// - Parameters:
  ///   - root: The value of the file.
  ///   - path: Its path.
  /// - Returns: The value; without the settings if they cannot be read, which is reported.
  mutating func merged(_ root: SourceNode, ofFile path: String) -> SourceNode {
    guard let name = root.entry("extends")?.value, let text = name.scalar?.text, !text.isEmpty else {
      return root
    }
    let file = folder.path(text, namedIn: path)
    do throws(InvalidInput) {
      let resolved = folder.resolved(file)
      guard !paths.contains(resolved) else {
        throw InvalidInput(
          "the file \(Excerpt(text, limit: 200)) extends itself", remedy: "name another file")
      }
      guard paths.count <= Self.maximumFiles else {
        throw InvalidInput(
          "more than \(Self.maximumFiles) files extend each other",
          remedy: "combine settings into fewer files")
      }
      let bytes = try folder.bytes(of: file, limit: SourceDocument.Limits().bytes)
      paths.append(resolved)
      guard let base = findings.include(path: file, bytes: bytes) else { return root }
      check(base)
      let settings = merged(base, ofFile: file)
      return inheriting(root, from: settings)
    } catch {
      findings.add(error, at: name)
      return root
    }
  }

  /// Reports the keys that a file with settings cannot have.
  private func check(_ base: SourceNode) {
    guard case .mapping(let entries) = base.content else {
      return findings.add("the file must be a mapping, not \(base.kindName)", at: base)
    }
    let known = Self.others + Self.settings
    for entry in entries where !known.contains(entry.key) {
      let isSets = entry.key == "sets"
      findings.add(
        isSets
          ? "a file that is extended has settings only, no sets"
          : "the file has an unknown key \(Excerpt(entry.key))",
        remedy: isSets
          ? "move them to the pipelines that extend it"
          : findings.nearestKey(to: entry, among: known).map { "did you mean \($0)?" }
            ?? "use \(known.alternatives)",
        at: entry.keySpan.lowerBound)
    }
    let version = base.entry("version")?.value
    guard version?.scalar?.text != "1", base.isComplete else { return }
    findings.add("the file has no version 1", remedy: "add a line such as version: 1", at: version ?? base)
  }

  /// The value with the settings of another one, key by key.
  private func inheriting(_ root: SourceNode, from base: SourceNode) -> SourceNode {
    guard case .mapping(var entries) = root.content, case .mapping(let inherited) = base.content else {
      return root
    }
    for entry in inherited where Self.settings.contains(entry.key) {
      guard let index = entries.firstIndex(where: { $0.key == entry.key }) else {
        entries.append(entry)
        continue
      }
      guard case .mapping(let own) = entries[index].value.content,
        case .mapping(let others) = entry.value.content
      else { continue }
      let missing = others.filter { other in !own.contains { $0.key == other.key } }
      entries[index].value.content = .mapping(own + missing)
    }
    var merged = root
    merged.content = .mapping(entries)
    merged.isComplete = root.isComplete && base.isComplete
    return merged
  }
}
