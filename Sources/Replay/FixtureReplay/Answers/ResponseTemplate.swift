internal import ProbeCore

/// A composed response with variables in its header fields and its content.
struct ResponseTemplate: Hashable, Sendable {
  private let response: ComposedResponse
  /// The header field lines.
  let headers: [TemplateText]
  /// The content.
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

  /// The variables in it.
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
  /// The format of content with a media type.
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
