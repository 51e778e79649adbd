internal import ProbeCore

/// What leading needs of a replay server.
protocol LeadingTarget: Sendable {
  /// Where a listener receives what tells by itself whom it is for.
  func address(of listener: ReplayListener) -> SocketAddress

  /// A port, at the listener's address, whose connections count as made to this host and port, whatever is sent on them.
  ///
  /// - Throws: Whatever hinders it, such as a lack of descriptors.
  func place(_ listener: ReplayListener, host: String, port: UInt16) throws -> UInt16

  /// What a client is told a name resolves to, or nil when that is not said.
  func dnsAnswer(for host: String) -> DNSAnswer?

  /// The authority that has signed the server's certificates, as its own certificate in PEM form.
  var authorityPEM: String { get }
}
