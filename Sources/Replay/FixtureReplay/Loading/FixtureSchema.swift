package import ProbeCore
import SourceDocuments

/// The JSON Schema (draft 2020-12) of `fixture.yaml`, for editors and other checkers.
///
/// It is generated from the declarations that read a file. It accepts everything that the loader accepts, and
/// more: only the loader checks what needs more than one value, such as whether a file exists or a route can
/// ever match.
public enum FixtureSchema {
  /// The URI that identifies the schema; it need not be retrievable.
  public static let id = "https://probekit.example/schema/fixture-1.json"

  /// The schema as JSON with a final line end; always the same text.
  public static var text: String {
    JSONSchema(schema, title: "ProbeKit fixture, version 1", id: id).text
  }

  /// The schema of a file.
  package static var schema: ValueSchema {
    // The folder can be empty, because no file is read.
    FieldReader.fixture(in: FixtureFolder(MemoryFiles([:]), path: "")).schema
  }
}
