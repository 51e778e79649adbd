import CommandKit
import EngineProfiles
import ProbeCore
import ProbePipeline
import ProbeSystem
import SourceDocuments
import Transports

/// The command-line options of `probekit check`.
struct CheckOptions: ProbingCommandOptions {
  /// The profile to use without URLs; nil for ProbeKit's own.
  var profile: EngineProfile?
  /// The number of URLs on the command line, including those that cannot be read.
  var givenURLs = 0
  /// The URLs on the command line and, after it has been read, those of standard input.
  var targets: [ProbeTarget] = []
  /// Whether to read URLs from standard input too.
  var readsInput = false
  /// The validators and the options that gave them; if empty, a 2xx status without a redirect is required.
  var validators: [(option: String, validator: any ResponseValidator)] = []
  /// The number of URLs that must be accepted.
  var threshold: Threshold?
  /// Whether unencrypted URLs may be probed.
  var allowsHTTP = false
  /// The maximum number of concurrent probes.
  var concurrency = RunLimits().concurrency
  /// The maximum number of concurrent probes to one host.
  var perHost = RunLimits().perHost
  /// The content to send, in parts; files are read before anything is probed.
  var data: [RequestData] = []
  /// A file with a dialog for tcp, tls and udp URLs; read before anything is probed.
  var dialogFile: String?
  /// The common options of commands that probe.
  var probing = ProbingOptions()

  /// Whether URLs were given, on the command line or on standard input.
  var hasURLs: Bool { givenURLs > 0 }

  /// Whether to ask for what else the network does: in details about the network of this machine.
  var includesConditions: Bool {
    probing.isVerbose && !hasURLs && (profile ?? .own).name == EngineProfile.own.name
      && probing.question != .services
  }

  /// The pipeline for the URLs, with one threshold and one set of validators.
  var pipeline: Pipeline {
    var set = ProbeSet("urls", threshold: threshold ?? .all, targets: targets)
    let question = areOfProfiles ? Question.internet : .services
    set.judge = judge(for: probing.question ?? question)
    set.arguments["threshold"] = "--threshold"
    let ofHTTP = validators.first { $0.validator.judges.contains(.http) }
    set.arguments["validate"] = (ofHTTP ?? validators.first)?.option
    var pipeline = Pipeline("check", sets: [set])
    pipeline.question = question
    pipeline.policy = allowsHTTP ? .plaintextAllowed : .httpsOnly
    pipeline.limits = RunLimits(concurrency: concurrency, perHost: perHost)
    // Probe every given URL.
    pipeline.stopsEarly = false
    return pipeline
  }

  /// The judge that combines all validators; nil for that of the pipeline, or the default.
  ///
  /// Without validators, redirects that are followed to a service count as its response, as with curl. For a question
  /// about the network they remain a sign of a portal.
  func judge(for question: Question) -> ProbeJudge? {
    guard let first = validators.first else {
      return probing.settings.request.redirects > 0 && question == .services
        ? .validator(SuccessfulStatus.ofLastResponse) : nil
    }
    return .validator(validators.count > 1 ? AllOf(validators.map(\.validator)) : first.validator)
  }

  /// Reads the files of the options.
  ///
  /// - Throws: `DialogFile.Unusable` or ``InvalidInput`` if one cannot be used.
  mutating func readFiles(in context: CommandContext) throws {
    if let dialogFile { use(try DialogFile.read(dialogFile)) }
    if !data.isEmpty { use(try RequestData.content(of: data, in: context)) }
  }

  /// Whether all URLs are endpoints of the built-in profiles, whose responses indicate Internet access.
  private var areOfProfiles: Bool { targets.allSatisfy { EngineProfile.probe($0.url) } }

  /// Sets the content of requests: as form data unless a header field specifies another type, and with POST
  /// unless a method is given.
  mutating func use(_ content: [UInt8]) {
    let type = "application/x-www-form-urlencoded"
    probing.settings.add(
      "--data", of: RequestKey.body.name, value: content.count.counted("byte")
    ) { request, _ throws(InvalidInput) in
      guard !request.url.scheme.missingParts.contains(.http) else {
        throw InvalidInput(
          "only http and https requests have content, and \(Excerpt(request.url.string, limit: 200)) is another URL",
          remedy: request.url.scheme.hasDialog
            ? "use --dialog, or probe this URL on its own" : "probe this URL on its own")
      }
      request.http.body = content
    }
    if !probing.settings.gives(RequestKey.method) {
      probing.settings.add("--data", of: RequestKey.method.name, value: "POST") { request, _ in
        request.http.method = "POST"
      }
    }
    probing.settings.add(
      "--data", of: RequestKey.headers.name, value: "{ Content-Type: \(type) }, if there is no other",
      isAddition: true
    ) { request, _ in
      guard request.http.headers["Content-Type"] == nil else { return }
      request.http.headers.append(name: "Content-Type", value: type)
    }
  }

