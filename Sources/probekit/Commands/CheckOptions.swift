import EngineProfiles
import ProbeCore
import ProbePipeline
import TCPTransport

/// What `probekit check` was told on its command line.
struct CheckOptions: Sendable {
  /// The profile that is asked when no URLs are given; nil for our own.
  var profile: EngineProfile?
  /// How many URLs were given by hand, those that cannot be read included.
  var givenURLs = 0
  /// The URLs given by hand, and those of standard input once it is read.
  var targets: [ProbeTarget] = []
  /// Whether URLs come from standard input too.
  var readsInput = false
  /// What an answer must satisfy, with the option that asked for it; empty for any 2xx status without a redirect.
  var validators: [(option: String, validator: any ResponseValidator)] = []
  /// How many of the URLs must be accepted.
  var threshold: Threshold?
  /// Whether unencrypted URLs may be probed.
  var allowsHTTP = false
  /// How many probes run at a time.
  var concurrency = RunLimits().concurrency
  /// How many of them may go to one host.
  var perHost = RunLimits().perHost
  /// The content to send, in parts; files are read before anything is probed.
  var data: [RequestData] = []
  /// A file with a dialog for tcp URLs; read before anything is probed.
  var dialogFile: String?
  /// What all commands that probe can be told.
  var probing = ProbingOptions()

  /// Whether URLs were given, in whatever way.
  var hasURLs: Bool { givenURLs > 0 }

  /// The pipeline of the URLs, which share one threshold and one judge.
  var pipeline: Pipeline {
    var set = ProbeSet("urls", threshold: threshold ?? .all, targets: targets)
    if !validators.isEmpty {
      set.judge = .validator(
        validators.count > 1 ? AllOf(validators.map(\.validator)) : validators[0].validator)
    }
    set.arguments["threshold"] = "--threshold"
    let ofHTTP = validators.first { $0.validator.judges.contains(.http) }
    set.arguments["validate"] = (ofHTTP ?? validators.first)?.option
    var pipeline = Pipeline("check", sets: [set])
    pipeline.policy = allowsHTTP ? .plaintextAllowed : .httpsOnly
    pipeline.limits = RunLimits(concurrency: concurrency, perHost: perHost)
    // Every URL that was given is asked.
    pipeline.stopsEarly = false
    return pipeline
  }

  /// Takes the content that requests send, as a form unless a header field says otherwise, with POST unless a method is
  /// given.
  mutating func use(_ content: [UInt8]) {
    let hasMethod = probing.given.contains("--request")
    probing.override("--data", late: true) { request, _ throws(InvalidInput) in
      guard request.url.scheme != .tcp else {
        throw InvalidInput(
          "content is sent to http and https URLs, and \(Excerpt(request.url.string, limit: 200)) is none",
          remedy: "use --dialog, or probe this URL on its own")
      }
      request.http.body = content
      if !hasMethod { request.http.method = "POST" }
      if request.http.headers["Content-Type"] == nil {
        request.http.headers.append(name: "Content-Type", value: "application/x-www-form-urlencoded")
      }
    }
  }

  /// Takes the dialog that tcp URLs are asked by.
  mutating func use(_ dialog: Dialog) {
    probing.override("--dialog") { request, _ throws(InvalidInput) in
      guard request.url.scheme == .tcp else {
        throw InvalidInput(
          "a dialog is for tcp URLs, and \(Excerpt(request.url.string, limit: 200)) is none",
          remedy: "omit the option, or probe this URL separately")
      }
      request[Dialog.self] = dialog
    }
  }
}
