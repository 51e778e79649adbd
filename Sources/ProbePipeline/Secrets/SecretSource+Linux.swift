internal import ProbeFiles
internal import Glibc
public import ProbeCore

extension SecretSource {
  /// Reads the secret from this process's environment or from a file.
  ///
  /// - Throws: `InvalidInput` naming the source, never its contents.
  public func secret() throws(InvalidInput) -> Secret {
    try secret(environment: { unsafe getenv($0).map { unsafe String(cString: $0) } }, contents: Self.contents)
  }

  /// Reads the secret from the given environment or from a file.
  ///
  /// - Throws: `InvalidInput` naming the source, never its contents.
  public func secret(environment: [String: String]) throws(InvalidInput) -> Secret {
    try secret(environment: { environment[$0] }, contents: Self.contents)
  }

  /// The bytes of a file, up to one more than the limit, which is enough to detect that it is too large.
  private static func contents(_ path: String) throws(InvalidInput) -> [UInt8] {
    do throws(FileError) {
      // Accept a pipe, because secret managers may provide one.
      return try FileReading.bytes(of: path, limit: maximumBytes, .anything)
    } catch {
      throw InvalidInput("the file \(Excerpt(path, limit: 200)) cannot be read: \("\(error)".lowercased())")
    }
  }
}
