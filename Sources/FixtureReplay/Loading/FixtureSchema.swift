package import ProbeCore
import SourceDocuments

/// The JSON Schema (draft 2020-12) of `fixture.yaml`, for editors and other checkers.
///
/// It is made of the same declarations that read a file. What needs more than a look at one value, such as whether a file
/// is there or a route can ever answer, only the loader knows: the schema takes everything that the loader does, and more.
public enum FixtureSchema {
  /// The URI that names the schema; there need not be anything to fetch.
  public static let id = "https://probekit.example/schema/fixture-1.json"

  /// The schema as JSON, always the same, with a line end at its end.
  public static var text: String {
    JSONSchema(schema, title: "ProbeKit fixture, version 1", id: id).text
  }

  /// What a file may hold.
  package static var schema: ValueSchema {
    // Nothing is read, so that the folder can be empty.
    FieldReader.fixture(in: FixtureFolder(MemoryFiles([:]), path: "")).schema
  }
}
