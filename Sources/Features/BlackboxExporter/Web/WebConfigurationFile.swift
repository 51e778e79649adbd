package import ProbeServer
internal import ProbeCore
internal import ProbeSystem
internal import ProbeBase
package import ProbeTLS
package import SourceDocuments

/// A web configuration file of exporter-toolkit, and the service that it configures.
///
/// When it or a file that it names changes, it is reloaded for the next connection and the next request. If
/// the new contents are unusable, the previous configuration remains in effect. So it does if they lack a setting of the
/// previous ones or the end of their last line, because a file that is being written looks like that for a moment.
package final class WebConfigurationFile: Sendable {
  private struct State: Sendable {
    var configuration: WebConfiguration
    /// The signatures of the files as last read, usable or not.
    var signatures: [FileSignature?]
    /// The watched files: those of the last version read, and of the current configuration.
    var files: [String]
    /// Whether the last version read is in effect.
    var isUsable = true
  }

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

  /// Sets the handler of the findings of a changed file.
  package func onFindings(_ body: @escaping @Sendable ([SourceFinding]) -> Void) {
    report.withLock { $0 = body }
  }

  /// Configures a service; the rate limit precedes any existing admission check.
  package func apply(to options: inout HTTPServiceOptions) {
    options.tls = self
    let admission = options.admission
    options.admission = { [self] request in
      limiter.failure(refreshed().rateLimit) ?? admission(request)
    }
    options.authentication = BasicAuthentication { [self] in current.users }
    options.fields = { [self] in current.fields }
  }

  package var current: WebConfiguration { state.withLock { $0.configuration } }

  /// Whether the files were usable when they were read last; otherwise an earlier configuration is in effect.
  package var isUsable: Bool { state.withLock(\.isUsable) }

  /// The configuration, reloaded if files have changed.
  func refreshed() -> WebConfiguration {
    let (configuration, findings) = state.withLock { state in
      guard state.signatures != Self.signatures(of: state.files) else {
        return (state.configuration, [SourceFinding]())
      }
      var (read, files, signatures, findings) = Self.contents(of: path)
      if let changed = read, let problem = Self.problem(in: changed, after: state.configuration) {
        findings.append(SourceFinding(path: path, problem))
        read = nil
      }
      if let read { state.configuration = read }
      (state.files, state.signatures, state.isUsable) = (files, signatures, read != nil)
      return (state.configuration, findings)
    }
    if !findings.isEmpty { report.withLock { $0 }(findings) }
    return configuration
  }
}

extension WebConfigurationFile: ServiceTLS {
  /// The server with the certificate in the current files; nil without TLS, which a reload can turn on.
  package func server() -> ServerContext? { refreshed().tls }
}

extension WebConfigurationFile {
  /// Why a changed file does not take effect; nil if it does.
  private static func problem(in changed: WebConfiguration, after former: WebConfiguration) -> InvalidInput? {
    guard !former.settings.isEmpty, changed.text != former.text else { return nil }
    let lost = former.settings.filter { changed.settings[$0.key] == nil }
    guard lost.isEmpty else {
      // A key that is in none of the others.
      let outermost = lost.filter { name, _ in
        name.lastIndex(of: ".").map { lost[String(name[..<$0])] == nil } ?? true
      }
      return InvalidInput(
        "\(outermost.values.map(\.key).sorted().inclusion) cannot be removed while the server runs",
        remedy: "restore \(outermost.count == 1 ? "it" : "them"), or restart the server")
    }
    let shorter = former.settings.filter { name, setting in
      changed.settings[name].map { $0.lineEnds < setting.lineEnds } ?? false
    }
    guard shorter.isEmpty else {
      return InvalidInput(
        "\(shorter.values.map(\.key).sorted().inclusion) \(shorter.count == 1 ? "has" : "have") fewer lines than before, "
          + "as if the file were still being written",
        remedy: "write the value in as many lines, or restart the server")
    }
    guard changed.isEnded else {
      return InvalidInput(
        "the file does not end with a line end, as if it were still being written",
        remedy: "end its last line")
    }
    return nil
  }
}

extension [String] {
  /// The texts as a list in a sentence: `a, b and c`.
  fileprivate var inclusion: String {
    guard count > 1, let last else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " and \(last)"
  }
}

extension WebConfigurationFile {
  /// The configuration in a file, with the files it depends on and their signatures taken before reading.
  private static func contents(
    of path: String
  ) -> (WebConfiguration?, [String], [FileSignature?], [SourceFinding]) {
    // The files are known only after reading.
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
    let findings = SourceFindings(SourceFile(path: path, bytes: bytes))
    // exporter-toolkit accepts an empty file.
    var configuration: WebConfiguration? = WebConfiguration()
    if !isBlank(bytes) {
      configuration = SourceDocument.read(findings).flatMap {
        WebConfigurationFields.reader(folder: path.folderOfPath).document($0, called: "the file", findings)
      }
    }
    configuration?.text = bytes
    let files = [path] + (configuration?.files ?? [])
    return (findings.isEmpty ? configuration : nil, files, findings.all + findings.warnings)
  }

  /// Whether a file has nothing but white space and comments.
  private static func isBlank(_ bytes: [UInt8]) -> Bool {
    bytes.split(separator: UInt8(ascii: "\n")).allSatisfy { line in
      line.first { $0 > 0x20 }.map { $0 == UInt8(ascii: "#") } ?? true
    }
  }

  private static func signatures(of files: [String]) -> [FileSignature?] {
    files.map { FileSignature(of: $0) }
  }
}
