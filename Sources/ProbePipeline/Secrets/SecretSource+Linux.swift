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
    func unreadable(_ words: String) -> InvalidInput {
      InvalidInput("the file \(Excerpt(path, limit: 200)) cannot be read: \(words)")
    }
    // A path with a NUL would be opened under its first part.
    guard !path.utf8.contains(0), !path.isEmpty else { throw unreadable("the path cannot be used") }
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard file >= 0 else { throw unreadable(errorWords()) }
    defer { close(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4096)
    while bytes.count <= maximumBytes {
      let count = unsafe read(file, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw unreadable(errorWords()) }
      if count == 0 { break }
      bytes += piece.prefix(count)
    }
    return bytes
  }

  private static func errorWords() -> String {
    unsafe String(cString: strerror(errno)).lowercased()
  }
}
