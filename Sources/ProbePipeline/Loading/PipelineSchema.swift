public import ProbeCore
internal import SourceDocuments

/// The JSON Schema (draft 2020-12) of pipeline files over some plugins, for editors and other checkers.
///
/// It is made of the same declarations that read a file, so that the two cannot differ in what a key is called or what
/// its value looks like. What needs more than a look at one value, such as whether a threshold can be met, only the
/// loader knows: the schema takes everything that the loader does, and more.
public struct PipelineSchema: Sendable {
  /// The URI that names the schema; there need not be anything to fetch.
  public static let id = "https://probekit.example/schema/pipeline-1.json"

  private let plugins: PluginRegistry

  /// The schema over these plugins: their validators and request keys are part of the language.
  public init(_ plugins: PluginRegistry) {
    self.plugins = plugins
  }

  /// The schema as JSON, the same for the same plugins, with a line end at its end.
  public var text: String {
    JSONSchema(schema, title: "ProbeKit pipeline, version 1", id: Self.id).text
  }

  /// What a file may hold.
  package var schema: ValueSchema { FieldReader.pipeline(PipelineLanguage(plugins)).schema }
}
