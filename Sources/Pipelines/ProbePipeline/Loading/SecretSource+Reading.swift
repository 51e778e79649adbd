internal import ProbeSystem
internal import Glibc
public import ProbeCore

extension SecretSource {
  /// Reads the secret from this process's environment or from a file.
  ///
  /// - Throws: `InvalidInput` naming the source, never its contents.
  public func secret() throws(InvalidInput) -> Secret {
    try secret(environment: { unsafe getenv($0).map { unsafe String(cString: $0) } }, contents: contents)
  }

  /// Reads the secret from the given environment or from a file.
  ///
  /// - Throws: `InvalidInput` naming the source, never its contents.
  public func secret(environment: [String: String]) throws(InvalidInput) -> Secret {
    try secret(environment: { environment[$0] }, contents: contents)
  }

  /// The bytes of a file, up to one more than the limit, which is enough to detect that it is too large.
  private func contents(_ path: String) throws(InvalidInput) -> [UInt8] {
    do throws(FileError) {
      guard let folders else {
        // Accept a pipe, because secret managers may provide one.
        return try FileReading.bytes(of: path, limit: Self.maximumBytes, .anything)
      }
      if let bytes = try FileReading.bytes(of: path, in: folders, limit: Self.maximumBytes) { return bytes }
      throw FileError(
        "it is outside of the pipeline's folder; move it there, or allow its folder with --secrets")
    } catch {
      throw InvalidInput("the file \(Excerpt(path, limit: 200)) cannot be read: \("\(error)".lowercased())")
    }
  }
}
