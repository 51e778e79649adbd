internal import Sockets
internal import Threading

/// What went over the wire in an exchange.
public struct TransferRecord: Sendable {
  /// How the peer left the connection.
  public enum Ending: Hashable, Sendable {
    /// It ended its side in order.
    case finished
    /// It reset the connection.
    case reset
    /// It broke off inside TLS.
    case broken
    /// It left the connection standing.
    case open
  }

  /// The bytes sent.
  public let sent: [UInt8]
  /// The bytes received, those behind the end of the answer included.
  public let received: [UInt8]
  /// How the peer left the connection.
  public let ending: Ending
  /// The address of this machine on the connection as text, or nil when it is not known.
  public let localAddress: String?
}

/// Exchanges of which every byte is kept.
extension CurlClient {
  /// Performs an HTTP exchange like ``perform(_:)``, in HTTP/1.1 and without a proxy, and keeps what went over the wire.
  ///
  /// What comes is bounded as it is on the wire, too: an answer that hides more between the parts of its body than its
  /// limits let through counts as one whose body is too large.
  ///
  /// It takes a little longer than an exchange alone: what comes behind the end of the answer is waited for.
  ///
  /// - Parameter options: What to do.
  /// - Returns: How it ended, and what went over the wire, or nil when no connection stood, or no TLS session that was
  ///   wanted.
  /// - Throws: What `options` throws; then nothing was started.
  public func performRecorded<Failure>(
    _ options: () throws(Failure) -> (TransferOptions, TransferOptions.HTTP)
  ) async throws(Failure) -> (result: TransferResult, record: TransferRecord?) {
    let (options, http) = try options()
    let loop = loops.forThisTask()
    // All that the exchange needs besides the tap is taken first: the tap's socket would belong to nobody without it.
    guard loop.start(), let easy = handles.take(), let outer = handles.take(),
      let tap = WireTap(options, easy: outer, mostReceived: http.mostOnTheWire)
    else { return (.cannotStart, nil) }
    let connected = await tap.connect()
    guard connected.code == .ok else {
      handles.give(easy)
      return (connected, nil)
    }
    let spoken = await run(
      Transfer(easy: easy, from: handles, options: options.inside(tap, since: connected), http: http),
      on: loop)
    let record = await tap.record()
    return (
      connected.followed(by: spoken, record),
      TransferRecord(record, isWhole: spoken.code != .timedOut && spoken.code != .cancelled)
    )
  }
}

extension TransferOptions.HTTP {
  /// How many bytes of an answer within its limits there may be: its chunks and its content coding add to it, by a few
  /// bytes each.
  fileprivate var mostOnTheWire: Int {
    let (head, body) = (min(maxHead, .max / 4), min(maxBody, .max / 4))
    return 64 * 1024 + head + 2 * body
  }
}

extension TransferOptions {
  /// What is left to do when a tap has connected: plain HTTP on the tap's end.
  fileprivate func inside(_ tap: WireTap, since connected: TransferResult) -> TransferOptions {
    // With another scheme and no port the Host field stays what it was.
    let rest = url.hasPrefix("https:") ? "http:" + url.dropFirst("https:".count) : url
    let time = max(.milliseconds(1), timeout - .microseconds(connected.moments.finished))
    var options = TransferOptions(url: rest, timeout: time)
    options.connectTo = "::127.0.0.1:\(tap.port)"
    options.socket = tap.guest
    return options
  }
}

extension TransferResult {
  /// The result of an exchange whose connection was one transfer and whose HTTP another.
  fileprivate func followed(by spoken: TransferResult, _ record: WireTap.Record) -> TransferResult {
    // What broke the connection is known to the tap; HTTP has seen a reset in its place.
    let breakage =
      spoken.code == .ok ? nil : record.breakage.flatMap { $0.isShortage || spoken.seesBreakage ? $0 : nil }
    let isCut = record.isCut && spoken.seesBreakage
    var answer = spoken.answer
    if isCut { answer.breakOff() }
    var moments = moments
    let start = moments.finished
    func shifted(_ moment: Int64) -> Int64 { moment == 0 ? 0 : start + moment }
    moments.requested = shifted(spoken.moments.requested)
    moments.answered = shifted(spoken.moments.answered)
    moments.finished = shifted(spoken.moments.finished)
    return TransferResult(
      code: isCut ? .writeError : breakage?.code ?? spoken.code,
      message: breakage?.message ?? spoken.message,
      systemError: breakage?.systemError ?? spoken.systemError,
      phase: spoken.phase == .body ? .body : .response,
      moments: moments,
      remote: remote,
      answer: answer,
      retryAfter: spoken.retryAfter,
      handshake: handshake,
      hasCloseNotify: record.hasCloseNotify)
  }

  private var seesBreakage: Bool {
    [.receiveError, .sendError, .gotNothing, .partialFile].contains(code)
  }
}

extension TransferRecord {
  /// What a tap has kept; without what came when HTTP had given up waiting, unless that is wanted.
  fileprivate init(_ record: WireTap.Record, isWhole: Bool) {
    sent = record.sent
    received = isWhole ? record.received : Array(record.received.prefix(record.receivedBeforeHangUp))
    localAddress = record.localAddress
    if !isWhole, !record.hadEndedBeforeHangUp {
      ending = .open
    } else if let breakage = record.breakage {
      ending = breakage.isReset ? .reset : .broken
    } else {
      ending = record.hasFinished ? (record.hasCloseNotify ? .finished : .broken) : .open
    }
  }
}

extension WireTap.Breakage {
  /// Whether this machine ran out of something, rather than the connection broke.
  fileprivate var isShortage: Bool { code == .outOfMemory }

  /// Whether the peer reset the connection (RST), as libcurl's words or the system's error say.
  fileprivate var isReset: Bool { systemError.isReset || message.contains("reset by peer") }
}
