internal import ProbeSystem
package import ProbeCore
package import ProbePatterns

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
package struct AddressChoice: Hashable, Sendable {
  package var preferred = IPFamily.v6
  /// Whether to use the other family if there is no address of the preferred one.
  package var fallsBack = true

  /// IPv6, or else IPv4.
  package init() {}
}

/// A text of a module, which may be a secret, or the content of a file that is read for each probe.
package enum ModuleText: Hashable, Sendable {
  case text(Secret)
  case file(String)
}

package enum ModuleCredentials: Hashable, Sendable {
  case basic(user: ModuleText, password: ModuleText?)
  /// A scheme, such as `Bearer`, and the credentials after it.
  case authorization(scheme: String, credentials: ModuleText)
}

package struct ModuleTLS: Hashable, Sendable {
  /// The file with the only authorities to trust; nil for those of the machine.
  package var authorityFile: String?
  /// The only authorities to trust, as PEM.
  package var authorities: [UInt8]?
  /// The file with the client certificate.
  package var certificateFile: String?
  /// The file with the key of the client certificate.
  package var keyFile: String?
  /// The name to request and to verify; nil for that of the target.
  package var serverName: String?
  /// Whether a certificate that cannot be verified is only recorded.
  package var observes = false
  /// The minimum TLS version; nil for the default.
  package var minimumVersion: TLSVersion?
  /// The maximum TLS version; nil for the default.
  package var maximumVersion: TLSVersion?

  package init() {}
}

/// A module that probes HTTP servers.
package struct HTTPModule: Hashable, Sendable {
  /// A rule about a header field.
  package struct HeaderRule: Hashable, Sendable {
    package var header: String
    package var pattern: GoPattern
    package var allowsMissing: Bool

    package init(header: String, pattern: GoPattern, allowsMissing: Bool = false) {
      (self.header, self.pattern, self.allowsMissing) = (header, pattern, allowsMissing)
    }
  }

  /// A header field whose value is a secret, whatever its name.
  package struct SecretField: Hashable, Sendable {
    package var name: String
    package var value: ModuleText

    package init(name: String, value: ModuleText) { (self.name, self.value) = (name, value) }
  }

  /// The accepted status codes; if empty, 200 to 299.
  package var statusCodes: [Int] = []
  /// The accepted versions, such as `HTTP/1.1`; if empty, any.
  package var versions: [String] = []
  package var addresses = AddressChoice()
  /// Whether the proxy resolves the name.
  package var leavesLookupToProxy = false
  package var followsRedirects = true
  package var failsIfSSL = false
  package var failsIfNotSSL = false
  package var method = "GET"
  /// Header fields; `Host` replaces the host of the target.
  package var headers: HeaderFields = [:]
  /// Header fields with secret values, which only the origin of the target receives; files are read for each probe.
  package var secretHeaders: [SecretField] = []
  package var body: ModuleText?
  /// The expected content coding: `gzip`, `deflate`, `br` or `identity`; nil leaves the body as received.
  package var compression: String?
  /// The maximum size of the decoded body in bytes; a longer one fails the probe; nil for no limit.
  package var bodySizeLimit: Int?
  package var failsIfBodyMatches: [GoPattern] = []
  package var failsIfBodyDoesNotMatch: [GoPattern] = []
  package var failsIfHeaderMatches: [HeaderRule] = []
  package var failsIfHeaderDoesNotMatch: [HeaderRule] = []
  package var credentials: ModuleCredentials?
  package var proxy: ProbeProxy?
  /// Hosts for which no proxy is used, in the format of the environment variable `NO_PROXY`.
  package var noProxy: [String] = []
  package var tls = ModuleTLS()
  package var allowsHTTP2 = true

  /// A GET request that follows redirects.
  package init() {}
}

/// A module that connects over TCP.
package struct TCPModule: Hashable, Sendable {
  /// A step of a dialog; its properties are in the order of execution.
  package struct Step: Hashable, Sendable {
    /// A label of `probe_expect_info`; its value may refer to groups of the expression.
    package struct Label: Hashable, Sendable {
      package var name: String
      package var value: String

      package init(name: String, value: String) { (self.name, self.value) = (name, value) }
    }

    /// The expression that a line must match.
    package var expect: GoPattern?
    /// The exact bytes expected next.
    package var expectBytes: [UInt8]?
    package var labels: [Label] = []
    /// The bytes to send, followed by a line feed; may refer to groups of the expression; empty for nothing.
    package var send: [UInt8] = []
    package var startsTLS = false

    package init() {}
  }

  package var addresses = AddressChoice()
  package var source: IPAddress?
  package var steps: [Step] = []
  /// Whether the connection starts with TLS.
  package var usesTLS = false
  package var tls = ModuleTLS()

  package init() {}
}

/// A module that sends an echo request.
package struct ICMPModule: Hashable, Sendable {
  package var addresses = AddressChoice()
  package var source: IPAddress?
  /// The number of data bytes of the request, by default that of blackbox_exporter.
  package var payloadSize = 28
  /// Whether a request that is too large for the path fails instead of being fragmented.
  package var forbidsFragments = false
  package var timeToLive = 64

  package init() {}
}

/// A module that sends a DNS query to the target.
package struct DNSModule: Hashable, Sendable {
  /// Rules about the records of a section, as text.
  package struct RecordRules: Hashable, Sendable {
    package var failsIfMatches: [GoPattern] = []
    package var failsIfAllMatch: [GoPattern] = []
    package var failsIfNotMatches: [GoPattern] = []
    package var failsIfNoneMatches: [GoPattern] = []

    package init() {}
  }

  package var addresses = AddressChoice()
  package var source: IPAddress?
  /// Whether the query is sent inside TLS.
  package var usesTLS = false
  package var tls = ModuleTLS()
  /// Whether the query is sent over TCP.
  package var usesTCP = false
  /// The name, type and class of the query.
  package var name = ""
  package var type = "ANY"
  package var recordClass = "IN"
  package var desiresRecursion = true
  /// The accepted response codes.
  package var responseCodes = ["NOERROR"]
  package var answer = RecordRules()
  package var authority = RecordRules()
  package var additional = RecordRules()

  package init() {}
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
    if let authorityFile {
      options.onlyAuthorities = try ModuleText.bytes(ofFile: authorityFile)
    } else {
      options.onlyAuthorities = authorities
    }
    options.clientCertificate = certificateFile.map {
      ClientCertificate(certificateFile: $0, keyFile: keyFile)
    }
    options.checks.observesCertificates = observes
    options.checks.reportsVerifiedExpiry = true
    if let minimumVersion { options.checks.minimumVersion = minimumVersion }
    options.checks.maximumVersion = maximumVersion
    return options
  }
}
