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
  /// - Throws: ``InvalidInput`` when that cannot be written, `TLSError` when OpenSSL cannot write the key.
  init(_ authority: CertificateAuthority, at path: String?) throws {
    isTemporary = path == nil
    let text = authority.pem + (path == nil ? "" : try authority.privateKeyPEM())
    let descriptor: Int32
    if let path {
      self.path = path
      descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    } else {
      (self.path, descriptor) = Self.makeTemporary()
    }
    guard descriptor >= 0 else { throw Self.failure(self.path) }
    defer { close(descriptor) }
    // A file that was there already keeps its mode.
    guard fchmod(descriptor, 0o600) == 0 else { throw Self.failure(self.path) }
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let written = unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
      if written < 0, errno != EINTR { throw Self.failure(self.path) }
      bytes = bytes.dropFirst(max(0, written))
    }
  }

  /// Removes the file if it is a temporary one.
  func remove() {
    if isTemporary { unsafe unlink(path) }
  }

  private static func makeTemporary() -> (path: String, descriptor: Int32) {
    let given = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? ""
    let folder = given.isEmpty ? "/tmp" : given
    var template = Array("\(folder)/probekit-ca-XXXXXX.pem".utf8CString)
    let descriptor = unsafe mkstemps(&template, 4)
    if descriptor >= 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    return (String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self), descriptor)
  }

  private static func failure(_ path: String) -> InvalidInput {
    InvalidInput("\(path): cannot be written: \(unsafe String(cString: strerror(errno)))")
  }
}
