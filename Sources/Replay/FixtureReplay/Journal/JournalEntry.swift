public import ProbeCore

/// One request to a replay server, and its outcome.
public struct JournalEntry: Hashable, Sendable {
  /// The outcome of a request.
  public enum Outcome: Hashable, Sendable {
    /// A route matched.
    case matched(RouteHit)
    /// No route matched; these are the closest ones.
    case unmatched([NearMiss])
    /// The bytes were not a request.
    case malformed(MalformedRequest)
    /// No TLS session was established, for this reason: a failed handshake, or a TLS mode without one.
    case tlsFailed(String)
  }

  /// The number of the entry, counted from 1.
  public internal(set) var number = 0
  /// The listener that received it.
  public var listener: ReplayListener
  /// The number of the server's connection, counted from 1.
  public var connection: Int
  /// The client's address, or nil if unknown.
  public var client: IPAddress?
  /// The request, or nil if there was no HTTP request.
  public var request: ReplayRequest?
  /// The received bytes if there is no request: a turn of a plain TCP connection.
  public var received: [UInt8] = []
  /// The intended destination, if the port it arrived on identifies one.
  package var destination: ReplayDestination?
  /// The server name in the client's TLS handshake (SNI), or nil.
  public var serverName: String?
  /// The outcome.
  public var outcome: Outcome
}

/// A request that a route matched.
public struct RouteHit: Hashable, Sendable {
  /// The fixture's name.
  public var fixture: String
  /// The route's name.
  public var route: String
  /// Which hit of the route it was, counted from 1.
  public var number: Int
  /// The injected fault, or nil.
  public var fault: ReplayFault.Kind?
  /// The fixture's state before, or nil if it has no states.
  public var stateBefore: String?
  /// The fixture's state after, or nil if it has no states.
  public var stateAfter: String?
}

extension JournalEntry {
  /// The hit of the route that matched, or nil if none did.
  public var hit: RouteHit? {
    if case .matched(let hit) = outcome { hit } else { nil }
  }

  /// The closest routes; empty if a route matched.
  public var nearMisses: [NearMiss] {
    if case .unmatched(let misses) = outcome { misses } else { [] }
  }

  /// The requested host, or nil if unknown.
  public var host: String? { matchInput.host ?? serverName }

  /// The requested port, or nil if unknown.
  public var port: UInt16? { matchInput.port }

  var matchInput: MatchInput {
    MatchInput(
      listener: listener, head: request?.head, destination: destination, client: client,
      body: request?.body ?? [], received: received[...])
  }
}

extension JournalEntry {
  /// The request and its outcome on one line, safe to display.
  public var line: String {
    var line = "\(number) \(listener.rawValue) "
    if let head = request?.head {
      let port = self.port.map { ":\($0)" } ?? ""
      line += "\(head.method) \((host?.bracketedHost ?? "-") + port) \(head.requestTarget)"
    } else {
      line += destination.map { $0.host.host(withPort: $0.port) } ?? serverName ?? "-"
      if !received.isEmpty { line += " received \(Excerpt(String(decoding: received, as: UTF8.self)))" }
    }
    return (line + " → " + outcome.words).escapedForDisplay
  }
}

extension JournalEntry.Outcome {
  fileprivate var words: String {
    switch self {
    case .matched(let hit):
      var words = "\(hit.fixture)/\(hit.route)"
      if let fault = hit.fault { words += ", fault \(fault.rawValue)" }
      if let after = hit.stateAfter, after != hit.stateBefore { words += ", now \(after)" }
      return words
    case .unmatched(let misses):
      guard let nearest = misses.first else { return "no route matches: there are none" }
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
  /// The reasons why the request did not match, one text each.
  public var reasons: [String]
}

extension NearMiss: CustomStringConvertible {
  /// The route and the reasons on one line.
  public var description: String { "\(fixture)/\(route): \(reasons.joined(separator: "; "))" }
}
