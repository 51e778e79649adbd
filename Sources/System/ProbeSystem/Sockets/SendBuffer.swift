/// The bytes of a connection that the system has not accepted yet.
package struct SendBuffer: Sendable {
  private var bytes: [UInt8] = []
  /// The number of sent bytes.
  private var start = 0

  /// An empty buffer.
  package init() {}

  /// Whether all bytes have been sent.
  package var isEmpty: Bool { start == bytes.count }

  /// Sends bytes after the buffered ones, and buffers those that the system does not accept yet.
  ///
  /// - Returns: false if the connection is broken.
  package mutating func send(_ more: [UInt8], on socket: StreamSocket) -> Bool {
    if !isEmpty {
      bytes += more
      return true
    }
    (bytes, start) = (more, 0)
    return flush(on: socket)
  }

  /// Sends the buffered bytes.
  ///
  /// - Returns: false if the connection is broken.
  package mutating func flush(on socket: StreamSocket) -> Bool {
    guard !isEmpty else { return true }
    guard case .bytes(let sent) = socket.send(bytes, from: start) else { return false }
    start += sent
    if isEmpty { (bytes, start) = ([], 0) }
    return true
  }
}
