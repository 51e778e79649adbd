package import ProbeCore
internal import SourceDocuments

/// The JSON Schema (draft 2020-12) of pipeline files with some plugins, for editors and validators.
///
/// It is generated from the declarations that also read a file, so that the names of keys and the types of
/// values cannot differ. Checks that involve more than one value, such as whether a threshold can be met, are
/// left to the loader: the schema accepts everything that the loader does, and more.
package struct PipelineSchema: Sendable {
  /// The URI that identifies the schema; it need not be retrievable.
  package static let id = "https://probekit.example/schema/pipeline-1.json"

  private let plugins: PluginRegistry
  private let declared: [DeclaredPlugin]

  /// Creates the schema for these plugins, whose validators and request keys are part of the language.
  package init(_ plugins: PluginRegistry) {
    self.plugins = plugins
    declared = []
  }

  /// Creates the schema for these plugins, and those in other processes that a pipeline file declares.
  ///
  /// No program is started: the options of a plugin are those of the schema that the file names.
  ///
  /// - Parameters:
  ///   - plugins: The plugins.
  ///   - path: The path of the file as the user gave it.
  ///   - bytes: The contents of the file.
  /// - Throws: ``UnusablePipeline`` with every error in `plugins`, and in the syntax of the file.
  package init(_ plugins: PluginRegistry, declaredIn path: String, bytes: [UInt8]) throws(UnusablePipeline) {
    self.plugins = plugins
    let findings = SourceFindings(SourceFile(path: path, bytes: bytes))
    let folder = PipelineFolder(ofFile: path)
    declared =
      SourceDocument.read(findings)?.entry("plugins").flatMap {
        FieldReader.declaredPlugins(besides: plugins, in: folder).value(
          of: $0.value, field: "plugins", findings)
      } ?? []
    guard findings.isEmpty else { throw UnusablePipeline(findings: findings.all) }
  }

  /// The schema as JSON, with a final line break; always the same for the same plugins.
  package var text: String {
    JSONSchema(schema, title: "ProbeKit pipeline, version 1", id: Self.id).text
  }

  /// The schema of a file.
  package var schema: ValueSchema {
    FieldReader.pipeline(PipelineLanguage(plugins, declared: declared)).schema
  }
}
