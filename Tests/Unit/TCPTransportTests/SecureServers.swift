import LoopbackServer
import ProbeTLS
import ProbeCore
import Transports
import Testing

/// An authority, servers with its certificates, and requests that trust it.
struct SecureServers: Sendable {
  static let shared = SecureServers()

  private let authority: Result<CertificateAuthority, TLSError>

  private init() {
    do { authority = .success(try CertificateAuthority(name: "Dialogs")) } catch {
      authority = .failure(error)
    }
  }

  func context(_ leaf: LeafOptions = LeafOptions(hosts: ["localhost"]), demandingClients: Bool = false) throws
    -> ServerContext
  {
    let authority = try authority.get()
    return try ServerContext(
      authority.issue(leaf), clientAuthorities: demandingClients ? TrustStore(authorities: [authority]) : nil)
  }

  /// A request for `localhost` at a server's port.
  func request(_ scheme: URLScheme, _ server: LoopbackServer, _ steps: [Dialog.Step]? = nil) throws
    -> ProbeRequest
  {
    var request = ProbeRequest(try ProbeURL("\(scheme)://localhost:\(server.port)"))
    request.timeout = .seconds(300)
    request.connectTo = [ConnectTo(host: nil, port: nil, targetHost: "127.0.0.1", targetPort: server.port)]
    request.tls.onlyAuthorities = Array(try authority.get().pem.utf8)
    request[Dialog.self] = try steps.map { try Dialog($0) }
    return request
  }
}

/// A certificate that is refused, and the reason.
struct RefusedCertificate: Sendable, CustomTestStringConvertible {
  var reason: ReasonCode
  var leaf: LeafOptions
  var testDescription: String { "\(reason)" }

  init(
    _ reason: ReasonCode, hosts: [String] = ["localhost"], _ change: (inout LeafOptions) -> Void = { _ in }
  ) {
    self.reason = reason
    leaf = LeafOptions(hosts: hosts)
    change(&leaf)
  }

  static let all = [
    RefusedCertificate(.certificateExpired) { $0.validity = .expired },
    RefusedCertificate(.certificateNotYetValid) { $0.validity = .notYetValid },
    RefusedCertificate(.certificateSelfSigned) { $0.signer = .itself },
    RefusedCertificate(.certificateUntrusted) { $0.signer = .missingIntermediate },
    RefusedCertificate(.certificateWrongHost, hosts: ["other.example"]),
    RefusedCertificate(.certificateInvalid) { $0.purposes = .client },
  ]
}
