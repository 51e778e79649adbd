import FixtureReplay
import ProbeTLS
import TestClients
import TestSupport

/// A client that behaves differently each time, and mostly rudely.
struct StormClient {
  private var numbers: SeededNumbers
  private let trust: TrustStore

  init(seed: UInt64, trust: TrustStore) {
    numbers = SeededNumbers(seed: seed)
    self.trust = trust
  }

  /// Connects to one of the servers, and behaves randomly.
  ///
  /// - Returns: A problem, or nil.
  mutating func visit(_ servers: [ReplayServer], _ fixtures: [Fixture]) -> String? {
    let index = Int.random(in: servers.indices, using: &numbers)
    let listener = ReplayListener.allCases.randomElement(using: &numbers) ?? .http
    let start = ContinuousClock.now
    // Any result is correct, as long as there is one.
    try? talk(to: servers[index], listener)
    if Int.random(in: 0..<10, using: &numbers) == 0 {
      try? servers[index].replace(with: [fixtures[index]])
      _ = servers[index].journal.entries.map(\.line)
      _ = try? servers[index].assignPort(for: .tcp, host: "mail.example", port: 25)
    }
    let duration = start.duration(to: .now)
    return duration < RawClient.patience ? nil : "\(fixtures[index].name), \(listener): \(duration)"
  }

  private mutating func talk(to server: ReplayServer, _ listener: ReplayListener) throws {
    let port = server.port(of: listener)
    let patience = Duration.milliseconds(Int.random(in: 0...30, using: &numbers))
    if listener == .https, Bool.random(using: &numbers) {
      let client = try SecureClient(
        port: port, trust: trust, options: .init(host: "storm.example"), within: .milliseconds(50))
      try client.handshake(within: patience + .milliseconds(20))
      try client.send(request())
      _ = client.receive(upTo: Int.random(in: 0...100_000, using: &numbers), within: patience)
      if Bool.random(using: &numbers) { try client.close() }
      return
    }
    let client = try RawClient(port: port, within: .milliseconds(50))
    let bytes = Array(request().utf8)
    let count = Bool.random(using: &numbers) ? bytes.count : Int.random(in: 0...bytes.count, using: &numbers)
    let size = [1, 7, Int.max].randomElement(using: &numbers) ?? 1
    if Int.random(in: 0..<3, using: &numbers) == 0 { client.resetAtEnd() }
    try client.send(Array(bytes.prefix(count)), inPiecesOf: size)
    if Bool.random(using: &numbers) { client.shutdownWrite() }
    _ = client.receive(upTo: Int.random(in: 0...100_000, using: &numbers), within: patience)
  }

  private mutating func request() -> String {
    let path = ["/", "/login", "/hop/01", "/generate_204"].randomElement(using: &numbers) ?? "/"
    let fields = "Host: storm.example\r\n"
    return [
      "GET \(path) HTTP/1.1\r\n\(fields)\r\n", "HEAD \(path) HTTP/1.1\r\n\(fields)\r\n",
      "POST \(path) HTTP/1.1\r\n\(fields)Content-Length: 5\r\n\r\nhello",
      "POST \(path) HTTP/1.1\r\n\(fields)Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n",
      String(repeating: "GET \(path) HTTP/1.1\r\n\(fields)\r\n", count: 5),
      "GET \(path) HTTP/1.0\r\nContent-Length: nothing\r\n\r\n", "\u{16}\u{3}\u{1}\0\u{5}hello",
    ].randomElement(using: &numbers) ?? ""
  }
}
