internal import SourceDocuments
package import ProbeCore

/// The JSON Schema (draft 2020-12) of `fixture.yaml`, for editors and other checkers.
///
/// It is generated from the declarations that read a file. It accepts everything that the loader accepts, and
/// more: only the loader checks what needs more than one value, such as whether a file exists or a route can
/// ever match.
package enum FixtureSchema {
  /// The URI that identifies the schema; it need not be retrievable.
  package static let id = "https://probekit.example/schema/fixture-1.json"

  /// The schema as JSON with a final line end; always the same text.
  package static var text: String {
    JSONSchema(schema, title: "ProbeKit fixture, version 1", id: id).text
  }

  /// The schema of a file.
  package static var schema: ValueSchema {
    // The folder can be empty, because no file is read.
    FieldReader.fixture(in: FixtureFolder(MemoryFiles([:]), path: "")).schema
  }
}

// Schemas for values that are stricter than their readers' types, so that editors report an error while
// typing. Each accepts everything that the loader accepts.
extension ValueSchema {
  /// The regular expression of a token, such as a method or the name of a header field (RFC 9110 §5.6.2).
  static var token: String { "[!#$%&'*+.^_`|~0-9A-Za-z-]+" }

  static var absoluteURL: ValueSchema {
    .text(
      pattern: #"^[A-Za-z][0-9A-Za-z+.-]*://[^\u0000-\u0020\u007f]+$"#, canBeNumber: false,
      canBeBoolean: false, examples: ["http://192.0.2.1/login"])
  }

  /// A calendar date.
  static var day: ValueSchema {
    .text(
      pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$", canBeNumber: false, canBeBoolean: false,
      examples: ["2026-11-21"])
  }

  /// An IPv4 or IPv6 address.
  static var address: ValueSchema {
    .text(
      pattern: #"^([0-9]{1,3}(\.[0-9]{1,3}){3}|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*)$"#, canBeNumber: false,
      canBeBoolean: false, examples: ["192.0.2.1"])
  }

  /// A port, or a pattern of ports.
  static var port: ValueSchema {
    let text = ValueSchema.text(
      pattern: #"^([1-9][0-9]{0,4}|[0-9]*\*[0-9*]*)$"#, canBeNumber: false, canBeBoolean: false)
    return .anyOf([.integer(in: 1...65_535), text])
  }

  /// A pattern for paths, with or without a query: visible ASCII except `#`.
  static var path: ValueSchema {
    .text(pattern: #"^[/*][!"$-~]*$"#, canBeNumber: false, canBeBoolean: false, examples: ["/generate_204"])
  }

  static var headerLine: ValueSchema {
    .text(
      pattern: #"^\#(token):[^\u0000\r\n]*$"#, canBeNumber: false, canBeBoolean: false,
      examples: ["Content-Type: text/html"])
  }
}
