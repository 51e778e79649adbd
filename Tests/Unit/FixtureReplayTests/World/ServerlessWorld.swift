import ProbeCore

@testable import FixtureReplay

/// A world without a server: requests are texts, and the test controls the time.
struct ServerlessWorld {
  var world: ReplayWorld
  /// The last journal outcome.
  private(set) var outcome: JournalEntry.Outcome?

  /// 2026-11-25T10:00:00Z.
  static let start = 1_795_600_800

  init(_ fixtures: Fixture...) {
    world = ReplayWorld(fixtures, clock: WorldClock(.now, unix: Self.start))
  }

  /// The response to a request.
  ///
  /// - Parameters:
  ///   - line: The method and the URL, such as `GET http://a.example/x`.
  ///   - client: The client's address.
  ///   - headers: More header field lines.
  ///   - body: The content.
  /// - Returns: The head and the content.
  /// - Throws: An error if the request is invalid.
  mutating func request(
    _ line: String, from client: String = "192.0.2.1", headers: [String] = [], body: String = ""
  ) throws -> String {
    let parts = line.split(separator: " ")
    let url = try ProbeURL(String(parts[1]))
    let port = url.explicitPort.map { ":\($0)" } ?? ""
    let host = url.host.contains(":") ? "[\(url.host)]" : url.host
    let lines =
      [
        "\(parts[0]) \(url.requestTarget) HTTP/1.1", "Host: \(host)\(port)",
        "Content-Length: \(body.utf8.count)",
      ]
      + headers
    var reader = ReplayRequestReader(limits: RequestLimits())
    reader.receive(Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8))
    guard case .request(let request) = try reader.next() else { throw InvalidInput("no request") }
    let response = world.respond(
      to: MatchInput(
        listener: url.scheme == .https ? .https : .http, head: request.head, client: IPAddress(client),
        body: request.body))
    outcome = response.outcome
    return response.script.steps.reduce(into: "") { text, step in
      if case .send(let bytes) = step { text += String(decoding: bytes, as: UTF8.self) }
    }
  }

  /// The status of the response, and the route with the state after it: `302 redirect captive`.
  mutating func visit(
    _ line: String, from client: String = "192.0.2.1", headers: [String] = [], body: String = ""
  ) throws -> String {
    let text = try request(line, from: client, headers: headers, body: body)
    let status = text.split(separator: " ")[1]
    guard case .matched(let hit) = outcome else { return "\(status) unmatched" }
    return "\(status) \(hit.route) \(hit.stateAfter ?? "-")"
  }

  /// Lets time pass.
  mutating func wait(_ time: Duration) { world.clock.skip(time) }

  /// The states of the first fixture's sessions.
  var states: [String] {
    world.states.first?.sessions.map { "\($0.client ?? "all"): \($0.state)" } ?? []
  }
}
