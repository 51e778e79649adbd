internal import ByteStreams
internal import FoundationEssentials
internal import Glibc
internal import ProbeCore
internal import ProbeSystem
internal import ProbeTLS

/// One request and its response on an established connection.
final class HTTPExchange {
  /// The maximum number of bytes to receive at a time.
  private static let piece = 64 * 1024
  /// The same for a body whose memory is limited: that of small bodies is then available without waiting.
  private static let keptPiece = 16 * 1024

  private let stream: ByteStream
  private var reader: DecodedResponseReader

  // Not inlined: otherwise each of thousands of waiting probes would reserve memory for it in its caller.
  @inline(never)
  init(on stream: ByteStream) {
    self.stream = stream
    reader = DecodedResponseReader(to: stream.request)
  }

  private var request: ProbeRequest { stream.request }

  /// Sends the request and receives the response.
  ///
  /// - Throws: ``ProbeFailure`` with everything learned so far.
  func run() async throws(ProbeFailure) -> ProbeResponse {
    let ending = await converse()
    return try judge(ending)
  }

  /// Sends the request and receives the response, and records the bytes sent and received.
  ///
  /// The request does not ask the server to close the connection, because whether the server closes it
  /// unprompted is part of the response.
  func run(
    recordingTo record: @Sendable (WireRecord) -> Void
  ) async throws(ProbeFailure) -> ProbeResponse {
    stream.startRecording()
    let ending = await converse(requestsClose: false)
    let response = stream.response
    switch ending {
    case .whole, .badResponse: await listenOn()
    case .timedOut, .cancelled, .broken, .tlsFailed: break
    }
    stream.response = response
    if let wire = stream.record { record(wire) }
    return try judge(ending)
  }

  private enum Ending {
    case whole
    case badResponse(ResponseError)
    case timedOut
    case cancelled
    /// An error of the operating system.
    case broken(Int32)
    case tlsFailed(TLSError)

    /// Whether the caller or this machine ended it.
    var isLocal: Bool {
      switch self {
      case .cancelled: true
      case .broken(let number): number.isShortage
      case .whole, .badResponse, .timedOut, .tlsFailed: false
      }
    }
  }

  private func converse(requestsClose: Bool = true) async -> Ending {
    let deadline = stream.deadline
    // Even if the request cannot be sent completely, the server may have responded, for example because the
    // request is too long.
    var breakage: Ending?
    switch await stream.send(requestBytes(requestsClose: requestsClose), deadline: deadline, leavesRest: true)
    {
    case .timedOut: return .timedOut
    case .cancelled: return .cancelled
    case .failed(let number): breakage = .broken(number)
    case .tlsFailed(let error): breakage = .tlsFailed(error)
    case .sent, .received: break
    }
    while true {
      if reader.head != nil, let keeping = request.bodyKeeping, keeping.keepsBytes {
        guard await keeping.provide(Self.keptPiece, by: deadline) else {
          return Task.isCancelled ? .cancelled : .timedOut
        }
      }
      switch await stream.receive(
        upTo: request.bodyKeeping == nil ? Self.piece : Self.keptPiece, deadline: deadline)
      {
      case .received(let bytes):
        do throws(ResponseError) {
          if bytes.isEmpty {
            // The operating system reports a reset once, and after that the end of the data.
            if let breakage { return breakage }
            try reader.end(wasNotified: !stream.isCutShort)
            return .whole
          }
          if try reader.take(bytes, on: stream.response) { return .whole }
        } catch {
          return .badResponse(error)
        }
      case .timedOut: return .timedOut
      case .cancelled: return .cancelled
      case .failed(let number): return breakage ?? .broken(number)
      case .tlsFailed(let error): return .tlsFailed(error)
      case .sent: break
      }
    }
  }

  // Not inlined: otherwise each of thousands of waiting probes would reserve memory for it in its caller.
  @inline(never)
  private func requestBytes(requestsClose: Bool) -> [UInt8] {
    // An unauthenticated server does not receive credentials.
    let isObserved = stream.response.tls?.problem != nil
    return (isObserved ? request.withoutCredentials : request).wireBytes(requestsClose: requestsClose)
  }

  /// Receives bytes after the end of the response, which arrive with it or shortly after.
  private func listenOn() async {
    let end = min(stream.deadline, .now + .seconds(1))
    var room = Self.piece
    while room > 0, stream.record?.ending == .open {
      let outcome = await stream.receive(upTo: room, deadline: min(end, .now + .milliseconds(200)))
      guard case .received(let bytes) = outcome else { return }
      room -= bytes.count
    }
  }
}

