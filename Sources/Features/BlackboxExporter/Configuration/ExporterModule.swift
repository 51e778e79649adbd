import ProbeCore
import ProbePatterns
import ProbeSystem

/// A module of blackbox.yml, which configures the probes of a target.
package struct ExporterModule: Hashable, Sendable {
  /// The probe of a module; indirect, because each run copies it.
  package indirect enum Probe: Hashable, Sendable {
    case http(HTTPModule)
    case tcp(TCPModule)
    case icmp(ICMPModule)
    case dns(DNSModule)
    /// A pipeline, which has its own URLs.
    case pipeline(ServedPipeline)
    /// A module that ProbeKit does not support, such as a gRPC one, with the reason.
    case unsupported(String)
  }

  package var name: String
  /// The name of its prober, such as `http`.
  package var prober: String
  /// The timeout of a probe; nil for the scrape timeout.
  package var timeout: Duration?
  package var probe: Probe
  /// The module as YAML, with `<secret>` instead of its secrets.
  package var text: String

  package init(name: String, prober: String, timeout: Duration? = nil, probe: Probe, text: String = "") {
    (self.name, self.prober, self.timeout, self.probe, self.text) = (name, prober, timeout, probe, text)
  }
}

extension ExporterModule {
  /// Whether it is a pipeline, which needs no target.
  var isPipeline: Bool {
    if case .pipeline = probe { true } else { false }
  }
}

/// The choice of an address of a name.
struct AddressChoice: Hashable, Sendable {
  var preferred = IPFamily.v6
  /// Whether to use the other family if there is no address of the preferred one.
  var fallsBack = true
}

/// A text of a module, which may be a secret, or the content of a file that is read for each probe.
enum ModuleText: Hashable, Sendable {
  case text(Secret)
  case file(String)
}

enum ModuleCredentials: Hashable, Sendable {
  case basic(user: ModuleText, password: ModuleText?)
  /// A scheme, such as `Bearer`, and the credentials after it.
  case authorization(scheme: String, credentials: ModuleText)
}

struct ModuleTLS: Hashable, Sendable {
  /// The only authorities to trust, as PEM; nil for those of the machine.
  var authorities: ModuleText?
  var clientCertificate: ClientCertificate?
  /// The name to request and to verify; nil for that of the target.
  var serverName: String?
  /// The versions, and whether a certificate that cannot be verified is only recorded.
  var checks = TLSChecks()
}

/// A module that probes HTTP servers: by default, a GET request that follows redirects.
package struct HTTPModule: Hashable, Sendable {
  /// A rule about a header field.
  struct HeaderRule: Hashable, Sendable {
    var header: String
    var pattern: GoPattern
    var allowsMissing = false
  }

  /// A header field whose value is a secret, whatever its name.
  struct SecretField: Hashable, Sendable {
    var name: String
    var value: ModuleText
  }

  /// The accepted status codes; if empty, 200 to 299.
  var statusCodes: [Int] = []
  /// The accepted versions, such as `HTTP/1.1`; if empty, any.
  var versions: [String] = []
  var addresses = AddressChoice()
  /// Whether the proxy resolves the name.
  var leavesLookupToProxy = false
  var followsRedirects = true
  var failsIfSSL = false
  var failsIfNotSSL = false
  var method = "GET"
  /// Header fields; `Host` replaces the host of the target.
  var headers: HeaderFields = [:]
  /// Header fields with secret values, which only the origin of the target receives; files are read for each probe.
  var secretHeaders: [SecretField] = []
  var body: ModuleText?
  /// The expected content coding: `gzip`, `deflate`, `br` or `identity`; nil leaves the body as received.
  var compression: String?
  /// The maximum size of the decoded body in bytes; a longer one fails the probe; nil for no limit.
  var bodySizeLimit: Int?
  var failsIfBodyMatches: [GoPattern] = []
  var failsIfBodyDoesNotMatch: [GoPattern] = []
  var failsIfHeaderMatches: [HeaderRule] = []
  var failsIfHeaderDoesNotMatch: [HeaderRule] = []
  var credentials: ModuleCredentials?
  var proxy: ProbeProxy?
  /// Hosts for which no proxy is used, in the format of the environment variable `NO_PROXY`.
  var noProxy: [String] = []
  var tls = ModuleTLS()
  var allowsHTTP2 = true
}

