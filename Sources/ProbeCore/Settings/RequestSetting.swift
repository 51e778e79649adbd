/// What one key of `request` in a pipeline sets in a request.
public struct RequestSetting: Sendable {
  /// The key it was read from, or nil for one made in code.
  public var key: String?
  private let change: @Sendable (inout ProbeRequest, RequestContext) throws(InvalidInput) -> Void

  /// A setting.
  ///
  /// - Parameter change: Changes the request; throws what cannot be done in the context, such as reading a secret.
  public init(
    _ change: @escaping @Sendable (inout ProbeRequest, RequestContext) throws(InvalidInput) -> Void
  ) {
    self.change = change
  }

  /// Changes a request.
  ///
  /// - Throws: ``InvalidInput`` for what cannot be done in the context.
  public func apply(to request: inout ProbeRequest, in context: RequestContext) throws(InvalidInput) {
    try change(&request, context)
  }
}

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
