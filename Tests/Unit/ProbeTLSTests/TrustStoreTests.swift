import Foundation
import Glibc
import ProbeTLS
import TestClients
import Testing
import TestRequirements
import TestSupport

@Suite struct TrustStoreTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func authorityFile(_ name: String = "ca.pem") throws -> String {
    try folder.write(name, CertificateAuthority().pem)
  }

  @Test func filesAreRead() throws {
    let first = try authorityFile()
    let text = try CertificateAuthority().pem
    let second = try folder.write("two.pem", "a comment\n\(text)\nmore\n\(try CertificateAuthority().pem)")
    #expect(try TrustStore(files: [first]).count == 1)
    #expect(try TrustStore(files: [first, second]).count == 3)
    #expect(try TrustStore(files: []).count == 0)
  }

  @Test func textIsReadLikeAFile() throws {
    let text = try "a comment\n\(CertificateAuthority().pem)\n\(CertificateAuthority().pem)"
    #expect(try TrustStore(pem: Array(text.utf8)).count == 2)
    let broken = text.replacing("-----END", with: "AAAA-----END")
    for (text, reason) in [
      ("", "the text holds no certificate in PEM form"),
      (broken, "certificate 1 of the text is broken: bad end line"),
    ] {
      let error = #expect(throws: CertificateFileError.self) { try TrustStore(pem: Array(text.utf8)) }
      #expect(error?.code == .noCertificate)
      #expect(error?.path == nil)
      #expect(error?.description == reason)
    }
    let large = [UInt8](repeating: 0x20, count: 16 * 1024 * 1024 + 1)
    let error = #expect(throws: CertificateFileError.self) { try TrustStore(pem: large) }
    #expect(error?.description == "the text is larger than 16777216 bytes")
  }

  @Test func theFirstUsableBundleIsTheSystemStore() throws {
    let empty = try folder.write("empty.pem", "")
    let bundles = [folder.path(of: "missing"), empty, try authorityFile("a.pem"), folder.path(of: "b.pem")]
    #expect(try TrustStore.system(bundles: bundles).count == 1)
    #expect(try TrustStore.system(additional: [authorityFile("own.pem")], bundles: bundles).count == 2)
  }

  /// A bundle with content may be incomplete: a missing part is not ignored.
  @Test func anUnusableBundleIsReported() throws {
    let cut = try folder.write("cut.pem", "-----BEGIN CERTIFICATE-----\nMAA=\n")
    let error = #expect(throws: CertificateFileError.self) {
      try TrustStore.system(
        additional: [authorityFile("own.pem")],
        bundles: [folder.path(of: "missing"), cut, authorityFile("other.pem")])
    }
    #expect(error?.code == .noSystemStore)
    #expect(error?.description == "\(cut): certificate 1 of the file is broken: bad end line")
  }

  /// As on a machine whose owner has deselected every authority.
  @Test func anEmptyBundleTrustsNoCertificate() throws {
    let bundles = [try folder.write("empty.pem", "")]
    #expect(try TrustStore.system(additional: [authorityFile("own.pem")], bundles: bundles).count == 1)
    let error = #expect(throws: CertificateFileError.self) { try TrustStore.system(bundles: bundles) }
    #expect(error?.code == .noSystemStore)
  }

  @Test func aMissingSystemStoreIsReported() throws {
    let bundles = [folder.path(of: "one"), folder.path(of: "two")]
    let error = #expect(throws: CertificateFileError.self) { try TrustStore.system(bundles: bundles) }
    #expect(error?.code == .noSystemStore)
    #expect(error?.path == nil)
    #expect(error?.reason.hasSuffix("looked for \(bundles[0]), \(bundles[1])") == true)
    // With an additional file, there is something to trust.
    #expect(try TrustStore.system(additional: [authorityFile()], bundles: bundles).count == 1)
  }

  @Test func theSystemStoreOfThisMachineIsRead() throws {
    guard TrustStore.systemBundles.contains(where: FileManager.default.fileExists) else {
      try skipTest("there is none of the usual bundles")
    }
    #expect(try TrustStore.system().count > 10)
  }

  @Test func unreadableFilesAreReported() throws {
    // A sparse file.
    let large = try folder.write("large", "")
    try #require(unsafe truncate(large, 16_777_217) == 0)
    for (path, reason) in [
      (folder.path(of: "missing"), "cannot be read: No such file or directory"),
      (folder.path, "cannot be read: Is a directory"),
      ("/etc/hostname\0.pem", "cannot be read: the path cannot be used"),
      ("/dev/zero", "cannot be read: it is not a regular file"),
      (large, "the file is larger than 16777216 bytes"),
    ] {
      let error = #expect(throws: CertificateFileError.self) { try TrustStore.system(additional: [path]) }
      #expect(error?.code == .unreadableFile)
      #expect(error?.path == path)
      #expect(error?.reason == reason)
    }
  }

  @Test(arguments: [
    ("", "the file holds no certificate in PEM form"),
    ("just text\n", "the file holds no certificate in PEM form"),
    (
      "-----BEGIN PRIVATE KEY-----\nMAA=\n-----END PRIVATE KEY-----\n",
      "the file holds no certificate in PEM form"
    ),
    (
      "-----BEGIN CERTIFICATE-----\n!!!!\n-----END CERTIFICATE-----\n",
      "certificate 1 of the file is broken: bad base64 decode"
    ),
    ("-----BEGIN CERTIFICATE-----\nMAA=\n", "certificate 1 of the file is broken: bad end line"),
  ])
  func filesWithoutACertificateAreReported(text: String, reason: String) throws {
    let path = try folder.write("bad.pem", text)
    let error = #expect(throws: CertificateFileError.self) { try TrustStore(files: [path]) }
    #expect(error?.code == .noCertificate)
    #expect(error?.path == path)
    #expect(error?.reason == reason)
    #expect(error?.description == "\(path): \(reason)")
  }

  @Test func aBrokenCertificateAfterAGoodOneIsReported() throws {
    let good = try CertificateAuthority().pem
    let path = try folder.write("bad.pem", good + good.replacing("-----END", with: "AAAA-----END"))
    let error = #expect(throws: CertificateFileError.self) { try TrustStore(files: [path]) }
    #expect(error?.reason.hasPrefix("certificate 2 of the file is broken: ") == true)
  }

  @Test func anIntermediateInAFileIsTrusted() throws {
    let authority = try CertificateAuthority()
    var options = LeafOptions(hosts: ["a.example"])
    options.signer = .intermediate
    let identity = try authority.issue(options)
    let pem = try identity.chainPEM()
    let intermediate = try #require(pem.range(of: "-----BEGIN", options: .backwards))
    let path = try folder.write("intermediate.pem", String(pem[intermediate.lowerBound...]))
    let client = try MemoryClient(trust: TrustStore(files: [path]), options: .init(host: "a.example"))
    try client.handshake(with: TLSSession(ServerContext(identity)))
    #expect(client.observer.verification?.problem == nil)
  }
}
