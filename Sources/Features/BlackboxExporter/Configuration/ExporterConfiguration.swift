internal import ProbeSystem
package import SourceDocuments

/// A blackbox.yml.
package struct ExporterConfiguration: Sendable {
  /// The modules by their names.
  package var modules: [String: ExporterModule]
  /// The file as YAML, with `<secret>` instead of secrets.
  package var text: String

  /// A configuration.
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
    let findings = SourceFindings(SourceFile(path: path, bytes: source))
    guard let root = SourceDocument.read(findings, dialect: .common),
      var reader = MappingReader(root, "the file", findings)
    else { return (nil, findings.all + findings.warnings) }
    var modules: [String: ExporterModule] = [:]
    if let node = reader.filled("modules") {
      let named = MappingReader(node, "modules", findings)
      findings.names = Set(named?.entries.map(\.keySpan.lowerBound) ?? [])
      for entry in named?.entries ?? [] where !findings.givesUp() {
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
