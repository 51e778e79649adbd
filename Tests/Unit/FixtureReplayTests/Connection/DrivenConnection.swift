@testable import FixtureReplay

/// A connection without a socket: performs its actions in memory, and passes the resulting events to it.
struct DrivenConnection {
  var connection: ReplayConnection
  var world: ReplayWorld
  /// Whether the system accepts everything that is sent.
  var takesAll = true
  /// Whether the client's system has acknowledged everything.
  var isAcknowledged = true
  /// The performed actions, a word each, except sends.
  private(set) var done: [String] = []
  private(set) var sent: [UInt8] = []
  private(set) var entries: [JournalEntry] = []
  static let start = ContinuousClock.now

  init(
    _ routes: [ReplayRoute], _ listener: ReplayListener = .http, holds: Bool = false,
    limits: RequestLimits = RequestLimits()
  ) {
    connection = ReplayConnection(
      number: 1, listener: listener, holds: holds, limits: limits, now: Self.start)
    world = ReplayWorld([Fixture(name: "f", routes: routes)])
    handle { $0.start(in: &$1) }
  }

  /// A connection to one route for everything.
  init(_ route: ReplayRoute, _ listener: ReplayListener = .http, limits: RequestLimits = RequestLimits()) {
    self.init([route], listener, limits: limits)
  }

  /// Passes an event to the connection, and performs the actions.
  mutating func handle(
    _ event: (inout ReplayConnection, inout ReplayWorld) -> [ReplayConnection.Action]
  ) {
    var actions = event(&connection, &world)
    while let action = actions.first {
      actions.removeFirst()
      switch action {
      case .note(let entry):
        entries.append(entry)
        done.append(entry.hit?.route ?? entry.line.split(separator: "→ ").last.map(String.init) ?? "")
      case .send(let bytes):
        sent += bytes
        actions += connection.sent(all: takesAll, in: &world)
      case .announceEnd:
        done.append("announce end")
        actions += connection.sent(all: takesAll, in: &world)
      case .shutDown: done.append("FIN")
      case .pause(let duration): done.append("pause \(duration)")
      case .checkAcknowledgement: actions += connection.acknowledged(isAcknowledged)
      case .reset: done.append("RST")
      case .close: done.append("close")
      }
    }
  }

  mutating func receive(_ text: String) { handle { $0.received(Array(text.utf8), in: &$1) } }
  mutating func receiveEnd() { handle { $0.receivedEnd(in: &$1) } }
  mutating func becomeReady() { handle { $0.ready(in: &$1) } }
  mutating func endPause() { handle { $0.pauseEnded(in: &$1) } }

  /// Lets time pass, from the start on.
  mutating func pass(_ time: Duration) {
    handle { connection, _ in
      connection.timePassed(
        to: Self.start + time, idleTimeout: .seconds(75), maximumDrainTime: .seconds(5))
    }
  }

  /// The actions since the last call.
  mutating func takeDone() -> [String] {
    defer { done = [] }
    return done
  }

  /// The bytes sent since the last call.
  mutating func takeSent() -> String {
    defer { sent = [] }
    return String(decoding: sent, as: UTF8.self)
  }
}
