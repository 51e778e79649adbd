internal import ProbeBase

/// The context that request settings need: how to read secrets, and the folder that relative paths start
/// from.
public struct RequestContext: Sendable, Changeable {
  private var folder: String
  /// The other folders whose files may be sent as secrets; nil for any file.
  private var secretFolders: [String]? = []
  /// Runs the programs that a pipeline file names; nil if they are not allowed.
  package private(set) var programs: (any ProgramHost)?
  private var read: @Sendable (SecretSource) throws(InvalidInput) -> Secret
  private var note: (@Sendable (Secret) -> Void)?

  /// Creates a context.
  ///
  /// - Parameters:
  ///   - folder: The folder that relative paths start from; empty for the current directory.
  ///   - read: Reads a secret from its source; the path of a file is already resolved.
  public init(
    folder: String = "", secrets read: @escaping @Sendable (SecretSource) throws(InvalidInput) -> Secret
  ) {
    self.folder = folder
    self.read = read
  }

  /// A context without secrets, for validation only: each secret from the environment or a file has a
  /// placeholder value.
  public static let withoutSecrets = RequestContext { source throws(InvalidInput) in
    try source.secret(
      environment: { _ in "unread" }, contents: { _ throws(InvalidInput) in Array("unread".utf8) })
  }

  /// This context with another folder for relative paths.
  package func inFolder(_ folder: String) -> RequestContext { with(\.folder, folder) }

  /// This context with permission to run the programs that a pipeline file names.
  package func allowingPrograms(_ host: any ProgramHost) -> RequestContext { with(\.programs, host) }

  /// The context for programs of the pipeline; nil if they are not allowed.
  package var programContext: ProgramContext? {
    programs.map { ProgramContext($0, folder: folder) }
  }

  /// This context with folders whose files may be sent as secrets, in addition to those of its own folder; see
  /// ``confinedSecret(_:)``.
  package func allowingSecrets(in folders: [String]) -> RequestContext {
    with(\.secretFolders, secretFolders.map { $0 + folders })
  }

  /// This context for what the user of a command line names: relative paths start at the current directory, and any
  /// file may be sent.
  var ofCommandLine: RequestContext { inFolder("").with(\.secretFolders, nil) }

  /// This context with a cache, so that each secret is read only once for all requests.
  package func rememberingSecrets() -> RequestContext {
    let memory = SecretMemory(read)
    var context = self
    context.read = { source throws(InvalidInput) in try memory.secret(source) }
    return context
  }

  /// This context, which notes each secret that it reads.
  func noting(_ note: @escaping @Sendable (Secret) -> Void) -> RequestContext { with(\.note, note) }

  /// Resolves a path against the context's folder.
  public func path(_ path: String) -> String {
    path.hasPrefix("/") || folder.isEmpty ? path : "\(folder)/\(path)"
  }

  /// Reads a secret, such as a password; reports redact it.
  ///
  /// - Throws: ``InvalidInput`` naming the source, never its contents.
  public func secret(_ source: SecretSource) throws(InvalidInput) -> Secret {
    try noted(source.path.map { .file(path($0)) } ?? source)
  }

  private func noted(_ source: SecretSource) throws(InvalidInput) -> Secret {
    let secret = try read(source)
    note?(secret)
    return secret
  }

  /// Reads a secret that is sent as a part of a request, such as a header field or a body; reports redact it.
  ///
  /// Its file must be below the context's folder or one of the allowed folders, so that a pipeline from
  /// someone else cannot send any other file. Keys that name credentials use ``secret(_:)``.
  ///
  /// - Throws: ``InvalidInput`` naming the source, never its contents.
  public func confinedSecret(_ source: SecretSource) throws(InvalidInput) -> Secret {
    guard let path = source.path, let secretFolders else { return try secret(source) }
    return try noted(.file(self.path(path), in: [folder.isEmpty ? "." : folder] + secretFolders))
  }
}

/// A cache of secrets, and of the errors for those that could not be read.
private final class SecretMemory: Sendable {
  private let known = Guarded<[SecretSource: Result<Secret, InvalidInput>]>([:])
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
