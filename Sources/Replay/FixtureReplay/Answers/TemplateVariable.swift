internal import ProbeCore

/// A variable of a template: a property of the request, of the client or of its session, or the time.
enum TemplateVariable: Hashable, Sendable {
  case requestURL
  case requestHost
  case requestPath
  case query(String)
  case form(String)
  case clientAddress
  case clientMAC
  case time
  case date
  case sessionURL
  case seconds
  case bytes
  case state

  private static let fixed: [(name: String, variable: TemplateVariable)] = [
    ("request.url", .requestURL), ("request.host", .requestHost), ("request.path", .requestPath),
    ("client.address", .clientAddress), ("client.mac", .clientMAC), ("time", .time), ("date", .date),
    ("session.url", .sessionURL), ("session.seconds", .seconds), ("session.bytes", .bytes),
    ("session.state", .state),
  ]

  /// The names of all variables, for messages.
  static var names: [String] { fixed.map(\.name) + ["request.query.NAME", "request.form.NAME"] }

  /// Finds the variable with a name, such as `request.query.url`.
  ///
  /// - Throws: `InvalidInput` if there is none.
  init(_ name: String) throws(InvalidInput) {
    if let known = Self.fixed.first(where: { $0.name == name }) {
      self = known.variable
    } else if name.hasPrefix("request.query."), name != "request.query." {
      self = .query(String(name.dropFirst("request.query.".count)))
    } else if name.hasPrefix("request.form."), name != "request.form." {
      self = .form(String(name.dropFirst("request.form.".count)))
    } else {
      let nearest = nearestName(to: name, among: Self.names).map { "did you mean ${\($0)}?" }
      throw InvalidInput(
        "there is no variable \(Excerpt(name))",
        remedy: nearest ?? "use \(Self.names.alternatives), or $${ for the text ${")
    }
  }

  /// Whether its value is a number, or missing.
  var isNumber: Bool { [.time, .seconds, .bytes].contains(self) }

  /// Whether its value is a URL or a part of one, and so percent-encoded already.
  var isOfURL: Bool { [.requestURL, .requestHost, .requestPath, .sessionURL].contains(self) }
}
