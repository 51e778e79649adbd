internal import ByteStreams
public import ProbeCore
package import ProbeSystem

/// TCP, with or without TLS: connects, executes a ``Dialog`` if there is one and, if a response is expected,
/// receives it until it is complete.
///
/// Without a dialog, nothing is sent. Without a dialog and an expectation (`ProbeRequest.expectation`), the
/// established connection is the response; for a `tls` URL, it is established once the server's certificate
/// is verified. The `starttls` step of a dialog continues a `tcp` connection inside TLS.
public struct TCPTransport: ProbeTransport {
  private let connector: StreamConnector

  /// Creates a transport with its own event loops.
  public init() {
    connector = StreamConnector()
  }

  /// Creates a transport that shares event loops with others.
  package init(loops: EventLoops) {
    connector = StreamConnector(loops: loops)
  }

  /// TCP, and TCP with TLS.
  public var schemes: [URLScheme: Encryption] { [.tcp: .plaintext, .tls: .encrypted] }

  /// The threads of its connections.
  public var executors: [any TaskExecutor] { connector.executors }

  /// Checks that the URL has a port and no parts that TCP does not use, and that the dialog can succeed.
  ///
  /// - Throws: `InvalidInput` naming the part.
  public func check(_ request: ProbeRequest) throws(InvalidInput) {
    let url = request.url
    try url.checkHostAndPort(
      examplePorts: url.scheme == .tls
        ? "993; common ports are 443 (HTTPS), 465 (SMTP), 636 (LDAP), 853 (DNS), 993 (IMAP) and 995 (POP3)"
        : "22")
    try connector.check(request)
    let script = request[Dialog.self]?.script
    let problem = script?.problem(
      maxBody: request.maxBody, isEncrypted: url.scheme == .tls, secrets: request.otherSecrets)
    if let problem { throw problem }
  }

  /// Checks the files of authorities and of a client certificate.
  ///
  /// - Throws: `InvalidInput` naming the file.
  public func checkFiles(of request: ProbeRequest) throws(InvalidInput) {
    try connector.checkFiles(of: request)
  }

  /// The keys for connections and TLS, and `dialog`.
  public func requestKeys(for scheme: URLScheme) -> [RequestKey] {
    // TCP has no redirects.
    return RequestKey.common.filter { $0.name != "redirects" } + RequestKey.connection
      + [.authorities, .clientCertificate, .dialog]
  }

  /// Connects, executes the dialog, and receives the expected data.
  ///
  /// - Throws: `ProbeFailure` with the reason and everything learned so far.
  public func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
    try refuseInvalid(request)
    return try await probe(checked: request)
  }
}

extension TCPTransport: CheckedTransport {
  package func probe(checked request: ProbeRequest) async throws -> ProbeResponse {
    let encryption: Encryption = request.url.scheme == .tls ? .encrypted : .plaintext
    let exchange = Exchange(
      try await connector.connect(forChecked: request, encryption: encryption, tunnels: true))
    var hasEnded = false
    if let dialog = request[Dialog.self] {
      let limits = Conversation.Limits(timeout: request.timeout, maxBody: request.maxBody)
      let conversation = Conversation(dialog.script, limits, response: exchange.response)
      hasEnded = try await exchange.converse(conversation)
    }
    guard let expectation = request.expectation else { return exchange.response }
    var banner = Banner(expectation, limit: request.maxBody, response: exchange.response)
    banner.lookAtStart(hasEnded: hasEnded)
    return try await exchange.receive(banner, timeout: request.timeout)
  }
}

extension TCPTransport: AddressFinding {
  package func addresses(for request: ProbeRequest) async throws(ProbeFailure) -> FoundAddresses? {
    try await connector.addresses(for: request)
  }
}

extension RequestKey {
  /// The dialog of a tcp, tls or udp request.
  static let dialog = RequestKey(
    "dialog", Dialog.self, default: "none", summary: "what to send, and what must be received"
  ) { dialog in
    RequestSetting { request, context throws(InvalidInput) in
      request[Dialog.self] = try dialog.readingSecrets(in: context, adding: &request.otherSecrets)
    }
  }.variables(.dialog).secrecy(.content).explained(
    "With --explain, the number of its steps is shown.",
    example: "[{ expect: \"220\" }, { send: \"QUIT\\r\\n\" }]")
}

extension ProbeURL {
  /// Checks that a URL consists of a host and a port.
  ///
  /// - Parameter examplePorts: A port for the remedy, and what follows it.
  /// - Throws: `InvalidInput` naming the part.
  func checkHostAndPort(examplePorts: String) throws(InvalidInput) {
    guard explicitPort != nil else {
      throw InvalidInput(
        "a \(scheme) URL needs a port",
        remedy: "write it as \(scheme)://\(host.bracketedHost):\(examplePorts)")
    }
    guard path.isEmpty || path == "/", query == nil else {
      throw InvalidInput(
        "a \(scheme) URL has no path or query", remedy: "write it as \(scheme)://host:port")
    }
  }
}
