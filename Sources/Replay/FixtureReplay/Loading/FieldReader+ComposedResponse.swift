import ProbeCore
import SourceDocuments

extension FieldReader where Value == ComposedResponse {
  /// A response composed from its parts.
  static func composed(_ folder: FixtureFolder) -> FieldReader {
    .mapping { reader in
      var response = ComposedResponse()
      response.status =
        reader.optional(
          "status", .integer(in: 100...999), default: "200", summary: "the status code") ?? 200
      response.reason = reader.optional(
        "reason", .reasonPhrase, default: "the usual one", summary: "the reason phrase")
      response.version =
        reader.optional(
          "version", .version, default: "1.1", summary: "the HTTP version") ?? "1.1"
      response.headers =
        reader.optional(
          "headers", .list(of: .headerLine), default: "none",
          summary: "the header fields, one line each; a missing Content-Length is added") ?? []
      let name = reader.optional(
        "body", .located(.nonEmptyText), default: "none", summary: "a file in the folder with the content")
      response.body = name.flatMap { folder.bytes(of: $0, reader.findings) } ?? []
      response.isTemplate =
        reader.optional(
          "template", .boolean, default: "false",
          summary: "whether variables such as ${request.url} in headers and body are replaced by their values"
        )
        ?? false
      if response.isTemplate { TemplateValidation(response, reader.node, file: name).check(reader.findings) }
      return response
    }
  }
}

extension FieldReader where Value == String {
  /// A reason phrase, which may be empty (RFC 9112 §4).
  static var reasonPhrase: FieldReader {
    .text("a reason phrase", schema: .text(pattern: #"^[^\u0000\r\n]*$"#)) { (text) throws(InvalidInput) in
      try text.refuseLineEnds("a reason phrase")
      return text
    }
  }

  /// An HTTP version (RFC 9112 §2.3).
  static var version: FieldReader {
    .text("a version", schema: .text(pattern: #"^[0-9]\.[0-9]$"#, canBeBoolean: false)) {
      (text) throws(InvalidInput) in
      let bytes = Array(text.utf8)
      guard bytes.count == 3, bytes[0].isASCIIDigit, bytes[1] == UInt8(ascii: "."), bytes[2].isASCIIDigit
      else {
        throw InvalidInput("\(Excerpt(text)) is not an HTTP version", remedy: "write it as 1.0 or 1.1")
      }
      return text
    }
  }

  /// A header field line: name, colon, value (RFC 9112 §5).
  static var headerLine: FieldReader {
    FieldReader(schema: .headerLine) { node, field, findings in
      if case .mapping(let entries) = node.content, entries.count == 1 {
        findings.add("a header field is one text", remedy: "quote the line", at: node)
        return nil
      }
      let line = FieldReader.text("a text") { (text) throws(InvalidInput) in
        try text.refuseLineEnds("a header field")
        let name = text.utf8.prefix { $0 != UInt8(ascii: ":") }
        guard name.count < text.utf8.count, !name.isEmpty, name.allSatisfy(\.isTokenCharacter) else {
          throw InvalidInput(
            "\(Excerpt(text)) is not a header field",
            remedy: "write it as \"Name: value\", or use send for invalid data")
        }
        return text
      }
      return line.value(of: node, field: field, findings)
    }
  }
}

extension String {
  /// Rejects CR, LF and NUL, which would end the line or be invalid in it (RFC 9110 §5.5).
  fileprivate func refuseLineEnds(_ what: String) throws(InvalidInput) {
    guard utf8.contains(where: { $0 == 0 || $0 == 0x0A || $0 == 0x0D }) else { return }
    throw InvalidInput(
      "\(what) contains CR, LF or NUL", remedy: "use send with a .resp for invalid data")
  }
}

/// Checks the variables of a response.
struct TemplateValidation {
  private let response: ComposedResponse
  private let node: SourceNode
  private let file: Located<String>?

  /// Creates the check of a response; `file` is the name of the file with its content.
  init(_ response: ComposedResponse, _ node: SourceNode, file: Located<String>?) {
    self.response = response
    self.node = node
    self.file = file
  }

  /// Reports unknown and misplaced variables, and fields that a template cannot have.
  func check(_ findings: SourceFindings) {
    let template = ResponseTemplate(response)
    if case .sequence(let lines)? = node.entry("headers")?.value.content {
      for (line, text) in zip(lines, template.headers) {
        for mistake in text.mistakes { findings.add(mistake, at: line) }
      }
    }
    if let file {
      for mistake in template.body.mistakes {
        let location = SourceFile(path: file.value, bytes: response.body).location(at: mistake.offset ?? 0)
        findings.add(
          "the file \(Excerpt(file.value)), line \(location.line), column \(location.column): \(mistake.message)",
          remedy: mistake.remedy, at: file.node)
      }
    }
    if let file, response.values(of: "Content-Type").isEmpty {
      findings.add(
        "a template with a body needs a Content-Type, which determines how values are escaped",
        remedy: "add a header field such as Content-Type: text/html", at: file.node)
    }
    let entry = node.entry("template")?.keySpan.lowerBound ?? node.span.lowerBound
    for name in ["Content-Length", "Transfer-Encoding"] where !response.values(of: name).isEmpty {
      findings.add(
        "a template has no \(name), because the length of its content depends on the request",
        remedy: "omit the field", at: node.entry("headers")?.value.span.lowerBound ?? entry)
    }
    guard template.variables.isEmpty, template.mistakeCount == 0, node.isComplete else { return }
    findings.warn(
      "the response has no variables", remedy: "omit template, or write variables such as ${request.url}",
      at: entry)
  }
}

extension ResponseTemplate {
  fileprivate var mistakeCount: Int { headers.reduce(body.mistakes.count) { $0 + $1.mistakes.count } }
}
