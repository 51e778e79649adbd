internal import Glibc
package import ProbeTLS
public import ProbeCore
internal import ProbeSystem
import ProbeStreams

/// A connection to a server, plain or inside TLS, that reads and writes bytes for custom transports.
///
/// ``StreamConnector`` creates it. Reading and writing end at ``deadline``, or at once if the task is
/// cancelled; they fail with a `ProbeFailure` whose partial response is ``response``. It must be used by one
/// task at a time. The connection is closed when its last reference is released.
public final class ByteStream {
  /// The maximum number of bytes to read at a time.
  static let piece = 64 * 1024

  private let opening: StreamOpening
  private let socket: LoopSocket
  let contexts: ClientContexts
  var tls: TLSSession?
  /// Whether nothing can be sent or received: while a handshake runs, and after one that failed or could not begin.
  var isUnusable = false
  /// Whether nothing more can be sent, because earlier data was sent only in part.
  private var cannotSend = false
  /// Bytes that were received but not yet read.
  package internal(set) var unread: [UInt8] = []
  /// The end of the last send or handshake, from which the time to the first byte is measured.
  var lastSendEnd: ContinuousClock.Instant

  /// The response so far: the address, the duration of each phase, and the TLS session; the caller sets the
  /// body.
  public var response: ProbeResponse
  /// The deadline for reading and writing; initially the end of the request's timeout.
  public var deadline: ContinuousClock.Instant
  /// Whether the peer has closed its side.
  public private(set) var hasEnded = false
  /// The bytes sent and received inside TLS since ``startRecording()``, or nil.
  package private(set) var record: WireRecord?
  /// Whether TLS ended without close_notify (RFC 8446 §6.1), so that anyone on the path may have cut the
  /// connection.
  public internal(set) var isCutShort = false

  init(
    _ socket: LoopSocket, of opening: StreamOpening, _ response: ProbeResponse, _ contexts: ClientContexts
  ) {
    self.socket = socket
    self.opening = opening
    self.response = response
    self.contexts = contexts
    deadline = opening.start + opening.request.timeout
    lastSendEnd = .now
    opening.loop.addLoad(1)
  }

  /// The start of connecting.
  package var start: ContinuousClock.Instant { opening.start }
  /// The request that the connection is for.
  package var request: ProbeRequest { opening.request }
  private var loop: EventLoop { opening.loop }

  deinit {
    loop.addLoad(-1)
    if let thread = loop.current { socket.close(on: thread) } else { loop.start(SocketClosing(socket)) }
  }
}

/// Closes a socket on its loop's thread when called from another one.
private final class SocketClosing: LoopOperation {
  private let socket: LoopSocket

  init(_ socket: LoopSocket) {
    self.socket = socket
  }

  func start(on thread: LoopThread) {
    socket.close(on: thread)
  }

  func cancel(on thread: LoopThread) {}
}

// Safe because its stream, the only other owner of the socket, has been released.
extension SocketClosing: @unchecked Sendable {}

/// Reading.
extension ByteStream {
  /// Waits for bytes, and reads those that are available.
  ///
  /// - Parameter limit: The maximum number of bytes to read, at least one.
  /// - Returns: At least one byte, or none if the peer has closed its side.
  /// - Throws: `ProbeFailure`: `timeout.response` if nothing was received, `timeout.body` if no more was
  ///   received, `connect.reset`, `body.short` if TLS was cut, `cancelled`.
  public func read(upTo limit: Int) async throws(ProbeFailure) -> [UInt8] {
    precondition(limit > 0, "reading no bytes would look like the peer's end")
    if unread.isEmpty, !hasEnded { try await fill(upTo: limit) }
    let taken = Array(unread.prefix(limit))
    unread.removeFirst(taken.count)
    return taken
  }

  /// Reads up to and including a delimiter, such as a line break.
  ///
  /// - Parameters:
  ///   - mark: The delimiter; at least one byte.
  ///   - limit: The maximum number of bytes to read, including the delimiter.
  /// - Returns: The bytes, which end with the delimiter.
  /// - Throws: `ProbeFailure`: `body.tooLarge` if the delimiter is not within the first `limit` bytes,
  ///   `body.short` if the peer ends before it, or as ``read(upTo:)``.
  public func read(through mark: [UInt8], limit: Int) async throws(ProbeFailure) -> [UInt8] {
    precondition(!mark.isEmpty, "a mark has at least one byte")
    var searched = 0
    while true {
      if let end = end(of: mark, from: max(0, searched - mark.count + 1)), end <= limit {
        let taken = Array(unread[..<end])
        unread.removeFirst(end)
        return taken
      }
      searched = unread.count
      guard searched < limit else {
        throw failure(.bodyTooLarge, "\(Excerpt(mark[...])) is not among the first \(limit) bytes")
      }
      guard !hasEnded else {
        throw failure(.bodyShort, "the peer ended the connection before \(Excerpt(mark[...]))")
      }
      try await fill(upTo: limit - searched)
    }
  }

