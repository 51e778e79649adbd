import ProbeCore
import ProbeSystem

extension ModuleText {
  /// The maximum size of a file in bytes.
  private static let maximum = 16 << 20

  /// The bytes of the text, or the current bytes of the file.
  ///
  /// - Throws: `InvalidInput` if the file cannot be read.
  func bytes() throws(InvalidInput) -> [UInt8] {
    switch self {
    case .text(let secret): secret.withText { Array($0.utf8) }
    case .file(let path): try Self.bytes(ofFile: path)
    }
  }

  /// The text as a secret; white space around the contents of a file is removed.
  ///
  /// - Throws: `InvalidInput` if the file cannot be read.
  func secret() throws(InvalidInput) -> Secret {
    if case .text(let secret) = self { return secret }
    let text = String(decoding: try bytes(), as: UTF8.self)
    return Secret(String(text.trimming(where: \.isWhitespace)))
  }

  /// The bytes of a file.
  ///
  /// - Throws: `InvalidInput` that names the file.
  static func bytes(ofFile path: String) throws(InvalidInput) -> [UInt8] {
    let bytes: [UInt8]
    do throws(FileError) { bytes = try FileReading.bytes(of: path, limit: maximum, .regularFiles) } catch {
      throw InvalidInput("\(Excerpt(path)) cannot be read: \(error)")
    }
    guard bytes.count <= maximum else { throw InvalidInput("\(Excerpt(path)) is larger than 16 MiB") }
    return bytes
  }
}

extension ModuleTLS {
  /// The options of a request.
  ///
  /// - Throws: `InvalidInput` if the file of authorities cannot be read.
  func options() throws(InvalidInput) -> TLSRequestOptions {
    var options = TLSRequestOptions()
    if let authorityFile {
      options.onlyAuthorities = try ModuleText.bytes(ofFile: authorityFile)
    } else {
      options.onlyAuthorities = authorities
    }
    options.clientCertificate = certificateFile.map {
      ClientCertificate(certificateFile: $0, keyFile: keyFile)
    }
    options.checks.observesCertificates = observes
    options.checks.reportsVerifiedExpiry = true
    if let minimumVersion { options.checks.minimumVersion = minimumVersion }
    options.checks.maximumVersion = maximumVersion
    return options
  }
}
