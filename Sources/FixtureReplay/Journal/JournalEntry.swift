internal import ProbeCore

/// One thing that a replay server was asked, and what came of it.
public struct JournalEntry: Hashable, Sendable {
  /// What came of a request.
  public enum Outcome: Hashable, Sendable {
    /// A route answered.
    case answered(RouteHit)
    /// No route matched; these came nearest.
    case unmatched([NearMiss])
    /// The bytes were no request.
    case malformed(MalformedRequest)
    /// TLS came to nothing, for this reason: a failed handshake, or a mode of the fixture that does without one.
    case tlsFailed(String)
  }

  /// Which of the server's entries it is, from 1 on.
  public internal(set) var number = 0
  /// The listener it came to.
  public var listener: ReplayListener
  /// Which of the server's connections it came on, from 1 on.
  public var connection: Int
  /// The request, or nil when it was none of HTTP.
  public var request: ReplayRequest?
  /// What was received, where there is no request: a turn of a plain TCP connection.
  public var received: [UInt8] = []
  /// Where the client meant to go, when the way it came tells.
  public var destination: ReplayDestination?
  /// The host name the client asked for in its TLS handshake (SNI), or nil.
  public var serverName: String?
  /// What came of it.
  public var outcome: Outcome
}

/// A request that a route answered.
public struct RouteHit: Hashable, Sendable {
  /// The fixture's name.
  public var fixture: String
  /// The route's name.
  public var route: String
  /// Which hit of the route it was, from 1 on.
  public var number: Int
  /// What went wrong on purpose, or nil.
  public var fault: ReplayFault.Kind?
  /// The fixture's state before, or nil without states.
  public var stateBefore: String?
  /// The fixture's state after, or nil without states.
  public var stateAfter: String?
}

extension JournalEntry {
  /// The hit of a route, or nil when none answered.
  public var hit: RouteHit? {
    if case .answered(let hit) = outcome { hit } else { nil }
  }

  /// The routes that came nearest, empty when one answered.
  public var nearMisses: [NearMiss] {
    if case .unmatched(let misses) = outcome { misses } else { [] }
  }

  /// The host the client asked for, or nil when nothing tells.
  public var host: String? { matchInput.host ?? serverName }

  /// The port the client asked for, or nil when nothing tells.
  public var port: UInt16? { matchInput.port }

  var matchInput: MatchInput {
    MatchInput(listener: listener, head: request?.head, destination: destination, received: received[...])
  }
}

extension JournalEntry {
  /// The entry on one line, fit to be shown: what was asked, and what came of it.
  public var line: String {
    var line = "\(number) \(listener.rawValue) "
    if let head = request?.head {
      let port = self.port.map { ":\($0)" } ?? ""
      line += "\(head.method) \((host ?? "-") + port) \(head.requestTarget)"
    } else {
      line += destination.map { "\($0.host):\($0.port)" } ?? serverName ?? "-"
      if !received.isEmpty { line += " received \(Excerpt(String(decoding: received, as: UTF8.self)))" }
    }
    return (line + " → " + outcome.words).escapedForDisplay
  }
}

extension JournalEntry.Outcome {
  fileprivate var words: String {
    switch self {
    case .answered(let hit):
      var words = "\(hit.fixture)/\(hit.route)"
      if let fault = hit.fault { words += ", fault \(fault.rawValue)" }
      if let after = hit.stateAfter, after != hit.stateBefore { words += ", now \(after)" }
      return words
    case .unmatched(let misses):
      guard let nearest = misses.first else { return "no route matches: there is none" }
      return "no route matches; nearest: \(nearest)"
    case .malformed(let malformed): return "\(malformed.status): \(malformed.reason)"
    case .tlsFailed(let reason): return "no TLS: \(reason)"
    }
  }
}

/// A route that a request did not match, and why.
public struct NearMiss: Hashable, Sendable {
  /// The fixture's name.
  public var fixture: String
  /// The route's name.
  public var route: String
  /// What did not fit, a text for each thing.
  public var reasons: [String]
}

extension NearMiss: CustomStringConvertible {
  /// The route and the reasons on one line.
  public var description: String { "\(fixture)/\(route): \(reasons.joined(separator: "; "))" }
}
