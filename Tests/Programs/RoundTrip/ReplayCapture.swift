import FixtureCapture
import FixtureReplay
import ProbeCore

/// A capture, and the journal of the replay server.
struct ReplayCapture {
  var exchanges: [RecordedExchange]
  var entries: [JournalEntry]

  /// The length up to which a response is captured completely, whatever the probe's limit.
  private static let kept = 64 * 1024

  /// Compares every response with the bytes that its route sends.
  ///
  /// - Returns: The differences, and the number of responses that were compared byte for byte.
  func comparisonWithRoutes(of fixture: Fixture) -> (mistakes: [String], responses: Int) {
    var mistakes: [String] = []
    var responses = 0
    for exchange in exchanges {
      guard let wire = exchange.wire else { continue }
      // Every established connection must have sent the request.
      let request = "GET \(exchange.url.requestTarget) HTTP/1.1\r\nHost: \(exchange.url.host)\r\n"
      if !wire.sent.starts(with: request.utf8) {
        mistakes.append("\(exchange.url): the request was not sent")
      }
      guard let script = script(for: exchange, of: fixture) else { continue }
      let (sent, isWhole) = script.sentBytes
      // If a response is too long for a probe, its beginning is captured.
      let isKept = isWhole && (sent.count <= Self.kept || wire.received.count == sent.count)
      if isKept, wire.ending != .open || exchange.failure == nil {
        responses += 1
        if let difference = Difference(wire.received, sent) {
          mistakes.append("\(exchange.url): \(difference)")
        }
      } else if !sent.starts(with: wire.received), !wire.received.starts(with: sent) {
        // The client stopped before the end.
        mistakes.append("\(exchange.url): no beginning of what was sent")
      }
    }
    return (mistakes, responses)
  }

  private func script(for exchange: RecordedExchange, of fixture: Fixture) -> ResponseScript? {
    let listener: ReplayListener = exchange.url.scheme == .https ? .https : .http
    let entry = entries.first { entry in
      guard entry.hit != nil, entry.listener == listener, let request = entry.request else { return false }
      return entry.host == exchange.url.host && request.head.requestTarget == exchange.url.requestTarget
    }
    guard let hit = entry?.hit, let route = fixture.routes.first(where: { $0.id == hit.route }) else {
      return nil
    }
    // The additions of a template and of a session's cookie depend on the request.
    if case .respond(let response) = route.response, response.isTemplate { return nil }
    if case .cookie = fixture.session?.owner { return nil }
    let fault = route.fault.flatMap { $0.applies(toHit: hit.number) ? $0 : nil }
    return ScriptWriter.script(for: route, fault: fault, kind: .request)
  }
}

extension ResponseScript {
  /// The bytes that it sends, and whether they are complete.
  fileprivate var sentBytes: (bytes: [UInt8], isWhole: Bool) {
    var bytes: [UInt8] = []
    for step in steps {
      switch step {
      case .send(let part), .sendSlowly(let part, _, _): bytes += part
      case .sendForever(let part): return (bytes + part, false)
      case .wait: break
      }
    }
    return (bytes, true)
  }
}

extension RecordedExchange {
  /// The differences from another capture of the same exchange.
  func differences(from other: RecordedExchange) -> [String] {
    guard failure?.reason == other.failure?.reason else {
      return ["\(failure?.detail ?? "no failure") and then \(other.failure?.detail ?? "no failure")"]
    }
    guard let wire, let copy = other.wire else {
      return (wire == nil) == (other.wire == nil) ? [] : ["a connection stood only once"]
    }
    guard wire.ending == copy.ending else { return ["it ended \(wire.ending), and then \(copy.ending)"] }
    // An endless or slow response is cut at a time that varies.
    if wire.ending == .open && failure != nil || wire.received.count > 64 * 1024 {
      let isBeginning =
        wire.received.starts(with: copy.received) || copy.received.starts(with: wire.received)
      return isBeginning ? [] : ["no beginning of what came first"]
    }
    return Difference(wire.received, copy.received).map { [$0.description] } ?? []
  }
}

/// Where two arrays of bytes begin to differ.
struct Difference: CustomStringConvertible {
  private let offset: Int
  private let counts: [Int]

  init?(_ left: [UInt8], _ right: [UInt8]) {
    guard left != right else { return nil }
    offset =
      zip(left, right).enumerated().first { $0.element.0 != $0.element.1 }?.offset
      ?? min(left.count, right.count)
    counts = [left.count, right.count]
  }

  var description: String { "\(counts[0]) and \(counts[1]) bytes differ at \(offset)" }
}
