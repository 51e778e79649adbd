internal import CProbeOpenSSL
internal import ProbeSystem

/// The certificates in a PEM file or text.
struct PEMBundle {
  /// The maximum file size; the bundles of systems have about 230 KB.
  static let maximumBytes = 16 * 1024 * 1024

  /// The certificates in the order of the file; at least one.
  let certificates: [X509Reference]

  /// Reads a file.
  init(path: String) throws(CertificateFileError) {
    try self.init(Self.read(path), path: path)
  }

  /// Parses text.
  init(_ text: [UInt8]) throws(CertificateFileError) {
    guard text.count <= Self.maximumBytes else {
      throw CertificateFileError(
        .noCertificate, path: nil, reason: "the text is larger than \(Self.maximumBytes) bytes")
    }
    try self.init(text, path: nil)
  }

  private init(_ text: [UInt8], path: String?) throws(CertificateFileError) {
    defer { ErrorQueue.clear() }
    let whole = path == nil ? "text" : "file"
    guard let bio = try? MemoryBIO(text) else {
      throw CertificateFileError(.unusable, path: path, reason: "no memory to read it")
    }
    var certificates: [X509Reference] = []
    ErrorQueue.clear()
    while let pointer = unsafe PEM_read_bio_X509(bio.pointer, nil, nil, nil) {
      certificates.append(unsafe X509Reference(adopting: pointer))
    }
    // The end of the file results in a missing start line; any other error is an invalid certificate.
    let problem = ERR_peek_last_error()
    guard problem == 0 || Self.isEndOfFile(problem) else {
      throw CertificateFileError(
        .noCertificate, path: path,
        reason: "certificate \(certificates.count + 1) of the \(whole) is broken: \(ErrorQueue.text(problem))"
      )
    }
    guard !certificates.isEmpty else {
      throw CertificateFileError(
        .noCertificate, path: path, reason: "the \(whole) holds no certificate in PEM form")
    }
    self.certificates = certificates
  }

  private static func isEndOfFile(_ packed: UInt) -> Bool {
    (packed >> 23) & 0xFF == UInt(ERR_LIB_PEM) && packed & 0x7F_FFFF == UInt(PEM_R_NO_START_LINE)
  }

  /// The bytes of a file.
  static func read(_ path: String) throws(CertificateFileError) -> [UInt8] {
    let bytes: [UInt8]
    do throws(FileError) {
      // It is read more than once, which is impossible for a pipe.
      bytes = try FileReading.bytes(of: path, limit: maximumBytes, .regularFiles)
    } catch {
      throw CertificateFileError(
        error.isShortageOfDescriptors ? .noDescriptors : .unreadableFile, path: path,
        reason: "cannot be read: \(error)")
    }
    guard bytes.count <= maximumBytes else {
      throw CertificateFileError(
        .unreadableFile, path: path, reason: "the file is larger than \(maximumBytes) bytes")
    }
    return bytes
  }
}

/// The reason why certificates, or a certificate and its key, are unusable.
package struct CertificateFileError: Error, Hashable, Sendable {
  /// The kind of failure; the set may grow.
  package struct Code: RawRepresentable, Hashable, Sendable {
    /// A short, bounded identifier, suitable as a metric label.
    package let rawValue: String

    /// A code with an identifier.
    package init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The machine has no bundle of authorities and no other file was given, or its bundle is unusable.
    package static let noSystemStore = Code(rawValue: "noSystemStore")
    /// A file cannot be read.
    package static let unreadableFile = Code(rawValue: "unreadableFile")
    /// A file or text contains no certificate, or an invalid one.
    package static let noCertificate = Code(rawValue: "noCertificate")
    /// A file contains no private key, or an invalid one.
    package static let noKey = Code(rawValue: "noKey")
    /// The key is encrypted, and the passphrase is missing or wrong.
    package static let wrongPassphrase = Code(rawValue: "wrongPassphrase")
    /// The key does not match the certificate.
    package static let wrongKey = Code(rawValue: "wrongKey")
    /// No file descriptor is available for reading a file.
    package static let noDescriptors = Code(rawValue: "noDescriptors")
    /// OpenSSL has no memory.
    package static let unusable = Code(rawValue: "unusable")
  }

  /// The kind of failure.
  package var code: Code
  /// The file, or nil if no single file is the cause.
  package var path: String?
  /// A description of the failure, without the path.
  package var reason: String

  /// A failure.
  package init(_ code: Code, path: String?, reason: String) {
    self.code = code
    self.path = path
    self.reason = reason
  }
}

extension CertificateFileError: CustomStringConvertible {
  /// Path and reason on one line.
  package var description: String { path.map { "\($0): \(reason)" } ?? reason }
}
