public import ProbeCore
internal import SourceDocuments

/// The JSON Schema (draft 2020-12) of pipeline files with some plugins, for editors and validators.
///
/// It is generated from the declarations that also read a file, so that the names of keys and the types of
/// values cannot differ. Checks that involve more than one value, such as whether a threshold can be met, are
/// left to the loader: the schema accepts everything that the loader does, and more.
public struct PipelineSchema: Sendable {
  /// The URI that identifies the schema; it need not be retrievable.
  public static let id = "https://probekit.example/schema/pipeline-1.json"

  private let plugins: PluginRegistry

  /// Creates the schema for these plugins, whose validators and request keys are part of the language.
  public init(_ plugins: PluginRegistry) {
    self.plugins = plugins
  }

  /// The schema as JSON, with a final line break; always the same for the same plugins.
  public var text: String {
    let schema = FieldReader.pipeline(PipelineLanguage(plugins)).schema
    return JSONSchema(schema, title: "ProbeKit pipeline, version 1", id: Self.id).text
  }
}
