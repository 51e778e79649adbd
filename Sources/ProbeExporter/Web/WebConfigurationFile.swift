package import HTTPService
internal import ProbeCore
internal import ProbeFiles
internal import ProbeLocking
package import ProbeOpenSSL
package import SourceDocuments

/// A web configuration file of exporter-toolkit, and the service that it configures.
///
/// It is read anew when it changes, or one of the files that it names does, for the next connection and the next
/// request. If it cannot be used then, the former configuration remains in force.
package final class WebConfigurationFile: Sendable {
  private struct State: Sendable {
    var configuration: WebConfiguration
    /// The signatures of the files as last read, whether they could be used or not.
    var signatures: [FileSignature?]
    /// The files whose changes matter: those of the last file, and of the one in force.
    var files: [String]
  }

  /// The path of the file.
  package let path: String
  /// Receives the findings of a changed file: once for each change, on any thread.
  private let report: Guarded<@Sendable ([SourceFinding]) -> Void>
  private let state: Guarded<State>
  private let limiter = RateLimiter()

  private init(path: String, _ state: State) {
    self.path = path
    report = Guarded({ _ in })
    self.state = Guarded(state)
  }

  /// Reads a file.
  ///
  /// - Parameter path: Its path; relative paths in the file are relative to its folder.
  /// - Returns: The configuration, or nil if there are errors; and all findings.
  package static func read(path: String) -> (WebConfigurationFile?, [SourceFinding]) {
    let (configuration, files, signatures, findings) = contents(of: path)
    guard let configuration else { return (nil, findings) }
    let state = State(configuration: configuration, signatures: signatures, files: files)
    return (WebConfigurationFile(path: path, state), findings)
  }

  /// Sets what receives the findings of a changed file.
  package func onFindings(_ body: @escaping @Sendable ([SourceFinding]) -> Void) {
    report.withLock { $0 = body }
  }

  /// Configures a service; an admission that it already has comes after the limit of the rate.
  package func apply(to options: inout HTTPServiceOptions) {
    if current.tls != nil { options.tls = self }
    let admission = options.admission
    options.admission = { [self] request in
      limiter.fault(refreshed().rateLimit) ?? admission(request)
    }
    options.authentication = BasicAuthentication { [self] in current.users }
    options.fields = { [self] in current.fields }
  }

  /// The configuration in force.
  package var current: WebConfiguration { state.withLock { $0.configuration } }

  /// The configuration after changes of the files.
  func refreshed() -> WebConfiguration {
    let (configuration, findings) = state.withLock { state in
      guard state.signatures != Self.signatures(of: state.files) else {
        return (state.configuration, [SourceFinding]())
      }
      let former = state.configuration
      var (read, files, signatures, findings) = Self.contents(of: path)
      if let changed = read, (changed.tls == nil) != (former.tls == nil) {
        findings.append(
          SourceFinding(
            path: path, message: "TLS cannot be turned on or off while the server runs",
            remedy: "restart it; until then the former configuration is in force"))
        read = nil
      }
      if let read { state.configuration = read }
      (state.files, state.signatures) = (files, signatures)
      return (state.configuration, findings)
    }
    if !findings.isEmpty { report.withLock { $0 }(findings) }
    return configuration
  }
}

extension WebConfigurationFile: ServiceTLS {
  /// The server with the certificate of the files as they are now.
  package func server() -> ServerContext {
    guard let server = refreshed().tls else { preconditionFailure("TLS is never turned off") }
    return server
  }
}

extension WebConfigurationFile {
  /// The configuration in a file, with the files that matter and their signatures from before they were read.
  private static func contents(
    of path: String
  ) -> (WebConfiguration?, [String], [FileSignature?], [SourceFinding]) {
    // Which files matter is known only after reading.
    var files = [path]
    while true {
      let signatures = signatures(of: files)
      let (configuration, named, findings) = parse(path)
      guard named != files else { return (configuration, files, signatures, findings) }
      files = named
    }
  }

  private static func parse(_ path: String) -> (WebConfiguration?, files: [String], [SourceFinding]) {
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try FileReading.bytes(of: path, limit: SourceDocument.Limits().bytes, .regularFiles)
    } catch {
      return (nil, [path], [SourceFinding(path: path, message: "cannot be read: \(error)")])
    }
    // An empty file is allowed upstream.
    guard !bytes.allSatisfy({ $0 <= 0x20 }) else { return (WebConfiguration(), [path], []) }
    let findings = SourceFindings(SourceFile(path: path, bytes: bytes))
    let configuration = SourceDocument.read(findings).flatMap {
      WebConfigurationFields.reader(folder: folder(of: path)).document($0, called: "the file", findings)
    }
    let files = [path] + (configuration?.files ?? [])
    return (findings.isEmpty ? configuration : nil, files, findings.all + findings.warnings)
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func signatures(of files: [String]) -> [FileSignature?] {
    files.map { FileSignature(of: $0) }
  }
}
