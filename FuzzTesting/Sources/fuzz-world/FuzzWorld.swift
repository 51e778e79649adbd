@testable import FixtureReplay

/// Any bytes as the data of a client in a replayed network: each request and each turn receives a response, or
/// near misses with reasons; and the turns of a plain TCP client are the same however the bytes are split.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzWorld(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  // The first byte sets how the rest is split.
  guard let first = bytes.first else { return 0 }
  let rest = Array(bytes.dropFirst())
  requestOverHTTP(rest)
  let whole = responsesOverTCP(rest, part: max(1, rest.count))
  precondition(
    whole == responsesOverTCP(rest, part: Int(first % 32) + 1), "the turns depend on how the bytes are split")
  return 0
}

private func world() -> ReplayWorld {
  ReplayWorld([
    Fixture(
      name: "f", initialState: "a",
      routes: [
        ReplayRoute(
          "narrow",
          when: RouteCondition(
            state: "a", method: "G*", host: "*.example", port: "8*", path: "/*?*x*",
            headers: [.init(name: "accept", value: "*text*")]),
          response: .respond(ComposedResponse()), goto: "b"),
        ReplayRoute(
          "wide", when: RouteCondition(state: "b", path: "/a*b*c"), response: .respond(ComposedResponse()),
          goto: "a", fault: ReplayFault(.shortBody, requests: [1, 3])),
        ReplayRoute("greeting", when: RouteCondition(receive: "EHLO *"), response: .send([1])),
        ReplayRoute("bytes", when: RouteCondition(receive: "\u{1}\u{2}"), response: .send([2])),
      ])
  ])
}

private func requestOverHTTP(_ bytes: [UInt8]) {
  var reader = ReplayRequestReader(limits: RequestLimits())
  reader.receive(bytes)
  guard case .request(let request)? = try? reader.next() else { return }
  let head = request.head
  var world = world()
  for listener in [ReplayListener.http, .https] {
    let response = world.respond(to: MatchInput(listener: listener, head: head))
    check(response)
    var player = ScriptPlayer(response.script)
    // No script of these fixtures is long.
    for _ in 0..<10 { if case .end = player.next() { return } }
    preconditionFailure("an answer that does not end")
  }
}

/// The responses of a world to a client that sends these bytes in parts and then ends its side.
private func responsesOverTCP(_ bytes: [UInt8], part: Int) -> [[UInt8]] {
  var (world, turns, received) = (world(), TCPTurnReader(), [[UInt8]]())
  func take() {
    while let (response, bytes) = world.turn(&turns, MatchInput(listener: .tcp)) {
      check(response)
      precondition(!bytes.isEmpty, "an empty turn")
      received.append(bytes)
    }
  }
  for start in stride(from: 0, to: bytes.count, by: part) {
    turns.receive(bytes[start..<min(start + part, bytes.count)])
    take()
  }
  turns.receiveEnd()
  take()
  return received
}

private func check(_ response: ReplayWorld.Response) {
  guard case .unmatched(let misses) = response.outcome else { return }
  precondition(misses.allSatisfy { !$0.reasons.isEmpty }, "a near miss without a reason")
}
