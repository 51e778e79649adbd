internal import ProbeCore

/// A composed response with variables in its header fields and its content.
struct ResponseTemplate: Hashable, Sendable {
  private let response: ComposedResponse
  /// The header field lines.
  let headers: [TemplateText]
  let body: TemplateText

  /// Splits a response at its variables; the content by its Content-Type.
  init(_ response: ComposedResponse) {
    self.response = response
    headers = response.headers.map { line in
      let name = line.prefix { $0 != ":" }.lowercased()
      return TemplateText(line: line, isURL: ["location", "content-location"].contains(name))
    }
    let type = ContentType(response.values(of: "Content-Type").first ?? "").name
    body = TemplateText(response.body, TemplateText.Format(contentType: type))
  }

  var variables: Set<TemplateVariable> { headers.reduce(body.variables) { $0.union($1.variables) } }

  /// The response with the values of the variables.
  func filled(with value: (TemplateVariable) -> String?) -> ComposedResponse {
    var filled = response
    filled.headers = headers.map { String(decoding: $0.filled(with: value), as: UTF8.self) }
    filled.body = body.filled(with: value)
    return filled
  }
}

extension TemplateText {
  /// A header field line, whose value may be a URL as a whole.
  fileprivate init(line: String, isURL: Bool) {
    let name = line.prefix { $0 != ":" }
    let value = line.dropFirst(name.count + 1)
    let space = value.prefix { $0 == " " || $0 == "\t" }
    let start = "\(name):\(space)"
    self.init(Array(value.dropFirst(space.count).utf8), .header(isURL: isURL))
    prepend(Array(start.utf8))
  }
}

extension TemplateText.Format {
  init(contentType type: String) {
    switch type {
    case "text/html", "text/xml", "application/xml": self = .markup
    case "text/css": self = .style
    case "application/json": self = .json
    case "text/javascript", "application/javascript", "application/x-javascript": self = .script
    case _ where type.hasSuffix("+xml"): self = .markup
    case _ where type.hasSuffix("+json"): self = .json
    default: self = .plain
    }
  }
}

extension ReplayRoute {
  /// Whether its response has variables.
  var hasTemplate: Bool {
    if case .respond(let composed) = response { composed.isTemplate } else { false }
  }

  /// The template of its response, or nil if it has no variables.
  var template: ResponseTemplate? {
    guard case .respond(let composed) = response, composed.isTemplate else { return nil }
    return ResponseTemplate(composed)
  }
}

/// A text with variables, split at them.
struct TemplateText: Hashable, Sendable {
  /// The format of the text, which determines how values are escaped.
  enum Format: Hashable, Sendable {
    case plain
    /// The value of a header field; in some fields, the whole value is a URL.
    case header(isURL: Bool)
    /// HTML or XML.
    case markup
    case json
    case script
    case style
  }

  enum Part: Hashable, Sendable {
    case bytes([UInt8])
    case variable(TemplateVariable, TemplatePosition)
  }

  private(set) var parts: [Part] = []
  /// The errors in it, each with its offset; a wrong variable is a part of the text.
  private(set) var mistakes: [InvalidInput] = []

  /// Splits a text.
  init(_ text: [UInt8], _ format: Format) {
    var positions = TemplatePositions(format)
    var bytes: [UInt8] = []
    var offset = 0
    while let dollar = text[offset...].firstIndex(of: UInt8(ascii: "$")) {
      for byte in text[offset..<dollar] { positions.read(byte) }
      bytes += text[offset..<dollar]
      offset = dollar
      let rest = text[dollar...]
      if rest.starts(with: ReferenceSyntax.escapedOpening.utf8) {
        for byte in ReferenceSyntax.opening.utf8 { positions.read(byte) }
        bytes += ReferenceSyntax.opening.utf8
        offset += 3
      } else if rest.starts(with: ReferenceSyntax.opening.utf8), let (variable, length) = variable(rest) {
        do throws(InvalidInput) {
          let position = try positions.position()
          if !bytes.isEmpty { parts.append(.bytes(bytes)) }
          bytes = []
          parts.append(.variable(variable, position))
          positions.read(variable)
        } catch {
          mistakes.append(InvalidInput(error.message, remedy: error.remedy, offset: dollar))
        }
        offset += length
      } else {
        positions.read(text[dollar])
        bytes.append(text[dollar])
        offset += 1
      }
    }
    bytes += text[offset...]
    if !bytes.isEmpty { parts.append(.bytes(bytes)) }
  }

  /// Adds bytes before the text.
  mutating func prepend(_ bytes: [UInt8]) {
    parts.insert(.bytes(bytes), at: 0)
    mistakes = mistakes.map {
      InvalidInput($0.message, remedy: $0.remedy, offset: $0.offset.map { $0 + bytes.count })
    }
  }

  var variables: Set<TemplateVariable> {
    Set(parts.compactMap { if case .variable(let variable, _) = $0 { variable } else { nil } })
  }

  /// The text with the values of the variables.
  func filled(with value: (TemplateVariable) -> String?) -> [UInt8] {
    parts.flatMap { part in
      switch part {
      case .bytes(let bytes): bytes
      case .variable(let variable, let position): Array(position.escaped(value(variable), of: variable).utf8)
      }
    }
  }

  /// The variable at the start of a text and the length of its reference, or nil with an error.
  private mutating func variable(_ text: ArraySlice<UInt8>) -> (TemplateVariable, length: Int)? {
    let maximumLength = 200
    guard let end = text.prefix(maximumLength).firstIndex(of: UInt8(ascii: "}")) else {
      mistakes.append(
        InvalidInput(
          "a variable has no }", remedy: "write ${NAME}, or $${ for the text ${", offset: text.startIndex))
      return nil
    }
    let name = String(decoding: text[(text.startIndex + 2)..<end], as: UTF8.self)
    do throws(InvalidInput) {
      return (try TemplateVariable(name), end + 1 - text.startIndex)
    } catch {
      mistakes.append(InvalidInput(error.message, remedy: error.remedy, offset: text.startIndex))
      return nil
    }
  }
}

/// Follows a text of some format, and determines the position of the next byte or variable.
private struct TemplatePositions {
  private let format: TemplateText.Format
  private var markup = MarkupPositions()
  private var urls = URLRun()
  /// Whether the last quote opened a string.
  private var isQuoted = false
  private var isEscaped = false

  init(_ format: TemplateText.Format) {
    self.format = format
    if format == .header(isURL: true) { urls.startURL() }
  }

  func position() throws(InvalidInput) -> TemplatePosition {
    switch format {
    case .plain: return TemplatePosition(syntax: .plain, url: urls.part)
    case .header: return TemplatePosition(syntax: .header(isQuoted: isQuoted), url: urls.part)
    case .markup: return try markup.position()
    case .json:
      return isQuoted
        ? TemplatePosition(syntax: .jsonString, url: urls.part) : TemplatePosition(syntax: .jsonValue)
    case .script: return TemplatePosition(syntax: .script, url: urls.part)
    case .style:
      throw InvalidInput("a style sheet cannot have variables", remedy: "write the value itself")
    }
  }

  mutating func read(_ variable: TemplateVariable) {
    if format == .markup { markup.read(variable) } else { urls.read(variable) }
  }

  mutating func read(_ byte: UInt8) {
    if format == .markup { return markup.read(byte) }
    urls.read(byte)
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\"), isQuoted {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      isQuoted.toggle()
    }
  }
}
