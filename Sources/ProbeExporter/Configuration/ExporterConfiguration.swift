package import SourceDocuments

/// A blackbox.yml.
package struct ExporterConfiguration: Sendable {
  /// The modules by their names.
  package var modules: [String: ExporterModule]
  /// The file as YAML, with `<secret>` in place of secrets.
  package var text: String

  /// A configuration.
  package init(modules: [String: ExporterModule] = [:], text: String = "") {
    (self.modules, self.text) = (modules, text)
  }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - source: The bytes of the file.
  ///   - path: Its path, for findings.
  ///   - folder: The folder of the file; relative paths are relative to the working directory, as upstream.
  /// - Returns: The configuration, if it can be used, and every finding: errors, and warnings such as that of an
  ///   unsupported prober.
  package static func read(_ source: [UInt8], path: String) -> (ExporterConfiguration?, [SourceFinding]) {
    (nil, [])
  }
}
