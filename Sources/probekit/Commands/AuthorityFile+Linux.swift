import Glibc
import OpenSSL
import ProbeCore

/// The file with a replay server's certificate authority, readable by its owner alone.
struct AuthorityFile: Sendable {
  /// Where it is.
  let path: String
  private let isTemporary: Bool

  /// Writes the authority's certificate into a temporary file or, when a path is given, certificate and key there.
  ///
  /// A file that stood at the path is replaced and not written to: others may read it, or have it open.
  ///
  /// - Throws: ``InvalidInput`` when that cannot be written, `TLSError` when OpenSSL cannot write the key.
  init(_ authority: CertificateAuthority, at path: String?) throws {
    isTemporary = path == nil
    let key = try path.map { _ in try authority.privateKeyPEM() } ?? ""
    let made = path == nil ? Self.makeTemporary() : nil
    self.path = path ?? made?.path ?? ""
    do throws(OutputSink.Failure) {
      if let made {
        guard made.descriptor >= 0 else { throw .lastError }
        defer { close(made.descriptor) }
        try DescriptorOutput.write(Array(authority.pem.utf8), to: made.descriptor)
      } else {
        let file = try ReportFile(self.path, isPrivate: true)
        file.sink.write(authority.pem + key)
        try file.commit()
      }
    } catch {
      throw InvalidInput("\(self.path): cannot be written: \(error.message)")
    }
  }

  /// Removes the file if it is a temporary one.
  func remove() {
    if isTemporary { unsafe unlink(path) }
  }

  private static func makeTemporary() -> (path: String, descriptor: Int32) {
    let given = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? ""
    let folder = given.isEmpty ? "/tmp" : given
    // mkstemps(3) replaces the six letters.
    var template = Array("\(folder)/probekit-ca-XXXXXX.pem".utf8CString)
    let descriptor = unsafe mkstemps(&template, 4)
    if descriptor >= 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    return (String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self), descriptor)
  }
}
