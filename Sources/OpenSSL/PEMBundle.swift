internal import COpenSSL

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
    ErrorQueue.clear()
    // A path with a NUL would be opened under its first part.
    guard !path.utf8.contains(0), let file = unsafe BIO_new_file(path, "rb") else {
      throw unreadable(path)
    }
    defer { unsafe BIO_free(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let size = Int32(chunk.count)
      let count = unsafe chunk.withUnsafeMutableBytes { unsafe BIO_read(file, $0.baseAddress, size) }
      guard count > 0 else { break }
      bytes += chunk.prefix(Int(count))
      guard bytes.count <= maximumBytes else {
        throw TrustStoreError(
          .unreadableFile, path: path, reason: "the file is larger than \(maximumBytes) bytes")
      }
    }
    guard ERR_peek_error() == 0 else { throw unreadable(path) }
    return bytes
  }

  private static func unreadable(_ path: String) -> TrustStoreError {
    let error = ErrorQueue.take()
    let reason = error.map(ErrorQueue.text) ?? "the path cannot be used"
    if let error, ErrorQueue.isShortageOfDescriptors(error) {
      return TrustStoreError(.noDescriptors, path: path, reason: "cannot be read: \(reason)")
    }
    return TrustStoreError(.unreadableFile, path: path, reason: "cannot be read: \(reason)")
  }
}
