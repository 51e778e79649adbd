import EngineProfiles
import ProbeCore
import ProbePipeline
import Transports
import CommandKit

/// The command-line options of `probekit check`.
struct CheckOptions: Sendable {
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
  /// The maximum number of redirects to follow.
  var redirects = 0
  /// Whether `--redirects` gave that number, which `--location` then does not change.
  var numbersRedirects = false
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
  var asksConditions: Bool {
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
      return redirects > 0 && question == .services ? .validator(SuccessfulStatus.ofLastResponse) : nil
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
    let hasMethod = probing.given.contains("--request")
    probing.override("--data", late: true) { request, _ throws(InvalidInput) in
      guard !request.url.scheme.missingParts.contains(.http) else {
        throw InvalidInput(
          "only http and https requests have content, and \(Excerpt(request.url.string, limit: 200)) is another URL",
          remedy: request.url.scheme.hasDialog
            ? "use --dialog, or probe this URL on its own" : "probe this URL on its own")
      }
      request.http.body = content
      if !hasMethod { request.http.method = "POST" }
      if request.http.headers["Content-Type"] == nil {
        request.http.headers.append(name: "Content-Type", value: "application/x-www-form-urlencoded")
      }
    }
  }

  /// Sets the dialog for tcp, tls and udp URLs.
  mutating func use(_ dialog: Dialog) {
    probing.override("--dialog") { request, context throws(InvalidInput) in
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
