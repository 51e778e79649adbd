internal import ProbeFiles
internal import Glibc
public import ProbeCore

extension SecretSource {
  /// The secret, from this process's environment or a file.
  ///
  /// - Throws: `InvalidInput` naming the source, never what it holds.
  public func secret() throws(InvalidInput) -> Secret {
    try secret(environment: { unsafe getenv($0).map { unsafe String(cString: $0) } }, contents: Self.contents)
  }

  /// The secret, from the environment given or a file.
  ///
  /// - Throws: `InvalidInput` naming the source, never what it holds.
  public func secret(environment: [String: String]) throws(InvalidInput) -> Secret {
    try secret(environment: { environment[$0] }, contents: Self.contents)
  }

  /// The bytes of a file, one more than a secret may have at most: enough to tell that it is too large.
  private static func contents(_ path: String) throws(InvalidInput) -> [UInt8] {
    do throws(FileError) {
      // A pipe is what a manager of secrets may hand over.
      return try FileReading.bytes(of: path, limit: maximumBytes, .anything)
    } catch {
      throw InvalidInput("the file \(Excerpt(path, limit: 200)) cannot be read: \("\(error)".lowercased())")
    }
  }
}