/// Judges the result of the exchange.
extension HTTPExchange {
  // Not inlined: otherwise each of thousands of waiting probes would reserve memory for it in its caller.
  @inline(never)
  private func judge(_ ending: Ending) throws(ProbeFailure) -> ProbeResponse {
    reader.takeUnreadText()
    stream.response.head = reader.headSoFar
    stream.response.body = reader.body.isEmpty ? reader.evidence : reader.body
    stream.response.bodyIsCut = reader.bodyIsCut
    stream.response.deviations = reader.deviations
    stream.response.retryAfter = reader.head?.fields.retryAfter()
    if request.isForwarded, let proxy = request.proxy, stream.response.status == 407, !ending.isLocal {
      throw stream.failure(
        .proxyRefused, "the proxy \(proxy) responded with status 407: it requires authentication")
    }
    // However the connection ends, a text without a status line is what was received.
    let ending = ending.isLocal ? ending : reader.bareError.map(Ending.badResponse) ?? ending
    guard case .whole = ending else {
      if let response = response(endedBy: ending) { return response }
      if let redirect = redirect(endedBy: ending) { return redirect }
      let (reason, words) = finding(ending)
      throw stream.failure(reason, words)
    }
    if let timings = reader.responseAtLimit?.timings { stream.response.timings = timings }
    return stream.response
  }

  /// The response if its body was complete up to the limit of the request, and only the bytes beyond it are
  /// not.
  private func response(endedBy ending: Ending) -> ProbeResponse? {
    guard let timings = reader.responseAtLimit?.timings, !ending.isLocal else { return nil }
    stream.response.timings = timings
    stream.response.bodyIsCut = true
    return stream.response
  }

  /// The redirect in a response whose body, or whose head after the Location field, is incomplete.
  ///
  /// Browsers follow a redirect regardless of its body.
  private func redirect(endedBy ending: Ending) -> ProbeResponse? {
    switch ending {
    // Browsers do not treat these as a response.
    case .badResponse(.headTooLarge), .badResponse(.noHTTP): return nil
    case _ where ending.isLocal: return nil
    default: break
    }
    guard RedirectHop(of: stream.response.head, from: request.url)?.target != nil else { return nil }
    stream.response.bodyIsCut = true
    return stream.response
  }

  private func finding(_ ending: Ending) -> ConnectionFailure.Finding {
    let stage = reader.head == nil ? "before the answer was complete" : "inside the body"
    switch ending {
    case .whole: return (.transportFailure, "the answer is whole")
    case .cancelled: return ConnectionFailure.cancelled
    case .timedOut:
      let time = (stream.response.timings.total ?? request.timeout).secondsDescription
      return reader.head == nil
        ? (.responseTimeout, "no complete response head after \(time)")
        : (.bodyTimeout, "the body was not complete after \(time)")
    case .broken(let number):
      let error = SystemError(number)
      guard error == .reset else { return ConnectionFailure.receiving(error) }
      return (.connectReset, "the connection was reset \(stage)")
    case .tlsFailed(let error):
      let words = error.handshakeFailure.map { failure in
        failure.alertName.map { "alert \($0)" } ?? failure.text
      }
      return (.tlsHandshake, "TLS failed \(stage): \(words ?? error.message)")
    case .badResponse(let error): return finding(error)
    }
  }

  private func finding(_ error: ResponseError) -> ConnectionFailure.Finding {
    switch error {
    case .noResponse:
      (.httpNoResponse, "the server closed the connection before the first line of an answer was complete")
    case .headCut: (.httpHeadCut, "the connection ended inside the head of the answer")
    case .headTooLarge:
      (.httpHeadTooLarge, "the head of the answer is larger than \(request.maxHead) bytes")
    case .noHTTP(let words): (.httpProtocol, "not valid HTTP: the server sent \(words)")
    case .badChunks(let words):
      (.httpProtocol, "the body's chunked framing is broken: the server sent \(words)")
    case .short(let words):
      (.bodyShort, "the connection ended before the announced end of the body: the answer has \(words)")
    case .noCloseNotify: (.bodyShort, "the connection ended without TLS close_notify")
    case .badCoding(let words): (.bodyEncoding, words)
    }
  }
}

extension HeaderFields {
  /// The delay that the server requests before the next request (Retry-After, RFC 9110 §10.2.3), in seconds
  /// or as a date.
  ///
  /// - Returns: nil if there is no such field, or if it is not a time in the future.
  func retryAfter(at now: @autoclosure () -> Date = .now) -> Duration? {
    guard let value = self["Retry-After"] else { return nil }
    if let seconds = Int32(text: value) { return seconds > 0 ? .seconds(seconds) : nil }
    let now = now()
    guard let seconds = Date(httpDate: value, now: now)?.timeIntervalSince(now) else { return nil }
    return seconds > 0 && seconds < Double(Int32.max) ? .seconds(seconds) : nil
  }
}
