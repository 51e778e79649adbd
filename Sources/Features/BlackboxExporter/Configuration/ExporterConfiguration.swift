internal import ProbeCore
internal import ProbePatterns
internal import ProbeSystem
package import SourceDocuments

/// A blackbox.yml.
package struct ExporterConfiguration: Sendable {
  package var modules: [String: ExporterModule]
  /// The file as YAML, with `<secret>` instead of secrets.
  package var text: String

  package init(modules: [String: ExporterModule] = [:], text: String = "") {
    (self.modules, self.text) = (modules, text)
  }

  /// Reads a file.
  ///
  /// The files that it names, such as certificates, are read for each probe, relative to the working
  /// directory as in blackbox_exporter.
  ///
  /// - Parameters:
  ///   - source: The bytes of the file.
  ///   - path: Its path, for findings.
  ///   - fileExists: Whether a file that it names exists; a missing one results in a warning.
  /// - Returns: The configuration, if it is usable, and all findings: errors, and warnings such as that about
  ///   an unsupported prober.
  package static func read(
    _ source: [UInt8], path: String,
    fileExists: @escaping (String) -> Bool = { (try? FileReading.resolved($0)) != nil }
  ) -> (ExporterConfiguration?, [SourceFinding]) {
    let findings = SourceFindings(SourceFile(path: path, bytes: source)) { DeclaredSecrets([.body]) }
    guard let root = SourceDocument.read(findings, dialect: .common),
      var reader = MappingReader(root, "the file", findings)
    else { return (nil, findings.all + findings.warnings) }
    var modules: [String: ExporterModule] = [:]
    if let node = reader.filled("modules") {
      let named = MappingReader(node, "modules", findings)
      findings.names = Set(named?.entries.map(\.keySpan.lowerBound) ?? [])
      for entry in named?.entries ?? [] where !findings.stopIfFull() {
        let reading = ModuleReading(findings, fileExists: fileExists)
        modules[entry.key] = reading.module(entry)
      }
    } else if root.isComplete {
      findings.warn("the file has no modules", remedy: "add them below modules:", at: root.span.lowerBound)
    }
    reader.finish()
    let configuration = ExporterConfiguration(modules: modules, text: ConfigurationText(root).text)
    return (findings.isEmpty ? configuration : nil, findings.all + findings.warnings)
  }
}

/// A part of blackbox.yml as YAML, with `<secret>` instead of secrets.
///
/// Keys keep the order of the file, aliases and merge keys are expanded, and plain scalars remain unquoted.
/// Parsing the text results in the same modules, apart from the secrets.
struct ConfigurationText {
  /// The placeholder for a secret.
  static let placeholder = "<secret>"

  /// The lines.
  private(set) var text = ""

  /// Writes a file or a part of it; modules may have any name.
  init(_ root: SourceNode) {
    write(root, indentation: 0, within: Path())
  }

  /// Writes a mapping or a list; after a hyphen, its first line continues the current one.
  private mutating func write(
    _ node: SourceNode, indentation: Int, within path: Path, afterHyphen: Bool = false
  ) {
    let margin = String(repeating: " ", count: indentation)
    switch node.content {
    case .mapping(let entries):
      for (index, entry) in entries.enumerated() {
        text += (afterHyphen && index == 0 ? "" : margin) + entry.key.wordInYAML + ":"
        writeValue(entry.value, indentation: indentation, within: path.entering(entry.key))
      }
    case .sequence(let items):
      for item in items {
        text += margin + "-"
        if case .mapping(let entries) = item.content, !entries.isEmpty {
          text += " "
          write(item, indentation: indentation + 2, within: path, afterHyphen: true)
        } else {
          writeValue(item, indentation: indentation, within: path)
        }
      }
    case .scalar, .unusable:
      break
    }
  }

  /// Writes a value after a key or a hyphen.
  private mutating func writeValue(_ node: SourceNode, indentation: Int, within path: Path) {
    switch node.content {
    case .scalar(let scalar):
      let words = Self.words(scalar, within: path)
      text += (words.isEmpty ? "" : " ") + words + "\n"
    case .mapping(let entries) where entries.isEmpty: text += " {}\n"
    case .sequence(let items) where items.isEmpty: text += " []\n"
    case .mapping, .sequence:
      text += "\n"
      write(node, indentation: indentation + 2, within: path)
    case .unusable: text += "\n"
    }
  }

  private static func words(_ scalar: SourceScalar, within path: Path) -> String {
    if scalar.isNull { return scalar.text }
    if path.context.isSecret(scalar.text, DeclaredSecrets()) {
      // The scheme remains, because it determines whether the login can be sent; see ``ProxyLogin``.
      let isBasic =
        path.keys.contains(SecretContext.proxyFields) && scalar.text.lowercased().hasPrefix("basic ")
      return scalar.text.isEmpty ? "\"\"" : (isBasic ? "Basic " : "") + placeholder
    }
    if ["proxy_url", "token_url"].contains(path.keys.last), let url = withoutPassword(scalar.text) {
      return url.wordInYAML
    }
    if scalar.isBinary { return "!!binary " + scalar.text.wordInYAML }
    return scalar.isPlain && !scalar.text.utf8.contains(UInt8(ascii: "\n"))
      ? scalar.text : scalar.text.inYAML
  }

  /// The keys on the way to a value.
  private struct Path {
    private(set) var keys: [String] = []
    private(set) var context = SecretContext.ordinary

    func entering(_ key: String) -> Path {
      // A key below `modules` is the name of a module.
      Path(keys: keys + [key], context: keys == ["modules"] ? .ordinary : context.entering(key))
    }
  }

  /// A URL with its password replaced; nil if it has none.
  private static func withoutPassword(_ url: String) -> String? {
    guard let start = url.firstRange(of: "://")?.upperBound else { return nil }
    let authority = url[start...].utf8.prefix { !"/?#".utf8.contains($0) }
    guard let end = authority.lastIndex(of: UInt8(ascii: "@")),
      let colon = authority[..<end].firstIndex(of: UInt8(ascii: ":"))
    else { return nil }
    return url[..<colon] + ":" + placeholder + url[end...]
  }
}
