internal import Glibc

/// One read or write that waits for its connection.
///
/// Set up by the caller's thread, then touched by the loop's thread alone.
final class ConnectionOperation {
  typealias Outcome = CurlConnection.Outcome

  enum Kind {
    case receive(Int)
    case send([UInt8])
  }

  /// Where it stands, as the loop sees it.
  enum State: Equatable {
    /// The message to start it is still to come; until then its waiter is the caller's to set.
    case new
    case cancelledEarly
    /// Under this number.
    case waiting(UInt32)
    case finished
  }

  private let socket: ConnectedSocket
  let deadline: ContinuousClock.Instant
  private let kind: Kind
  private var sent = 0
  private var waiter: CheckedContinuation<Outcome, Never>?
  private let handOver = HandOver()
  var state = State.new

  init(_ kind: Kind, on socket: ConnectedSocket, deadline: ContinuousClock.Instant) {
    self.kind = kind
    self.socket = socket
    self.deadline = deadline
  }

  func setWaiter(_ waiter: CheckedContinuation<Outcome, Never>) {
    self.waiter = waiter
  }

  /// Hands the outcome to whoever waits, once.
  func finish(_ outcome: Outcome) {
    state = .finished
    handOver.give()
    waiter?.resume(returning: outcome)
    waiter = nil
  }

  /// Takes the outcome over from the loop's thread; called by who has waited for it.
  func takeOver() {
    handOver.take()
  }
}

// Safe because of the hand-over: the caller's thread lets go before the loop's thread takes it, with the mailbox's
// lock between the two.
extension ConnectionOperation: @unchecked Sendable {}

extension ConnectionOperation {
  var descriptor: Int32 { socket.descriptor }

  var isSending: Bool {
    if case .send = kind { true } else { false }
  }

  /// Reads or writes what can be without waiting.
  ///
  /// - Returns: nil when there is more to wait for.
  func attempt() -> Outcome? {
    switch kind {
    case .receive(let limit): return receive(limit)
    case .send(let bytes): return send(bytes)
    }
  }

  private func receive(_ limit: Int) -> Outcome? {
    let (descriptor, room) = (descriptor, min(limit, 64 * 1024))
    var error: Int32 = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
      let result = unsafe recv(descriptor, buffer.baseAddress, room, Int32(MSG_DONTWAIT))
      error = result < 0 ? errno : 0
      count = max(0, result)
    }
    if error == 0 { return .received(bytes) }
    return error.meansWait ? nil : .failed(error)
  }

  private func send(_ bytes: [UInt8]) -> Outcome? {
    let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
    while sent < bytes.count {
      let result = unsafe bytes[sent...].withUnsafeBytes { rest in
        unsafe Glibc.send(descriptor, rest.baseAddress, rest.count, flags)
      }
      if result < 0 {
        let error = errno
        return error.meansWait ? nil : .failed(error)
      }
      sent += result
    }
    return .sent
  }
}

extension Int32 {
  fileprivate var meansWait: Bool { self == EAGAIN || self == EWOULDBLOCK || self == EINTR }
}
