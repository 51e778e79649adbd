internal import CCurl
internal import CProbeShims
internal import Glibc
import Locking
import Threading

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
    /// Why reading or writing ended, when the connection broke.
    var breakage: Breakage?
    /// The address of this machine on the connection.
    var localAddress: String?
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
  private let multi: MultiHandle
  private let door: LoopbackDoor
  private let progress = Guarded(Progress())

  /// A tap for one connection, or nil when the machine has no memory or descriptors left.
  init?(_ options: TransferOptions, easy: EasyHandle) {
    guard let multi = MultiHandle(), let door = LoopbackDoor() else { return nil }
    self.multi = multi
    self.door = door
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
extension WireTap {
  private func handOn(to near: Int32, into record: inout Record) {
    let network = unsafe probe_curl_get_socket(transfer.easy.pointer)
    var lingering: Lingering?
    var hasMore = false
    while record.breakage == nil, lingering == nil || !(record.hasFinished || record.sent.isEmpty) {
      var timeout: Int32 = hasMore ? 0 : -1
      if let lingering {
        let rest = lingering.rest(received: record.received.count)
        if rest <= .zero { break }
        if !hasMore { timeout = Int32(clamping: Int((rest / .milliseconds(1)).rounded(.up))) }
      }
      var descriptors = [
        pollfd(fd: lingering == nil ? near : -1, events: Int16(POLLIN), revents: 0),
        // Nothing is read in front of the request: HTTP must find a connection that stands.
        pollfd(
          fd: record.hasFinished || record.sent.isEmpty ? -1 : network, events: Int16(POLLIN), revents: 0),
      ]
      guard unsafe poll(&descriptors, 2, timeout) >= 0 || errno == EINTR else { break }
      if descriptors[0].revents != 0 {
        let isFirst = record.sent.isEmpty
        if !send(from: near, &record) {
          // HTTP has what it wants, or has given up.
          record.receivedBeforeHangUp = record.received.count
          record.hadEndedBeforeHangUp = record.hasFinished
          lingering = Lingering(received: record.received.count)
        } else if isFirst {
          // Bytes may have come with the last of the handshake, and are then not seen by poll.
          hasMore = true
        }
      }
      guard hasMore || descriptors[1].revents != 0 else { continue }
      hasMore = receive(into: &record, forwardingTo: lingering == nil ? near : nil)
      lingering?.last = .now
    }
    if lingering == nil {
      record.receivedBeforeHangUp = record.received.count
      record.hadEndedBeforeHangUp = true
    }
    if record.breakage == nil { close(near) } else { LoopbackDoor.reset(near) }
  }

  /// Sends what HTTP has to say; false when it has hung up.
  private func send(from near: Int32, _ record: inout Record) -> Bool {
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 16 * 1024) { buffer, count in
      count = unsafe max(0, recv(near, buffer.baseAddress, buffer.count, 0))
    }
    guard !bytes.isEmpty else { return false }
    record.sent += bytes
    var sent = 0
    while sent < bytes.count {
      var count = 0
      let code = unsafe bytes[sent...].withUnsafeBytes { rest in
        unsafe curl_easy_send(transfer.easy.pointer, rest.baseAddress, rest.count, &count)
      }
      sent += count
      switch code {
      case CURLE_OK: break
      case CURLE_AGAIN:
        // A server that does not read will not answer either; then HTTP's own time runs out.
        guard wait(for: Int16(POLLOUT)) else { return true }
      // What broke shows in reading, with what came before it.
      default: return true
      }
    }
    return true
  }

  private func wait(for events: Int16) -> Bool {
    var descriptor = unsafe pollfd(
      fd: probe_curl_get_socket(transfer.easy.pointer), events: events, revents: 0)
    return unsafe poll(&descriptor, 1, 5000) > 0
  }

  /// Takes what has come from the network.
  ///
  /// - Returns: Whether there may be more already.
  private func receive(into record: inout Record, forwardingTo near: Int32?) -> Bool {
    var room = [UInt8](repeating: 0, count: 16 * 1024)
    var count = 0
    let code = unsafe room.withUnsafeMutableBytes { buffer in
      unsafe curl_easy_recv(transfer.easy.pointer, buffer.baseAddress, buffer.count, &count)
    }
    switch code {
    case CURLE_OK where count > 0:
      record.received += room[..<count]
      if let near { forward(room[..<count], to: near) }
      return true
    case CURLE_OK:
      record.hasFinished = true
      if let near { shutdown(near, Int32(SHUT_WR)) }
    case CURLE_AGAIN: break
    default:
      record.breakage = Breakage(
        code: CurlCode(rawValue: code.rawValue), message: transfer.easy.errorMessage,
        systemError: transfer.easy.systemError)
    }
    return false
  }

  private func forward(_ bytes: ArraySlice<UInt8>, to near: Int32) {
    var rest = bytes
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { bytes in
        unsafe Glibc.send(near, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
      }
      // It has hung up, which shows in reading.
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
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
