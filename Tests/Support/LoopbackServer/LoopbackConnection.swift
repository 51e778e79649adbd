package import ProbeTLS
package import ProbeCore

/// One connection of a ``LoopbackServer``, as its script sees it.
package final class LoopbackConnection {
  /// The number of the connection on its server, starting with 0.
  package let number: Int
  private let socket: Socket
  private let record: (_ request: [UInt8]) -> Void
  private var tls: ServerConnection?
  /// A second TLS session inside the first, as with a server behind an HTTPS proxy.
  private var inner: TLSSession?
  private var unread: [UInt8] = []
  private var isClosed = false

  init(_ socket: Socket, number: Int, record: @escaping (_ request: [UInt8]) -> Void) {
    self.socket = socket
    self.number = number
    self.record = record
  }

  /// The longest request that is read.
  private static let maximumRequest = 16 * 1024 * 1024
}

extension LoopbackConnection {
  /// Reads one HTTP request: the head, and as much content as Content-Length declares.
  ///
  /// - Returns: The bytes as received, which the server also records; fewer if the client closed its side
  ///   early, none if it sent nothing more.
  /// - Throws: An error if the connection broke.
  package func readRequest() throws -> [UInt8] {
    var wanted: Int?
    while unread.count < wanted ?? Self.maximumRequest {
      if wanted == nil, let end = LoopbackRequest.headEnd(of: unread) {
        wanted = end + LoopbackRequest(unread).contentLength
        continue
      }
      let more = try receive(upTo: 64 * 1024)
      if more.isEmpty { break }
      unread += more
    }
    let request = Array(unread.prefix(wanted ?? unread.count))
    unread.removeFirst(request.count)
    if !request.isEmpty { record(request) }
    return request
  }

  /// Reads bytes from the client, waiting for at least one.
  ///
  /// - Returns: The bytes; none if the client has closed its side.
  /// - Throws: An error if the connection broke.
  package func read(upTo limit: Int = 64 * 1024) throws -> [UInt8] {
    guard unread.isEmpty else {
      let bytes = Array(unread.prefix(limit))
      unread.removeFirst(bytes.count)
      return bytes
    }
    return try receive(upTo: limit)
  }

  /// Waits until the client has closed its side or the server stops; input is discarded.
  package func hold() {
    unread = []
    while let bytes = try? socket.receive(upTo: 64 * 1024), !bytes.isEmpty {}
  }

  private func receive(upTo limit: Int) throws -> [UInt8] {
    guard let inner else { return try receiveOuter(upTo: limit) }
    while true {
      switch try inner.read(upTo: limit) {
      case .bytes(let bytes): return bytes
      case .end: return []
      case .needsInput: try feed(inner)
      }
    }
  }

  /// Passes the bytes decrypted by the outer session to the inner one.
  private func feed(_ inner: TLSSession) throws {
    let bytes = try receiveOuter(upTo: 64 * 1024)
    if bytes.isEmpty { inner.receiveEnd() } else { inner.receive(bytes) }
  }

  private func receiveOuter(upTo limit: Int) throws -> [UInt8] {
    try tls?.read(upTo: limit) ?? socket.receive(upTo: limit)
  }
}

extension LoopbackConnection {
  /// Sends bytes.
  ///
  /// - Throws: When the connection broke, or the server stops.
  package func send(_ bytes: [UInt8]) throws {
    guard let inner else { return try sendOuter(bytes) }
    try inner.write(bytes)
    try sendOuter(inner.takeOutput())
  }

  private func sendOuter(_ bytes: [UInt8]) throws {
    if let tls { try tls.write(bytes) } else { try socket.send(bytes) }
  }

  /// Sends text as UTF-8, unchanged: the script is responsible for line ends.
  ///
  /// - Throws: An error if the connection broke, or the server stops.
  package func send(_ text: String) throws {
    try send(Array(text.utf8))
  }

  /// Sends bytes piece by piece, with a pause between two pieces.
  ///
  /// - Throws: When the connection broke, or the server stops.
  package func sendSlowly(_ bytes: [UInt8], piece: Int = 1, every interval: Duration) throws {
    for start in stride(from: 0, to: bytes.count, by: max(1, piece)) {
      if start > 0 { try pause(for: interval) }
      try send(Array(bytes[start..<min(start + max(1, piece), bytes.count)]))
    }
  }

  /// Waits.
  ///
  /// - Throws: When the connection broke, or the server stops, meanwhile.
  package func pause(for duration: Duration) throws {
    let milliseconds = Int32(clamping: Int64(duration / .milliseconds(1)))
    guard socket.pause(milliseconds: milliseconds) else {
      throw LoopbackError("the connection ended during a pause")
    }
  }

  /// Closes the sending side: sends a FIN, in TLS preceded by a close_notify alert.
  ///
  /// - Parameter notify: Whether to send the close_notify alert; without it, the end looks like a truncation.
  package func shutdownWrite(notify: Bool = true) {
    guard !isClosed else { return }
    if notify, let tls { try? tls.shutdown() }
    socket.shutdownWrite()
  }

  /// Closes at once with an RST.
  package func reset() {
    guard !isClosed else { return }
    isClosed = true
    socket.reset()
  }

  /// Closes at once; a FIN when everything was read, otherwise the system sends an RST.
  package func close() {
    guard !isClosed else { return }
    isClosed = true
    socket.close()
  }

  /// The usual end: FIN, then drain until the client has ended its side too.
  func finish() {
    guard !isClosed else { return }
    shutdownWrite()
    hold()
    close()
  }
}

extension LoopbackConnection {
  /// Performs a TLS handshake; from then on bytes are inside TLS, after a second call inside both sessions.
  ///
  /// - Throws: `TLSError` when it fails.
  package func startTLS(_ context: ServerContext) throws {
    if tls != nil { return try startInnerTLS(context) }
    let connection = try ServerConnection(descriptor: socket.borrowedDescriptor, context: context)
    connection.session.receive(unread)
    unread = []
    try connection.handshake()
    tls = connection
  }

  private func startInnerTLS(_ context: ServerContext) throws {
    let session = try TLSSession(context)
    session.receive(unread)
    unread = []
    while true {
      let progress = Result { try session.handshake() }
      try sendOuter(session.takeOutput())
      if try progress.get() == .done { break }
      try feed(session)
    }
    inner = session
  }

  /// Changes the keys inside TLS (RFC 8446 §4.6.3).
  package func updateKeys() throws {
    guard let tls else { return }
    try tls.session.updateKeys()
    try tls.write([])
  }

  /// The certificate that the client sent, or nil if it sent none.
  package var clientCertificate: CertificateFacts? { (inner ?? tls?.session)?.clientCertificate }

  /// The client's address as text.
  package var peerHost: String? { socket.peerHost }

  /// The server name that the client sent (SNI), or nil without TLS or without a name.
  package var serverName: String? { (inner ?? tls?.session)?.serverName }
}
