internal import CProbeOpenSSL
internal import ProbeFiles

/// The certificates of a PEM file, or of text in its form.
struct PEMBundle {
  /// The largest file that is read; the bundles of systems have about 230 KB.
  static let maximumBytes = 16 * 1024 * 1024

  /// The certificates in the order of the file; at least one.
  let certificates: [X509Reference]

  /// Reads a file.
  init(path: String) throws(CertificateFileError) {
    try self.init(Self.read(path), path: path)
  }

  /// Reads text that somebody has already.
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
    // The end of the file shows as a missing start line; anything else is a certificate that is broken.
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
      // It is read more than once, which no pipe can be.
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

/// Why certificates, or a certificate and its key, cannot be used.
package struct CertificateFileError: Error, Hashable, Sendable {
  /// The kind of failure; the set may grow.
  package struct Code: RawRepresentable, Hashable, Sendable {
    /// A short, bounded word, fit for a metric label.
    package let rawValue: String

    /// A code from its word.
    package init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The machine has no bundle of authorities and no other file was named, or its bundle cannot be used.
    package static let noSystemStore = Code(rawValue: "noSystemStore")
    /// A file cannot be read.
    package static let unreadableFile = Code(rawValue: "unreadableFile")
    /// A file or text holds no certificate, or one that is broken.
    package static let noCertificate = Code(rawValue: "noCertificate")
    /// A file holds no private key, or one that is broken.
    package static let noKey = Code(rawValue: "noKey")
    /// The key is encrypted, and the passphrase is missing or wrong.
    package static let wrongPassphrase = Code(rawValue: "wrongPassphrase")
    /// The key is not that of the certificate.
    package static let wrongKey = Code(rawValue: "wrongKey")
    /// This process has no file descriptor left to read a file.
    package static let noDescriptors = Code(rawValue: "noDescriptors")
    /// OpenSSL has no memory.
    package static let unusable = Code(rawValue: "unusable")
  }

  /// The kind of failure.
  package var code: Code
  /// The file, or nil when no single file is the cause.
  package var path: String?
  /// What is wrong, in words, without the path.
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
