internal import CCurl
internal import CProbeShims
internal import Glibc
import Locking
import Threading
internal import Sockets

/// Stands between libcurl's HTTP and the network, hands every byte on, and keeps a copy.
///
/// libcurl connects and does TLS for it, as for any transfer, on a handle of its own; what libcurl then reads and writes
/// inside TLS goes by here, to and from a second handle that speaks plain HTTP over loopback. So nothing of HTTP is
/// decoded twice, and the copy is of what was on the wire.
///
/// Each has a thread for itself: it is for captures, of which few run at a time.
final class WireTap: Sendable {
  /// What went by.
  struct Record: Sendable {
    var sent: [UInt8] = []
    var received: [UInt8] = []
    /// How many bytes had been received when HTTP hung up.
    var receivedBeforeHangUp = 0
    /// Whether the peer had ended its side by then, or broken off.
    var hadEndedBeforeHangUp = false
    /// Whether the peer ended its side in order.
    var hasFinished = false
    /// Whether there was more than is kept.
    var isCut = false
    /// Whether it had said so before, where it can: inside TLS.
    var hasCloseNotify = true
    /// Why reading or writing ended, when the connection broke.
    var breakage: Breakage?
    /// The address of this machine on the connection.
    var localAddress: String?

    /// Whether nothing is missing so far.
    fileprivate var isWhole: Bool { breakage == nil && !isCut }
    /// Whether there may be more to receive.
    fileprivate var isOpen: Bool { isWhole && !hasFinished }
  }

  /// How a connection broke: libcurl's result, its words, and the system's error or 0.
  struct Breakage: Sendable {
    var code: CurlCode
    var message: String
    var systemError: Int32
  }

  /// What has to be known from outside of the thread.
  private struct Progress: Sendable {
    var isCancelled = false
    var record: Record?
    var waiter: CheckedContinuation<Record, Never>?
  }

  private let transfer: Transfer
  private let mostReceived: Int
  private let multi: MultiHandle
  private let door: LoopbackDoor
  private let progress = Guarded(Progress())

  /// A tap for one connection, or nil when the machine has no memory or descriptors left.
  ///
  /// - Parameters:
  ///   - options: What to connect to.
  ///   - easy: The handle to do it with.
  ///   - mostReceived: How many bytes are received before it breaks off.
  init?(_ options: TransferOptions, easy: EasyHandle, mostReceived: Int) {
    guard let multi = MultiHandle(), let door = LoopbackDoor() else { return nil }
    self.multi = multi
    self.door = door
    self.mostReceived = mostReceived
    transfer = Transfer(tapping: options, easy: easy)
  }

  deinit {
    door.closeDoor()
  }

  /// The socket to speak plain HTTP on; whoever takes it has to connect it to ``port``, and to close it.
  var guest: Int32 { door.guest }
  /// The port of 127.0.0.1 where bytes are handed on.
  var port: UInt16 { door.port }

  /// Connects; from then on everything is handed on.
  ///
  /// - Returns: The result of connecting. When it is no success, the tap has ended, and its socket is closed.
  func connect() async -> TransferResult {
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        transfer.setWaiter(continuation)
        guard let thread = try? WorkerThread(named: "probekit-tap", { self.run() }) else {
          close(door.guest)
          return transfer.finishUnstarted(.outOfMemory)
        }
        thread.detach()
      }
    } onCancel: {
      progress.withLock { $0.isCancelled = true }
      multi.wake()
    }
    transfer.takeOver()
    return result
  }

  /// Waits until the connection has ended, and hands over what went by; to be called when HTTP is through.
  func record() async -> Record {
    door.stopAdmitting()
    return await withCheckedContinuation { continuation in
      let record = progress.withLock { progress -> Record? in
        if progress.record == nil { progress.waiter = continuation }
        return progress.record
      }
      if let record { continuation.resume(returning: record) }
    }
  }
}

