import Dispatch
import FuzzSupport
import Glibc
@testable import Transports
import ProbeCore
import Synchronization

/// Any bytes as the data of a server, in pieces of a size that the first byte sets: the client ends, with the
/// same result as its reader without a connection.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzClient(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  guard let first = bytes.first else { return 0 }
  let sent = Array(bytes.dropFirst())
  let (piece, isReset) = (first & 0x40 == 0 ? max(1, sent.count) : 1 + Int(first & 0x3F), first & 0x80 != 0)
  let done = DispatchSemaphore(value: 0)
  let outcome = Mutex<Result<ProbeResponse, ProbeFailure>?>(nil)
  let request = Server.shared.request
  Task {
    do {
      let response = try await Server.transport.probe(request)
      outcome.withLock { $0 = .success(response) }
    } catch {
      let failure = error as? ProbeFailure
      outcome.withLock { $0 = failure.map { .failure($0) } }
    }
    done.signal()
  }
  Server.shared.serve(sent, piece: piece, isReset: isReset)
  done.wait()
  if !isReset { check(outcome.withLock(\.self), against: sent, request) }
  return 0
}

private func check(
  _ outcome: Result<ProbeResponse, ProbeFailure>?, against sent: [UInt8], _ request: ProbeRequest
) {
  var reader = DecodedResponseReader(to: request)
  var isWhole = true
  do throws(ResponseError) {
    var hasAll = false
    if !sent.isEmpty { hasAll = try reader.take(sent) }
    if !hasAll { try reader.end(wasNotified: true) }
  } catch {
    isWhole = false
  }
  switch outcome {
  case .success(let response):
    precondition(isWhole || response.head?.isRedirect == true, "a broken response is accepted")
    precondition(response.body == reader.body && response.head == reader.headSoFar, "it is another response")
  case .failure(let failure):
    // A client that has enough may close while the server still sends; what it has read counts.
    precondition(!isWhole, "a complete response is refused: \(failure)")
    precondition(failure.partial?.head == reader.headSoFar, "it has another head")
  case nil: preconditionFailure("no outcome")
  }
}

/// A server on loopback for one connection at a time.
private struct Server: Sendable {
  static let shared = Server()
  static let transport = HTTPTransport()

  let descriptor: Int32
  let request: ProbeRequest

  private init() {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = descriptor
    unsafe withUnsafeMutablePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        precondition(unsafe bind(descriptor, address, size) == 0 && listen(descriptor, 8) == 0)
        precondition(unsafe getsockname(descriptor, address, &size) == 0)
      }
    }
    guard let url = try? ProbeURL("http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/") else {
      preconditionFailure("no URL")
    }
    var request = ProbeRequest(url)
    (request.maxHead, request.maxBody, request.timeout) = (4096, 4096, .seconds(60))
    self.request = request
  }

  /// Takes one connection, reads the request, sends a response and closes.
  func serve(_ sent: [UInt8], piece: Int, isReset: Bool) {
    let connection = uninterrupted { accept(descriptor, nil, nil) }
    precondition(connection >= 0)
    var request: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while !request.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      let count = uninterrupted { unsafe recv(connection, &buffer, buffer.count, 0) }
      guard count > 0 else { break }
      request += buffer[..<count]
    }
    var rest = sent[...]
    while !rest.isEmpty {
      let part = Array(rest.prefix(piece))
      let count = uninterrupted { unsafe send(connection, part, part.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { break }
      rest = rest.dropFirst(count)
    }
    if isReset {
      var linger = linger(l_onoff: 1, l_linger: 0)
      unsafe setsockopt(
        connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
    }
    close(connection)
  }
}
