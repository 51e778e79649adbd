import BundledPlugins
import LoopbackDNS
import LoopbackServer
import ProbeCore
import ProbeTLS
import TestSupport

/// A server for queries over TLS or HTTPS, with a certificate for `localhost`.
struct SecureDNS {
  let server: LoopbackServer
  /// The file of its authority.
  let authority: TemporaryFile

  init(
    supportsHTTP2: Bool = false, hosts: [String] = ["localhost"], isV6: Bool = false,
    _ script: @escaping LoopbackServer.Script
  ) throws {
    let made = try CertificateAuthority()
    authority = try TemporaryFile(made.pem)
    let context = try ServerContext(made.issue(LeafOptions(hosts: hosts)), supportsHTTP2: supportsHTTP2)
    server = try LoopbackServer(tls: context, script: script)
  }

  /// A server over TLS that sends bytes back for each message.
  static func overTLS(
    hosts: [String] = ["localhost"], _ answer: @escaping @Sendable (DNSQuestion) -> [UInt8]
  ) throws -> SecureDNS {
    try SecureDNS(hosts: hosts) { connection in
      var bytes: [UInt8] = []
      while bytes.count < 2 || bytes.count < 2 + Int(bytes[0]) << 8 + Int(bytes[1]) {
        let more = try connection.read()
        guard !more.isEmpty else { return }
        bytes += more
      }
      guard let question = DNSQuestion(Array(bytes.dropFirst(2))) else { return connection.reset() }
      try connection.send(answer(question))
    }
  }

  /// A server over HTTPS that sends bytes back for each request, which must be a correct one.
  static func overHTTPS(
    _ answer: @escaping @Sendable (DNSQuestion, LoopbackRequest) -> [UInt8]
  ) throws -> SecureDNS {
    try SecureDNS { connection in
      let request = LoopbackRequest(try connection.readRequest())
      guard request.method == "POST", request.header("Content-Type") == "application/dns-message",
        request.header("Accept") == "application/dns-message", request.header("Accept-Encoding") == nil,
        let question = DNSQuestion(request.body), question.id == 0
      else { return try connection.send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n") }
      try connection.send(answer(question, request))
    }
  }

  /// The URL of a query.
  func url(_ scheme: String, _ rest: String = "a.example?type=A") -> String {
    "\(scheme)://localhost:\(server.port)/\(rest)"
  }

  /// A request to it.
  func request(
    _ scheme: String, _ rest: String = "a.example?type=A",
    _ change: (inout ProbeRequest) throws -> Void = { _ in }
  ) throws -> ProbeRequest {
    var request = ProbeRequest(try ProbeURL(url(scheme, rest)))
    request.timeout = .seconds(600)
    request.family = .v4
    request.tls.additionalAuthorities = authority.path
    try change(&request)
    return request
  }
}

/// The message with the two bytes of its length.
func framed(_ bytes: [UInt8]) -> [UInt8] {
  [UInt8(bytes.count >> 8), UInt8(truncatingIfNeeded: bytes.count)] + bytes
}

/// A response of HTTP/1.1.
func http(
  _ body: [UInt8], type: String? = "application/dns-message", status: String = "200 OK", length: Int? = nil,
  _ fields: String = ""
) -> [UInt8] {
  let type = type.map { "Content-Type: \($0)\r\n" } ?? ""
  return Array(
    "HTTP/1.1 \(status)\r\n\(type)\(fields)Content-Length: \(length ?? body.count)\r\n\r\n".utf8) + body
}

/// The transport of a scheme as bundled, where HTTP/2 is spoken.
func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
  try await Prober(PluginRegistry.bundled.transports).probe(request)
}