  /// Sets the dialog for tcp, tls and udp URLs.
  mutating func use(_ dialog: Dialog) {
    probing.settings.add("--dialog", of: "dialog", value: dialog.steps.count.counted("step")) {
      request, context throws(InvalidInput) in
      guard request.url.scheme.hasDialog else {
        throw InvalidInput(
          "a dialog requires a tcp, tls or udp URL, and \(Excerpt(request.url.string, limit: 200)) is another URL",
          remedy: "omit the option, or probe this URL separately")
      }
      request[Dialog.self] = try dialog.readingSecrets(in: context, adding: &request.otherSecrets)
    }
  }
}

extension URLScheme {
  /// Whether probes of its URLs can have a dialog.
  var hasDialog: Bool { [.tcp, .tls, .udp].contains(self) }
}

extension CheckOptions {
  /// The errors in options that none of the given URLs uses: no transport of theirs has the request key.
  ///
  /// In a list of URLs with different schemes, an option applies to those that use it, as a request key at the top of a
  /// pipeline does.
  ///
  /// - Parameter transports: The transports.
  /// - Returns: The errors, in the order of the options in the help text.
  func unusedOptions(over transports: TransportRegistry) -> [InvalidInput] {
    let schemes = Set(targets.compactMap { ($0.parsedURL ?? (try? ProbeURL($0.url)))?.scheme })
    // The transport of an unknown scheme, of which another error is reported, may have any key.
    guard !schemes.isEmpty, schemes.allSatisfy({ transports[$0] != nil }) else { return [] }
    return probing.settings.unused(bySchemes: schemes, of: transports)
  }
}

/// A part of the content of requests, from one `--data` option.
enum RequestData: Hashable, Sendable {
  /// The text itself.
  case text(String)
  /// A file to read.
  case file(String)
  /// Standard input.
  case input

  /// Parses the argument as curl does: `@` precedes the name of a file, or `-` for standard input.
  init(_ argument: String) {
    switch argument {
    case "@-": self = .input
    case _ where argument.hasPrefix("@"): self = .file(String(argument.dropFirst()))
    default: self = .text(argument)
    }
  }

  /// The content of several parts, joined with `&`; as in curl, line ends and zero bytes in files are
  /// removed.
  ///
  /// - Throws: ``InvalidInput`` if a file or standard input cannot be read.
  static func content(of parts: [RequestData], in context: CommandContext) throws(InvalidInput) -> [UInt8] {
    var content: [UInt8] = []
    for (index, part) in parts.enumerated() {
      if index > 0 { content.append(UInt8(ascii: "&")) }
      switch part {
      case .text(let text): content += text.utf8
      case .file(let path):
        do throws(InvalidInput) {
          content += try withoutLineEnds(FileContents.read(path, limit: 16 << 20))
        } catch {
          throw InvalidInput("--data: \(Excerpt(path, limit: 200)): \(error.message)", remedy: error.remedy)
        }
      case .input: content += withoutLineEnds(try context.input.readAll())
      }
    }
    return content
  }

  private static func withoutLineEnds(_ bytes: [UInt8]) -> [UInt8] {
    bytes.filter { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") && $0 != 0 }
  }
}

/// A JSON or YAML file with the list of steps of a dialog.
struct DialogFile {
  /// The errors in a file, one per line; some have two further lines that show the location.
  struct Unusable: Error {
    var mistakes: [(line: String, caretLines: String?)]

    func report(in context: CommandContext) {
      for mistake in mistakes {
        context.report("--dialog: \(mistake.line)")
        for line in (mistake.caretLines ?? "").split(separator: "\n") {
          context.errors.writeLine("  \(line)")
        }
      }
    }
  }

  private static let form = #"write a list of steps, such as [{ "expect": "220 " }, { "send": "QUIT\r\n" }]"#

  /// Reads the dialog from a file.
  ///
  /// - Throws: ``Unusable`` if the file cannot be read or has errors.
  static func read(_ path: String) throws(Unusable) -> Dialog {
    func unusable(_ mistake: InvalidInput) -> Unusable {
      Unusable(mistakes: [("\(Excerpt(path, limit: 200)): \(mistake)", nil)])
    }
    let bytes: [UInt8]
    do {
      bytes = try FileContents.read(path)
    } catch {
      throw unusable(error)
    }
    guard !bytes.isEmpty else { throw unusable(InvalidInput("the file is empty", remedy: form)) }
    let findings = SourceFindings(SourceFile(path: path, bytes: bytes))
    let dialog = SourceDocument.read(findings).flatMap {
      SourceDecoding.value(Dialog.self, of: $0, field: "the dialog", findings)
    }
    if findings.isEmpty, let dialog { return dialog }
    throw Unusable(mistakes: findings.all.map { ($0.line, $0.safeCaretLines) })
  }
}

extension SourceFinding {
  /// The location and the error.
  fileprivate var line: String {
    var finding = self
    finding.caretLines = nil
    return finding.description
  }

  /// The line with a caret, unless it is a line to send, which may contain a secret.
  fileprivate var safeCaretLines: String? {
    message.hasPrefix("send") ? nil : caretLines.flatMap { $0.contains("send") ? nil : $0 }
  }
}
