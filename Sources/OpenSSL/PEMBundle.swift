internal import COpenSSL
internal import Files

/// The certificates of a PEM file, or of text in its form.
struct PEMBundle {
  /// The largest file that is read; the bundles of systems have about 230 KB.
  static let maximumBytes = 16 * 1024 * 1024

  /// The certificates in the order of the file; at least one.
  let certificates: [X509Reference]

  /// Reads a file.
  init(path: String) throws(TrustStoreError) {
    try self.init(Self.read(path), path: path)
  }

  /// Reads text that somebody has already.
  init(_ text: [UInt8]) throws(TrustStoreError) {
    guard text.count <= Self.maximumBytes else {
      throw TrustStoreError(
        .noCertificate, path: nil, reason: "the text is larger than \(Self.maximumBytes) bytes")
    }
    try self.init(text, path: nil)
  }

  private init(_ text: [UInt8], path: String?) throws(TrustStoreError) {
    defer { ErrorQueue.clear() }
    let whole = path == nil ? "text" : "file"
    guard let bio = try? MemoryBIO(text) else {
      throw TrustStoreError(.unusable, path: path, reason: "no memory to read it")
    }
    var certificates: [X509Reference] = []
    ErrorQueue.clear()
    while let pointer = unsafe PEM_read_bio_X509(bio.pointer, nil, nil, nil) {
      certificates.append(unsafe X509Reference(adopting: pointer))
    }
    // The end of the file shows as a missing start line; anything else is a certificate that is broken.
    let problem = ERR_peek_last_error()
    guard problem == 0 || Self.isEndOfFile(problem) else {
      throw TrustStoreError(
        .noCertificate, path: path,
        reason: "certificate \(certificates.count + 1) of the \(whole) is broken: \(ErrorQueue.text(problem))"
      )
    }
    guard !certificates.isEmpty else {
      throw TrustStoreError(
        .noCertificate, path: path, reason: "the \(whole) holds no certificate in PEM form")
    }
    self.certificates = certificates
  }

  private static func isEndOfFile(_ packed: UInt) -> Bool {
    (packed >> 23) & 0xFF == UInt(ERR_LIB_PEM) && packed & 0x7F_FFFF == UInt(PEM_R_NO_START_LINE)
  }

  /// The bytes of a file.
  static func read(_ path: String) throws(TrustStoreError) -> [UInt8] {
    let bytes: [UInt8]
    do throws(FileError) {
      // It is read more than once, which no pipe can be.
      bytes = try FileReading.bytes(of: path, limit: maximumBytes, .regularFiles)
    } catch {
      throw TrustStoreError(
        error.isShortageOfDescriptors ? .noDescriptors : .unreadableFile, path: path,
        reason: "cannot be read: \(error)")
    }
    guard bytes.count <= maximumBytes else {
      throw TrustStoreError(
        .unreadableFile, path: path, reason: "the file is larger than \(maximumBytes) bytes")
    }
    return bytes
  }
}
