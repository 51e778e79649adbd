internal import FixtureReplay
internal import ProbeCore

/// The route for a form that a capture did not send: a page that reports this.
enum UnsentForm {
  /// The file with the page.
  static let fileName = "not-recorded.html"

  /// The page.
  static let page = """
    <!DOCTYPE html>
    <meta charset="utf-8">
    <title>Not recorded</title>
    <p>The capture did not send this form, so the portal's response is not known.</p>

    """

  /// The lines of the route in `fixture.yaml`.
  ///
  /// The query is left out of the condition: the fields of the form are the query of a GET.
  static func lines(of route: CapturedNetwork.Route) -> [String] {
    let path = route.url.path.isEmpty ? "/" : route.url.path
    var condition = ["listener: \(route.listener.rawValue)"]
    if let method = route.method { condition.append("method: \(method)") }
    condition.append("host: \(route.url.host.inYAML)")
    if let port = route.url.port { condition.append("port: \(port)") }
    condition.append("path: \(path.inYAML)")
    return [
      "  # The capture did not send this form, so the portal's response is not known.",
      "  - id: \(route.id.inYAML)",
      "    when: { \(condition.joined(separator: ", ")) }",
      "    respond: { status: 501, headers: [\"Content-Type: text/html; charset=utf-8\"], body: \(fileName) }",
    ]
  }
}
