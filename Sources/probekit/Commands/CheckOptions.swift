import EngineProfiles
import ProbeCore
import ProbePipeline
import TCPTransport

/// What `probekit check` was told on its command line.
struct CheckOptions: Sendable {
  /// A URL with the text its author wrote.
  struct Target: Sendable {
    var text: String
    var url: ProbeURL
  }

  /// The profile that is asked when no URLs are given; nil for our own.
  var profile: EngineProfile?
  /// What the network announces as its captive-portal API (RFC 8910), or nil for nothing.
  var announcedCapport: String?
  /// How many URLs were given by hand, those that cannot be read included.
  var givenURLs = 0
  /// The URLs given by hand.
  var targets: [Target] = []
  /// Whether URLs come from standard input too.
  var readsInput = false
  /// What an answer must satisfy, with the option that asked for it; empty for any 2xx status without a redirect.
  var validators: [(option: String, validator: any ResponseValidator)] = []
  /// Whether probes are carried out that the verdict does not need.
  var probesAll = false
  /// How many of the URLs must be accepted.
  var threshold: Threshold?
  /// Whether unencrypted URLs may be probed.
  var allowsHTTP = false
  /// How many probes run at a time.
  var concurrency = RunLimits().concurrency
  /// How many of them may go to one host.
  var perHost = RunLimits().perHost
  /// Whether to show what happened on the wire.
  var isVerbose = false
  /// PEM files of additional authorities; checked before anything is probed.
  var authorities: String?
  /// A file with a dialog for tcp URLs; read before anything is probed.
  var dialogFile: String?
  /// What stands in it.
  var dialog: Dialog?
  /// The secrets that requests need.
  var secrets: [NamedSecret] = []
  /// The proxy to go through.
  var proxy: ProbeProxy?
  /// The file of the client's certificate.
  var clientCertificate: String?
  /// The file of its key, when it is another one.
  var clientKey: String?
  private var adjustments: [@Sendable (inout ProbeRequest) -> Void] = []

  /// Notes a setting that holds for every request.
  mutating func adjustRequests(_ adjustment: @escaping @Sendable (inout ProbeRequest) -> Void) {
    adjustments.append(adjustment)
  }

  /// Gives a request everything the command line says of requests.
  func adjust(_ request: inout ProbeRequest) {
    for adjustment in adjustments { adjustment(&request) }
    if let authorities { request.tls.additionalAuthorities = authorities }
    if let proxy { request.proxy = proxy }
    if let clientCertificate {
      request.tls.clientCertificate = ClientCertificate(
        certificateFile: clientCertificate, keyFile: clientKey)
    }
    for secret in secrets { secret.apply(to: &request) }
  }

  /// A request for a URL with everything the command line says of requests.
  func request(for url: ProbeURL) -> ProbeRequest {
    var request = ProbeRequest(url)
    adjust(&request)
    // Nothing need be received to judge the connection.
    if let validator, validator.judgesContent { request.expectation = validator }
    if url.scheme == .tcp { request[Dialog.self] = dialog }
    return request
  }

  /// What is allowed on the wire for URLs given by hand.
  var policy: ProbePolicy { allowsHTTP ? .plaintextAllowed : .httpsOnly }

  /// Whether URLs were given, in whatever way.
  var hasURLs: Bool { givenURLs > 0 }

  /// The one validator for all URLs, or nil when none was asked for.
  var validator: (any ResponseValidator)? {
    validators.count > 1 ? AllOf(validators.map(\.validator)) : validators.first?.validator
  }
}
