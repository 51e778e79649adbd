internal import FoundationEssentials
internal import ProbeHTTPWire
internal import ProbeCore

/// Tunnels through a proxy.
extension ByteStream {
  /// The maximum length of a response to CONNECT: it has a head, and a refusal may have a page.
  private static let maximumTunnelResponse = 64 * 1024

  /// Establishes a tunnel through a proxy: CONNECT (RFC 9110 §9.3.6), or SOCKS5 (RFC 1928).
  ///
  /// - Throws: ``ProbeFailure``: `proxy.refused`, `proxy.failed`, `timeout.connect` or `cancelled`.
  func makeTunnel(
    through proxy: ProbeProxy, toPort port: UInt16, until deadline: ContinuousClock.Instant
  ) async throws(ProbeFailure) {
    let rule = request.connectToRule
    let host = rule?.targetHost ?? request.url.host
    let tunnel = Tunnel(stream: self, proxy: proxy, deadline: deadline)
    switch proxy.kind {
    case .http:
      try await tunnel.connect(to: host, rule?.targetPort ?? port, limit: Self.maximumTunnelResponse)
    case .socks5, .socks5WithLocalNames: try await tunnel.socks(to: host, rule?.targetPort ?? port)
    default:
      throw failure(
        .invalidRequest, "a \(request.url.scheme) probe cannot go through the proxy \(proxy)")
    }
    // The server's response follows: the time to its first byte starts here.
    response.timings.firstByte = nil
    response.timings.connect = start.duration(to: .now) - (response.timings.resolve ?? .zero)
    response.timings.total = start.duration(to: .now)
  }
}

/// A tunnel that is being established.
private struct Tunnel {
  let stream: ByteStream
  let proxy: ProbeProxy
  let deadline: ContinuousClock.Instant

  /// Requests a tunnel from an HTTP proxy.
  func connect(to host: String, _ port: UInt16, limit: Int) async throws(ProbeFailure) {
    let authority = host.host(withPort: port)
    var head = "CONNECT \(authority) HTTP/1.1\r\nHost: \(authority)\r\n"
    if let user = proxy.user {
      head += HTTPCredentials.basic(user: user, password: proxy.password ?? Secret("")).fieldValue
        .withText { "Proxy-Authorization: \($0)\r\n" }
    }
    try await send(Array("\(head)\r\n".utf8))
    var response: [UInt8] = []
    // Including interim responses, of which there may be any number.
    var received = 0
    // The number of bytes not yet searched for the end.
    var last = 0
    while true {
      if let end = HeadLines.end(in: response.span, from: max(0, response.count - last - 3)) {
        let line = HeadLines(response.span).startLine
        guard let status = StatusLine(line, of: response.span) else {
          throw failure(.proxyFailed, "responded to CONNECT with something other than HTTP")
        }
        if status.isInterim {
          response.removeFirst(end)
          last = response.count
          continue
        }
        guard (200..<300).contains(status.status) else {
          let words = status.status == 407 ? ": it requires authentication" : ""
          throw failure(.proxyRefused, "responded to CONNECT with status \(status.status)\(words)")
        }
        return stream.unreceive(Array(response[end...]))
      }
      guard received < limit else {
        throw failure(.proxyFailed, "answered CONNECT with more than 64 KiB")
      }
      let piece = try await receive(upTo: limit - received)
      received += piece.count
      last = piece.count
      response += piece
    }
  }

