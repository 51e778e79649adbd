import ProbeCore
import SourceDocuments

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
