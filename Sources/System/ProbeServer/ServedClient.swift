internal import ProbeTLS
internal import ProbeSystem

/// A connection with its socket, its TLS session, its handler's task, and its unsent bytes.
///
/// ``ServiceConnection`` decides its actions. It belongs to the loop's thread.
final class ServedClient {
  let number: Int
  /// Whether it exceeds the limit on connections, so that its client only receives the refusal.
  let isRefused: Bool
  let socket: StreamSocket
  var state: ServiceConnection
  /// The TLS session; nil without TLS, and after its end.
  var tls: TLSSession?
  var task: Task<Void, Never>?
  /// The events that the poller watches for.
  var interest: Poller.Events = .readable
  /// Whether it has used its turn, and waits for another one among all such clients.
  var isPostponed = false
  private var output = SendBuffer()
  /// Whether a FIN follows the output.
  private var endsOutput = false

  init(_ socket: StreamSocket, number: Int, isRefused: Bool, state: ServiceConnection, tls: TLSSession?) {
    (self.socket, self.number, self.isRefused) = (socket, number, isRefused)
    (self.state, self.tls) = (state, tls)
  }

  /// Whether all output has been sent.
  var isFlushed: Bool { output.isEmpty }

  /// Sends bytes, inside TLS if there is a session.
  ///
  /// - Returns: false if the connection is broken.
  func send(_ bytes: [UInt8]) -> Bool {
    guard let tls else { return output.send(bytes, on: socket) }
    guard (try? tls.write(bytes)) != nil else { return false }
    return output.send(tls.takeOutput(), on: socket)
  }

  /// Sends the pending output of TLS itself, such as a part of the handshake.
  ///
  /// - Returns: false if the connection is broken.
  func sendOutputOfTLS() -> Bool {
    guard let tls, tls.outputCount > 0 else { return true }
    return output.send(tls.takeOutput(), on: socket)
  }

  /// Sends the buffered output.
  ///
  /// - Returns: false if the connection is broken.
  func flush() -> Bool {
    guard output.flush(on: socket) else { return false }
    if endsOutput, output.isEmpty { socket.shutdownWrite() }
    return true
  }

  /// Announces the end of the output: inside TLS by an alert (RFC 8446 §6.1), and by a FIN after it.
  ///
  /// Further input is discarded, so the session is no longer needed.
  func shutDown() {
    endTLS()
    endsOutput = true
    _ = flush()
  }

  /// Closes the socket; inside TLS, announces the end if that is possible without waiting.
  func close() {
    endTLS()
    socket.close()
  }

  private func endTLS() {
    guard let tls else { return }
    tls.close()
    _ = output.send(tls.takeOutput(), on: socket)
    self.tls = nil
  }
}
