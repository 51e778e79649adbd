import ProbeCore
import SourceDocuments

extension FieldReader where Value == ComposedResponse {
  /// A response composed from its parts.
  static func composed(_ folder: FixtureFolder) -> FieldReader {
    .mapping(into: ComposedResponse()) { response, reader in
      reader.read(
        into: &response.status, "status", .integer(in: 100...999), default: "200",
        summary: "the status code")
      response.reason = reader.optional(
        "reason", .reasonPhrase, default: "the usual one", summary: "the reason phrase")
      reader.read(into: &response.version, "version", .version, default: "1.1", summary: "the HTTP version")
      reader.read(
        into: &response.headers, "headers", .list(of: .headerLine), default: "none",
        summary: "the header fields, one line each; a missing Content-Length is added")
      let name = reader.optional(
        "body", .located(.nonEmptyText), default: "none", summary: "a file in the folder with the content")
      response.body = name.flatMap { folder.bytes(of: $0, reader.findings) } ?? []
      reader.read(
        into: &response.isTemplate, "template", .boolean, default: "false",
        summary: "whether variables such as ${request.url} in headers and body are replaced by their values")
      if response.isTemplate { response.checkTemplate(reader.node, file: name, reader.findings) }
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
    .text(
      "a version", schema: .text(pattern: #"^[0-9]\.[0-9]$"#, canBeBoolean: false),
      otherwise: "is not an HTTP version", remedy: "write it as 1.0 or 1.1"
    ) { text in
      let bytes = Array(text.utf8)
      return bytes.count == 3 && bytes[0].isASCIIDigit && bytes[1] == UInt8(ascii: ".")
        && bytes[2].isASCIIDigit
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

extension ComposedResponse {
  /// Reports unknown and misplaced variables, and fields that a template cannot have.
  ///
  /// - Parameters:
  ///   - node: The value in the file.
  ///   - file: The name of the file with the content; nil for none.
  ///   - findings: Receives the errors and warnings.
  fileprivate func checkTemplate(_ node: SourceNode, file: Located<String>?, _ findings: SourceFindings) {
    let template = ResponseTemplate(self)
    if case .sequence(let lines)? = node.entry("headers")?.value.content {
      for (line, text) in zip(lines, template.headers) {
        for mistake in text.mistakes { findings.add(mistake, at: line) }
      }
    }
    if let file {
      for mistake in template.body.mistakes {
        let location = SourceFile(path: file.value, bytes: body).location(at: mistake.offset ?? 0)
        findings.add(
          "the file \(Excerpt(file.value)), line \(location.line), column \(location.column): \(mistake.message)",
          remedy: mistake.remedy, at: file.node)
      }
    }
    if let file, values(of: "Content-Type").isEmpty {
      findings.add(
        "a template with a body needs a Content-Type, which determines how values are escaped",
        remedy: "add a header field such as Content-Type: text/html", at: file.node)
    }
    let entry = node.entry("template")?.keySpan.lowerBound ?? node.span.lowerBound
    for name in ["Content-Length", "Transfer-Encoding"] where !values(of: name).isEmpty {
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