extension WireTap {
  /// What the thread does.
  private func run() {
    transfer.begin(turn: 0)
    let code = connectNow()
    defer {
      _ = unsafe curl_multi_remove_handle(multi.pointer, transfer.easy.pointer)
    }
    guard code == CURLE_OK else {
      close(door.guest)
      return transfer.finish(code)
    }
    transfer.finish(code)
    var record = Record()
    record.localAddress = unsafe probe_curl_get_string(transfer.easy.pointer, CURLINFO_LOCAL_IP).map {
      unsafe String(cString: $0)
    }
    let near = door.admit()
    let failure = errno
    if let near {
      handOn(to: near, into: &record)
    } else if failure.isShortage {
      record.breakage = Breakage(code: .outOfMemory, message: "", systemError: failure)
      // HTTP would wait for an answer to the end of its time.
      door.stopAdmitting()
    }
    let waiter = progress.withLock { progress in
      progress.record = record
      return progress.waiter.take()
    }
    waiter?.resume(returning: record)
  }

  private func connectNow() -> CURLcode {
    guard unsafe curl_multi_add_handle(multi.pointer, transfer.easy.pointer) == CURLM_OK else {
      return CURLcode(rawValue: CurlCode.outOfMemory.rawValue)
    }
    while true {
      if progress.withLock(\.isCancelled) { return CURLcode(rawValue: CurlCode.cancelled.rawValue) }
      var running: Int32 = 0
      _ = unsafe curl_multi_perform(multi.pointer, &running)
      var remaining: Int32 = 0
      while let message = unsafe curl_multi_info_read(multi.pointer, &remaining) {
        if unsafe message.pointee.msg == CURLMSG_DONE { return unsafe message.pointee.data.result }
      }
      _ = unsafe curl_multi_poll(multi.pointer, nil, 0, 1000, nil)
    }
  }
}

/// Handing bytes on, both ways.
///
/// Nothing here waits for one side alone: the time limit is HTTP's, which hangs up at its end.
extension WireTap {
  private func handOn(to near: Int32, into record: inout Record) {
    let network = unsafe probe_curl_get_socket(transfer.easy.pointer)
    // What one side has said and the other has not taken yet; meanwhile the first is not listened to.
    var (request, answer) = (ArraySlice<UInt8>(), ArraySlice<UInt8>())
    var lingering: Lingering?
    var (mayHaveMore, hasToldEnd) = (false, false)
    while lingering == nil ? record.isWhole || !answer.isEmpty : record.isOpen && !record.sent.isEmpty {
      // Nothing is read in front of the request: HTTP must find a connection that stands.
      let listens = record.isOpen && !record.sent.isEmpty && answer.isEmpty
      var timeout: Int32 = listens && mayHaveMore ? 0 : -1
      if let lingering {
        let rest = lingering.rest(received: record.received.count)
        if rest <= .zero { break }
        if timeout != 0 { timeout = Int32(clamping: Int((rest / .milliseconds(1)).rounded(.up))) }
      }
      let hears = (request.isEmpty ? POLLIN : 0) | (answer.isEmpty ? 0 : POLLOUT) | Self.hangUp
      let wants = (listens ? POLLIN : 0) | (request.isEmpty ? 0 : POLLOUT)
      var sides = [
        pollfd(fd: lingering == nil ? near : -1, events: Int16(hears), revents: 0),
        pollfd(fd: wants == 0 ? -1 : network, events: Int16(wants), revents: 0),
      ]
      // A hang-up comes behind what was said before it, and that is not listened to while the network takes nothing.
      if lingering == nil, !request.isEmpty { sides.append(door.closing) }
      guard unsafe poll(&sides, nfds_t(sides.count), timeout) >= 0 || errno == EINTR else { break }
      if Int32(sides[0].revents) & ~POLLOUT != 0 || sides.count > 2 && sides[2].revents != 0 {
        let isFirst = record.sent.isEmpty
        if request.isEmpty, let bytes = take(from: near) {
          record.sent += bytes
          request = bytes[...]
          // Bytes may have come with the last of the handshake, and are then not seen by poll.
          mayHaveMore = mayHaveMore || isFirst
        } else {
          // HTTP has what it wants, or has given up.
          record.receivedBeforeHangUp = record.received.count
          record.hadEndedBeforeHangUp = record.hasFinished
          lingering = Lingering(received: record.received.count)
          (request, answer) = ([], [])
        }
      }
      if !request.isEmpty { send(&request) }
      if listens, mayHaveMore || sides[1].revents & ~Int16(POLLOUT) != 0 {
        let bytes = receive(into: &record)
        mayHaveMore = bytes != nil
        if lingering == nil { answer = bytes ?? [] } else { lingering?.last = .now }
      }
      if !answer.isEmpty { forward(&answer, to: near) }
      if record.hasFinished, answer.isEmpty, lingering == nil, !hasToldEnd {
        shutdown(near, Int32(SHUT_WR))
        hasToldEnd = true
      }
    }
    if lingering == nil {
      record.receivedBeforeHangUp = record.received.count
      record.hadEndedBeforeHangUp = true
    }
    if record.isWhole { close(near) } else { LoopbackDoor.reset(near) }
  }

