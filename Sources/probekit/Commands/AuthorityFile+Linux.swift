import Glibc
import ProbeOpenSSL
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
  /// - Parameters:
  ///   - authority: The authority.
  ///   - path: Where, or nil for a temporary file.
  ///   - folder: Where temporary files go, when somebody says so.
  /// - Throws: ``InvalidInput`` when that cannot be written, `TLSError` when OpenSSL cannot write the key.
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

  /// Removes the file if it is a temporary one.
  func remove() {
    if isTemporary { unsafe unlink(path) }
  }

  private static func temporaryPath(in folder: String) -> String {
    let name = String(UInt64.random(in: 0 ... .max), radix: 36)
    return "\(folder.isEmpty ? "/tmp" : folder)/probekit-ca-\(name).pem"
  }
}