  /// Requests a tunnel from a SOCKS5 proxy (RFC 1928), which resolves a name.
  func socks(to host: String, _ port: UInt16) async throws(ProbeFailure) {
    // §3: no authentication, or a user name and password (RFC 1929).
    try await send(proxy.user == nil ? [5, 1, 0] : [5, 2, 0, 2])
    let choice = try await exactly(2)
    guard choice[0] == 5 else { throw noSOCKS }
    switch choice[1] {
    case 0: break
    case 2 where proxy.user != nil: try await logIn()
    default: throw wrongLogin
    }
    try await send(
      [5, 1, 0] + Self.address(host) + [
        UInt8(truncatingIfNeeded: port >> 8), UInt8(truncatingIfNeeded: port & 0xFF),
      ])
    let reply = try await exactly(4)
    guard reply[0] == 5 else { throw noSOCKS }
    guard reply[1] == 0 else { throw failure(.proxyRefused, "refused: \(Self.words(reply[1]))") }
    // §6: the bound address, which is not needed.
    switch reply[3] {
    case 1: _ = try await exactly(4 + 2)
    case 4: _ = try await exactly(16 + 2)
    case 3: _ = try await exactly(Int(widening: try await exactly(1)[0]) + 2)
    default: throw failure(.proxyFailed, "did not do its part: its reply has an unknown kind of address")
    }
  }

  private func logIn() async throws(ProbeFailure) {
    let user = Array((proxy.user ?? "").utf8)
    let password = proxy.password?.withText { Array($0.utf8) } ?? []
    try await send(
      [1, UInt8(truncatingIfNeeded: user.count)] + user + [UInt8(truncatingIfNeeded: password.count)]
        + password)
    guard try await exactly(2)[1] == 0 else { throw wrongLogin }
  }

  private var noSOCKS: ProbeFailure { failure(.proxyFailed, "did not do its part: it does not speak SOCKS5") }

  private var wrongLogin: ProbeFailure {
    failure(.proxyRefused, "refused: it requires another authentication method")
  }

  /// A host in the format of §5.
  private static func address(_ host: String) -> [UInt8] {
    switch IPAddress(host) {
    case let address? where address.family == .v4:
      return [1] + (0..<4).map { UInt8(truncatingIfNeeded: address.bits >> (24 - 8 * $0)) }
    case let address?:
      return [4] + (0..<16).map { UInt8(truncatingIfNeeded: address.bits >> (120 - 8 * $0)) }
    case nil: return [3, UInt8(clamping: host.utf8.count)] + host.utf8.prefix(255)
    }
  }

  /// A description of the reply of §6.
  private static func words(_ reply: UInt8) -> String {
    switch reply {
    case 1: "it failed without saying why"
    case 2: "its rules do not allow it"
    case 3: "the network cannot be reached"
    case 4: "the host cannot be reached"
    case 5: "the server refused the connection"
    case 6: "the route is too long or a loop"
    case 7: "it does not support connections"
    case 8: "it does not know this kind of address"
    default: "it gave no known reason"
    }
  }
}

extension Tunnel {
  private func send(_ bytes: [UInt8]) async throws(ProbeFailure) {
    if let failure = failure(await stream.send(bytes, deadline: deadline)) { throw failure }
  }

  private func receive(upTo limit: Int) async throws(ProbeFailure) -> [UInt8] {
    let outcome = await stream.receive(upTo: limit, deadline: deadline)
    if case .received(let bytes) = outcome, !bytes.isEmpty { return bytes }
    throw failure(outcome) ?? failure(.proxyFailed, "broke off before it had made a tunnel")
  }

  private func exactly(_ count: Int) async throws(ProbeFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count { bytes += try await receive(upTo: count - bytes.count) }
    return bytes
  }

  private func failure(_ outcome: StreamOutcome) -> ProbeFailure? {
    switch outcome {
    case .received, .sent: return nil
    case .cancelled: return stream.failure(ConnectionFailure.cancelled)
    case .timedOut:
      // It is unknown whether the proxy or the server behind it is silent.
      let time = stream.start.duration(to: .now).secondsDescription
      return stream.failure(.connectTimeout, "the proxy \(proxy) had made no tunnel after \(time)")
    case .failed, .tlsFailed: return failure(.proxyFailed, "broke off before it had made a tunnel")
    }
  }

  private func failure(_ reason: ReasonCode, _ words: String) -> ProbeFailure {
    stream.failure(reason, "the proxy \(proxy) \(words)")
  }
}
