import Glibc
import ProbeTLS
import ProbeCore
import ProbeSystem

/// The file with a replay server's certificate authority, readable only by its owner.
struct AuthorityFile: Sendable {
  /// The path.
  let path: String
  private let isTemporary: Bool

  /// Writes the authority's certificate to a temporary file or, if a path is given, its certificate and key
  /// to that path.
  ///
  /// An existing file is replaced instead of overwritten, because other users may be able to read it or have
  /// it open.
  ///
  /// - Parameters:
  ///   - authority: The authority.
  ///   - path: The path, or nil for a temporary file.
  ///   - folder: The folder for temporary files, or nil for the default.
  /// - Throws: ``InvalidInput`` if the file cannot be written, `TLSError` if OpenSSL cannot write the key.
  init(_ authority: CertificateAuthority, at path: String?, temporaryFolder folder: String?) throws {
    isTemporary = path == nil
    self.path = path ?? Self.temporaryPath(in: folder ?? "")
    let key = try path.map { _ in try authority.privateKeyPEM() } ?? ""
    do throws(OutputSink.Failure) {
      let file = try ReportFile(self.path, isPrivate: true)
      file.sink.write(authority.pem + key)
      try file.commit()
    } catch {
      throw InvalidInput("\(self.path): cannot be written: \(error.message)")
    }
  }

  /// Removes the file if it is temporary.
  func remove() {
    if isTemporary { unsafe unlink(path) }
  }

  private static func temporaryPath(in folder: String) -> String {
    let name = String(UInt64.random(in: 0 ... .max), radix: 36)
    return "\(folder.isEmpty ? "/tmp" : folder)/probekit-ca-\(name).pem"
  }
}