  /// Reads a line without its line break: LF, or CR and LF.
  ///
  /// - Parameter limit: The maximum length of the line in bytes, including its line break.
  /// - Returns: The line; invalid UTF-8 is replaced.
  /// - Throws: `ProbeFailure`, as ``read(through:limit:)``.
  public func readLine(limit: Int = 8 * 1024) async throws(ProbeFailure) -> String {
    var line = try await read(through: [UInt8(ascii: "\n")], limit: limit)[...]
    line.removeLast()
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    return String(decoding: line, as: UTF8.self)
  }

  /// Reads until the peer closes its side or a limit is exceeded, and sets the response body.
  ///
  /// - Parameter limit: The maximum number of bytes to keep; beyond it nothing is read, and the response is
  ///   marked as truncated. The default is the request's `maxBody`.
  /// - Throws: `ProbeFailure`, as ``read(upTo:)``; its partial response has the bytes received so far.
  public func readBody(limit: Int? = nil) async throws(ProbeFailure) {
    let limit = limit ?? request.maxBody
    do throws(ProbeFailure) {
      // Reading one byte more than are kept shows whether there are more.
      while !hasEnded, unread.count <= limit {
        try await fill(upTo: min(limit - unread.count, Self.piece) + 1)
      }
      takeBody(limit)
    } catch {
      takeBody(limit)
      throw failure(error.reason, error.detail)
    }
  }

  private func takeBody(_ limit: Int) {
    response.body = Array(unread.prefix(limit))
    response.bodyIsCut = unread.count > limit
    unread = []
  }

  private func end(of mark: [UInt8], from start: Int) -> Int? {
    guard unread.count >= mark.count, start <= unread.count - mark.count else { return nil }
    for offset in start...(unread.count - mark.count)
    where unread[offset..<(offset + mark.count)].elementsEqual(mark) { return offset + mark.count }
    return nil
  }

  /// Waits for bytes, and stores them.
  private func fill(upTo limit: Int) async throws(ProbeFailure) {
    switch await receiveMore(upTo: limit, deadline) {
    case .received(let bytes):
      if isCutShort { throw failure(.bodyShort, "the connection ended without TLS close_notify") }
      unread += bytes
    case .sent: break
    case .timedOut: throw readTimeout
    case .cancelled: throw failure(ConnectionFailure.cancelled)
    case .failed(let number): throw failure(ConnectionFailure.receiving(SystemError(number)))
    case .tlsFailed(let error): throw failure(.tlsHandshake, error.message)
    }
  }

  private var readTimeout: ProbeFailure {
    response.timings.firstByte == nil
      ? failure(.responseTimeout, "nothing was received in time")
      : failure(.bodyTimeout, "nothing more was received in time")
  }
}

/// Writing.
extension ByteStream {
  /// Sends bytes.
  ///
  /// - Throws: `ProbeFailure`: `timeout.response` if the peer does not accept them in time, `connect.reset`,
  ///   `cancelled`.
  public func write(_ bytes: [UInt8]) async throws(ProbeFailure) {
    switch await send(bytes, deadline: deadline) {
    case .sent, .received: break
    case .timedOut: throw failure(.responseTimeout, "the peer did not take all bytes in time")
    case .cancelled: throw failure(ConnectionFailure.cancelled)
    case .failed(let number): throw failure(ConnectionFailure.receiving(SystemError(number)))
    case .tlsFailed(let error): throw failure(.tlsHandshake, error.message)
    }
  }

  /// Sends text as UTF-8.
  ///
  /// - Throws: `ProbeFailure`, as ``write(_:)-([UInt8])``.
  public func write(_ text: String) async throws(ProbeFailure) {
    try await write(Array(text.utf8))
  }
}

/// Failures.
extension ByteStream {
  /// The failure to throw if the peer violates the protocol, with ``response`` as its partial response.
  ///
  /// - Parameters:
  ///   - reason: The reason, such as `body.mismatch`.
  ///   - detail: A description; put text from the peer into an `Excerpt`.
  /// - Returns: The failure.
  public func failure(_ reason: ReasonCode, _ detail: String) -> ProbeFailure {
    ProbeFailure(reason, detail, partial: response)
  }
}

