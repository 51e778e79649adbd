import LoopbackServer
import ProbeTLS
import ProbeCore
import ProbeBase
import TestSupport
import Testing

@testable import ByteStreams

/// Files of authorities and client certificates that change while a program is running.
@Suite(.eachClient) struct ChangedFilesTests {
  @Test func aChangedAuthorityFileTakesEffect() async throws {
    let server = try LoopbackServer.http(tls: Identities.shared.context(.init(hosts: ["localhost"]))) { _ in
      .response()
    }
    let (ours, other) = (
      String(decoding: Identities.shared.pem, as: UTF8.self), try CertificateAuthority(name: "Stranger").pem
    )
    let folder = try TemporaryFolder(["ca.pem": other])
    let transport = Client.current.newTransport
    let probe = try request(server.secureURL) { $0.tls.additionalAuthorities = folder.path(of: "ca.pem") }
    let before = await #expect(throws: ProbeFailure.self) { try await transport.probe(probe) }
    #expect(before?.reason == .certificateUntrusted)

    try folder.write("ca.pem", ours)
    try transport.checkFiles(of: probe)
    #expect(try await transport.probe(probe).status == 200)
    // A change also takes effect without a check, and when it revokes trust.
    try folder.write("ca.pem", other)
    let after = await #expect(throws: ProbeFailure.self) { try await transport.probe(probe) }
    #expect(after?.reason == .certificateUntrusted)
  }

  @Test func aChangedClientCertificateTakesEffect() async throws {
    let shown = Guarded<[String?]>([])
    let context = try Identities.shared.context(.init(hosts: ["localhost"]), demandingClients: true)
    let server = try LoopbackServer(tls: context) { connection in
      let certificate = connection.clientCertificate?.fingerprint
      shown.withLock { $0.append(certificate) }
      try ScriptedProxy.respond(connection)
    }
    let identities = try (0..<2).map { _ in try Identities.shared.client() }
    let folder = try TemporaryFolder()
    let transport = Client.current.newTransport
    let certificate = ClientCertificate(
      certificateFile: folder.path(of: "client.pem"), keyFile: folder.path(of: "client.key"))
    let probe = try request(server.secureURL) {
      $0.trustTestAuthority()
      $0.tls.clientCertificate = certificate
    }
    for identity in identities {
      try folder.write("client.pem", identity.chainPEM())
      // Between the two files, the old pair is still used.
      if identity !== identities[0] { #expect(try await transport.probe(probe).status == 200) }
      try folder.write("client.key", identity.privateKeyPEM())
      try transport.checkFiles(of: probe)
      #expect(try await transport.probe(probe).status == 200)
    }
    let (first, second) = (identities[0].chain[0].fingerprint, identities[1].chain[0].fingerprint)
    #expect(shown.withLock(\.self) == [first, first, second])
  }

  @Test func anUnusableFileIsReportedAndTheOldContentsStayInUse() async throws {
    let server = try LoopbackServer.http(tls: Identities.shared.context(.init(hosts: ["localhost"]))) { _ in
      .response()
    }
    let folder = try TemporaryFolder(["ca.pem": String(decoding: Identities.shared.pem, as: UTF8.self)])
    let path = folder.path(of: "ca.pem")
    let transport = Client.current.newTransport
    let probe = try request(server.secureURL) { $0.tls.additionalAuthorities = path }
    #expect(try await transport.probe(probe).status == 200)
    try folder.write("ca.pem", "-----BEGIN CERT")
    for _ in 1...2 {
      let mistake = #expect(throws: InvalidInput.self) { try transport.checkFiles(of: probe) }
      #expect(mistake?.message == "\(path): the file holds no certificate in PEM form")
      #expect(try await transport.probe(probe).status == 200)
    }
    // A transport that never read it has nothing to fall back on.
    let failure = await #expect(throws: ProbeFailure.self) {
      try await Client.current.newTransport.probe(probe)
    }
    #expect(failure?.reason == .invalidRequest)
  }

  @Test func anUnchangedFileIsReadOnce() throws {
    let file = try TemporaryFile(String(decoding: Identities.shared.pem, as: UTF8.self))
    let authorities = Authorities()
    var options = TLSRequestOptions()
    for path in [nil, file.path] {
      options.additionalAuthorities = path
      let store = try authorities.store(for: options, isInUse: true)
      for isInUse in [true, false] {
        #expect(try authorities.store(for: options, isInUse: isInUse) === store)
      }
    }
    let reads = Guarded(0)
    let cache = FileCache<Int, Int>()
    for key in [1, 2, 1, 2] {
      let value = cache.value(for: key, of: [file.path], isInUse: false) {
        reads.withLock { $0 += 1 }
        return key
      }
      #expect(value == key)
    }
    #expect(reads.withLock(\.self) == 2)
  }
}
