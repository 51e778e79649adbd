internal import Synchronization

/// What settings of requests need of their surroundings: the secrets that a pipeline names, and where its paths start.
public struct RequestContext: Sendable {
  private let folder: String
  private let read: @Sendable (SecretSource) throws(InvalidInput) -> Secret

  /// A context.
  ///
  /// - Parameters:
  ///   - folder: Where relative paths start; empty for where the program runs.
  ///   - read: Reads a secret from where it comes from; the path of a file is complete.
  public init(
    folder: String = "", secrets read: @escaping @Sendable (SecretSource) throws(InvalidInput) -> Secret
  ) {
    self.folder = folder
    self.read = read
  }

  /// A context without secrets, for finding mistakes: in place of each secret that stands elsewhere there is a word.
  public static let withoutSecrets = RequestContext { source throws(InvalidInput) in
    try source.secret(
      environment: { _ in "unread" }, contents: { _ throws(InvalidInput) in Array("unread".utf8) })
  }

  /// This context with paths that start in a folder.
  public func inFolder(_ folder: String) -> RequestContext {
    RequestContext(folder: folder, secrets: read)
  }

  /// This context with each secret read once, however many requests need it.
  package func rememberingSecrets() -> RequestContext {
    let memory = SecretMemory(read)
    return RequestContext(folder: folder) { source throws(InvalidInput) in try memory.secret(source) }
  }

  /// A path as the program can use it.
  public func path(_ path: String) -> String {
    path.hasPrefix("/") || folder.isEmpty ? path : "\(folder)/\(path)"
  }

  /// A secret.
  ///
  /// - Throws: ``InvalidInput`` naming the source, never what it holds.
  public func secret(_ source: SecretSource) throws(InvalidInput) -> Secret {
    guard let path = source.path else { return try read(source) }
    return try read(.file(self.path(path)))
  }
}

/// The secrets that were read, and why others could not be.
private final class SecretMemory: Sendable {
  private let known = Mutex<[SecretSource: Result<Secret, InvalidInput>]>([:])
  private let read: @Sendable (SecretSource) throws(InvalidInput) -> Secret

  init(_ read: @escaping @Sendable (SecretSource) throws(InvalidInput) -> Secret) {
    self.read = read
  }

  func secret(_ source: SecretSource) throws(InvalidInput) -> Secret {
    try known.withLock { known in
      let result = known[source] ?? Result { () throws(InvalidInput) in try read(source) }
      known[source] = result
      return result
    }.get()
  }
}