/// The result of receiving or sending.
package enum StreamOutcome: Sendable {
  /// These bytes were received; none means that the peer has finished sending.
  case received([UInt8])
  /// All bytes were passed to the operating system, or remain to be sent while receiving.
  case sent
  /// The operating system's error.
  case failed(Int32)
  /// The peer's TLS records are not valid, or it sent an alert.
  case tlsFailed(TLSError)
  /// The deadline passed first.
  case timedOut
  /// The task was cancelled.
  case cancelled
}

extension ByteStream {
  /// Waits for bytes and returns what is available, up to a limit.
  package func receive(upTo limit: Int, deadline: ContinuousClock.Instant) async -> StreamOutcome {
    if !unread.isEmpty {
      let taken = Array(unread.prefix(limit))
      unread.removeFirst(taken.count)
      return .received(taken)
    }
    return await receiveMore(upTo: limit, deadline)
  }

  /// Waits for bytes that have not been received yet.
  private func receiveMore(upTo limit: Int, _ deadline: ContinuousClock.Instant) async -> StreamOutcome {
    if hasEnded { return .received([]) }
    if isUnusable { return .failed(EPIPE) }
    let outcome: StreamOutcome
    if let tls {
      outcome = await receive(upTo: limit, inside: tls, deadline)
    } else {
      outcome = StreamOutcome(await run(.receive(upTo: limit), deadline))
    }
    note(outcome)
    return outcome
  }

  /// Sends all the bytes.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - deadline: The deadline.
  ///   - leavesRest: Whether to return as soon as there is something to receive, such as a response to the
  ///     first part of a long request; receiving then sends the rest.
  /// - Returns: `sent`, or the reason of the failure.
  package func send(
    _ bytes: [UInt8], deadline: ContinuousClock.Instant, leavesRest: Bool = false
  ) async -> StreamOutcome {
    if isUnusable || cannotSend { return .failed(EPIPE) }
    record?.sent += bytes
    let outcome =
      if let tls {
        await send(bytes, inside: tls, deadline, leavesRest: leavesRest)
      } else {
        StreamOutcome(await run(.send(bytes, leavesRest: leavesRest), deadline))
      }
    noteSending(outcome)
    return outcome
  }

  private func noteSending(_ outcome: StreamOutcome) {
    if case .sent = outcome {
    } else {
      cannotSend = true
      keep(outcome)
    }
    lastSendEnd = .now
    response.timings.total = start.duration(to: lastSendEnd)
  }

  /// Puts received bytes back, to be read next.
  func unreceive(_ bytes: [UInt8]) {
    unread = bytes + unread
  }

  private func note(_ outcome: StreamOutcome) {
    let now = ContinuousClock.now
    response.timings.total = start.duration(to: now)
    if record != nil { keep(outcome) }
    guard case .received(let bytes) = outcome else { return }
    if bytes.isEmpty {
      hasEnded = true
    } else if response.timings.firstByte == nil {
      response.timings.firstByte = lastSendEnd.duration(to: now)
    }
  }

  /// Records what is sent and received from now on in ``record``.
  package func startRecording() {
    record = WireRecord(localAddress: socket.socket.localAddress)
  }

  private func keep(_ outcome: StreamOutcome) {
    switch outcome {
    case .received(let bytes) where !bytes.isEmpty: record?.received += bytes
    // The system reports a reset once, and an end after that.
    case _ where record?.ending != .open: break
    case .received: record?.ending = isCutShort ? .broken : .finished
    case .failed(let number): record?.ending = SystemError(number) == .reset ? .reset : .broken
    case .tlsFailed: record?.ending = .broken
    case .sent, .timedOut, .cancelled: break
    }
  }

  // Not inlined into its callers, which would need space for all of them.
  @inline(never)
  func run(
    _ kind: SocketOperation.Kind, _ deadline: ContinuousClock.Instant
  ) async -> SocketOutcome {
    await SocketOperation.run(kind, on: socket, of: loop, deadline: deadline)
  }

  func failure(_ finding: ConnectionFailure.Finding) -> ProbeFailure { failure(finding.0, finding.1) }
}

extension StreamOutcome {
  init(_ outcome: SocketOutcome) {
    self =
      switch outcome {
      case .received(let bytes): .received(bytes)
      case .sent: .sent
      case .failed(let number): .failed(number)
      case .timedOut: .timedOut
      case .cancelled: .cancelled
      }
  }
}
