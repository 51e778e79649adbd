/// What leading needs of a replay server.
protocol LeadingTarget: Sendable {
  /// The port on 127.0.0.1 at which a listener receives what tells by itself whom it is for.
  func port(of listener: ReplayListener) -> UInt16

  /// A port on 127.0.0.1 whose connections count as made to this host and port, whatever is sent on them.
  ///
  /// - Throws: Whatever hinders it, such as a lack of descriptors.
  func place(_ listener: ReplayListener, host: String, port: UInt16) throws -> UInt16

  /// What a client is told a name resolves to, or nil when that is not said.
  func dnsAnswer(for host: String) -> DNSAnswer?

  /// The certificate, in PEM form, of the authority that has signed the server's certificates.
  var authorityPEM: String { get }
}