  /// POLLRDHUP of poll(2): the other side has ended, whether or not there is something left to read.
  private static let hangUp: Int32 = 0x2000

  /// Takes what HTTP has to say; nil when it has hung up.
  private func take(from near: Int32) -> [UInt8]? {
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 16 * 1024) { buffer, count in
      count = unsafe max(0, recv(near, buffer.baseAddress, buffer.count, 0))
    }
    return bytes.isEmpty ? nil : bytes
  }

  /// Sends as much as the network takes now.
  private func send(_ bytes: inout ArraySlice<UInt8>) {
    while !bytes.isEmpty {
      var count = 0
      let code = unsafe bytes.withUnsafeBytes { rest in
        unsafe curl_easy_send(transfer.easy.pointer, rest.baseAddress, rest.count, &count)
      }
      bytes = bytes.dropFirst(count)
      if code == CURLE_AGAIN { return }
      // What broke shows in reading, with what came before it.
      if code != CURLE_OK { bytes = [] }
    }
  }

  /// Takes what has come from the network; nil when there is nothing more for now.
  private func receive(into record: inout Record) -> ArraySlice<UInt8>? {
    var room = [UInt8](repeating: 0, count: 16 * 1024)
    var count = 0
    let code = unsafe room.withUnsafeMutableBytes { buffer in
      unsafe curl_easy_recv(transfer.easy.pointer, buffer.baseAddress, buffer.count, &count)
    }
    switch code {
    case CURLE_OK where count > 0:
      record.received += room[..<count]
      record.isCut = record.received.count > mostReceived
      return room[..<count]
    case CURLE_OK:
      record.hasFinished = true
      record.hasCloseNotify = transfer.hasCloseNotify
    case CURLE_AGAIN: break
    default:
      record.breakage = Breakage(
        code: CurlCode(rawValue: code.rawValue), message: transfer.easy.errorMessage,
        systemError: transfer.easy.systemError)
    }
    return nil
  }

  /// Hands over as much as HTTP takes now.
  private func forward(_ bytes: inout ArraySlice<UInt8>, to near: Int32) {
    while !bytes.isEmpty {
      let count = unsafe bytes.withUnsafeBytes { bytes in
        unsafe Glibc.send(near, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      }
      if count < 0, errno == EAGAIN || errno == EINTR { return }
      // It has hung up, which shows in reading.
      bytes = count < 0 ? [] : bytes.dropFirst(count)
    }
  }
}

/// The time after HTTP has what it wants.
///
/// What a server sends behind the end of its answer, and whether it ends the connection, comes with the answer or a moment
/// later.
private struct Lingering {
  private static let quiet = Duration.milliseconds(200)
  private static let longest = Duration.seconds(1)
  private static let most = 64 * 1024

  private let start = ContinuousClock.now
  private let receivedBefore: Int
  /// When something came last.
  var last = ContinuousClock.now

  init(received: Int) {
    receivedBefore = received
  }

  /// How long is listened on.
  func rest(received: Int) -> Duration {
    guard received - receivedBefore <= Self.most else { return .zero }
    return min(last + Self.quiet, start + Self.longest) - .now
  }
}