/// A module that connects over TCP.
package struct TCPModule: Hashable, Sendable {
  /// A step of a dialog; its properties are in the order of execution.
  struct Step: Hashable, Sendable {
    /// A label of `probe_expect_info`; its value may refer to groups of the expression.
    struct Label: Hashable, Sendable {
      var name: String
      var value = ""
    }

    /// The expression that a line must match.
    var expect: GoPattern?
    /// The exact bytes expected next.
    var expectBytes: [UInt8]?
    var labels: [Label] = []
    /// The bytes to send, followed by a line feed; may refer to groups of the expression; empty for nothing.
    var send: [UInt8] = []
    var startsTLS = false
  }

  var addresses = AddressChoice()
  var source: IPAddress?
  var steps: [Step] = []
  /// Whether the connection starts with TLS.
  var usesTLS = false
  var tls = ModuleTLS()
}

/// A module that sends an echo request.
package struct ICMPModule: Hashable, Sendable {
  var addresses = AddressChoice()
  var source: IPAddress?
  /// The request, by default with as many data bytes as that of blackbox_exporter.
  var ping = PingOptions(count: 1, size: 28)

  init() { ping.hopLimit = 64 }
}

/// A module that sends a DNS query to the target.
package struct DNSModule: Hashable, Sendable {
  /// Rules about the records of a section, as text.
  struct RecordRules: Hashable, Sendable {
    var failsIfMatches: [GoPattern] = []
    var failsIfAllMatch: [GoPattern] = []
    var failsIfNotMatches: [GoPattern] = []
    var failsIfNoneMatches: [GoPattern] = []
  }

  var addresses = AddressChoice()
  var source: IPAddress?
  /// Whether the query is sent inside TLS.
  var usesTLS = false
  var tls = ModuleTLS()
  /// How the query is sent.
  var query = DNSQueryOptions()
  /// The name, type and class of the query.
  var name = ""
  var type = "ANY"
  var recordClass = "IN"
  /// The accepted response codes.
  var responseCodes = ["NOERROR"]
  var answer = RecordRules()
  var authority = RecordRules()
  var additional = RecordRules()
}

extension ModuleText {
  /// The maximum size of a file in bytes.
  private static let maximum = 16 << 20

  /// The bytes of the text, or the current bytes of the file.
  ///
  /// - Throws: `InvalidInput` if the file cannot be read.
  func bytes() throws(InvalidInput) -> [UInt8] {
    switch self {
    case .text(let secret): secret.withText { Array($0.utf8) }
    case .file(let path): try Self.bytes(ofFile: path)
    }
  }

  /// The text as a secret; white space around the contents of a file is removed.
  ///
  /// - Throws: `InvalidInput` if the file cannot be read.
  func secret() throws(InvalidInput) -> Secret {
    if case .text(let secret) = self { return secret }
    let text = String(decoding: try bytes(), as: UTF8.self)
    return Secret(String(text.trimming(where: \.isWhitespace)))
  }

  /// The bytes of a file.
  ///
  /// - Throws: `InvalidInput` that names the file.
  static func bytes(ofFile path: String) throws(InvalidInput) -> [UInt8] {
    let bytes: [UInt8]
    do throws(FileError) { bytes = try FileReading.bytes(of: path, limit: maximum, .regularFiles) } catch {
      throw InvalidInput("\(Excerpt(path)) cannot be read: \(error)")
    }
    guard bytes.count <= maximum else { throw InvalidInput("\(Excerpt(path)) is larger than 16 MiB") }
    return bytes
  }
}

extension ModuleTLS {
  /// The options of a request.
  ///
  /// - Throws: `InvalidInput` if the file of authorities cannot be read.
  func options() throws(InvalidInput) -> TLSRequestOptions {
    var options = TLSRequestOptions()
    options.onlyAuthorities = try authorities?.bytes()
    options.clientCertificate = clientCertificate
    options.checks = checks
    options.checks.reportsVerifiedExpiry = true
    return options
  }
}
