package import ProbeCore

/// A module of blackbox.yml: how to probe a target.
package struct ExporterModule: Hashable, Sendable {
  /// What a module does; indirect, since each probe copies it.
  package indirect enum Probe: Hashable, Sendable {
    case http(HTTPModule)
    case tcp(TCPModule)
    case icmp(ICMPModule)
    case dns(DNSModule)
    /// A pipeline, which has URLs of its own.
    case pipeline(ServedPipeline)
    /// A module that ProbeKit cannot run, with the reason, such as a gRPC one.
    case unsupported(String)
  }

  /// Its name.
  package var name: String
  /// The name of its prober, such as `http`.
  package var prober: String
  /// The timeout of a probe; nil for that of the scrape.
  package var timeout: Duration?
  /// What it does.
  package var probe: Probe
  /// The module as YAML, with `<secret>` in place of its secrets.
  package var text: String

  /// Creates a module.
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

/// Which addresses of a name a module uses.
package struct AddressChoice: Hashable, Sendable {
  /// The address family to prefer.
  package var preferred = IPFamily.v6
  /// Whether to use the other family if there is no address of the preferred one.
  package var fallsBack = true

  /// IPv6, or else IPv4.
  package init() {}
}

/// A text of a module that may be a secret, or in a file that is read for each probe.
package enum ModuleText: Hashable, Sendable {
  case text(Secret)
  case file(String)
}

/// The credentials of a module.
package enum ModuleCredentials: Hashable, Sendable {
  case basic(user: ModuleText, password: ModuleText?)
  /// A scheme, such as `Bearer`, and what follows it.
  case authorization(scheme: String, credentials: ModuleText)
}

/// The TLS settings of a module.
package struct ModuleTLS: Hashable, Sendable {
  /// A file with the only authorities to trust; nil for those of the machine.
  package var authorityFile: String?
  /// The only authorities to trust, as PEM.
  package var authorities: [UInt8]?
  /// A file with the certificate of the client.
  package var certificateFile: String?
  /// A file with the key of the client's certificate.
  package var keyFile: String?
  /// The name to request and to verify; nil for that of the target.
  package var serverName: String?
  /// Whether a certificate that cannot be verified is only recorded.
  package var observes = false
  /// The lowest version of TLS; nil for the usual one.
  package var minimumVersion: TLSVersion?
  /// The highest version of TLS; nil for the usual one.
  package var maximumVersion: TLSVersion?

  /// The usual settings.
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

  /// A header field whose value is in a file.
  package struct HeaderFile: Hashable, Sendable {
    package var name: String
    package var path: String

    package init(name: String, path: String) { (self.name, self.path) = (name, path) }
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
  /// Header fields whose values are in files, which are read for each probe; white space around a value is removed.
  package var headerFiles: [HeaderFile] = []
  package var body: ModuleText?
  /// The expected content coding: `gzip`, `deflate`, `br` or `identity`; nil leaves the body as received.
  package var compression: String?
  /// The most bytes of a decoded body; a longer one fails the probe; nil for any number.
  package var bodySizeLimit: Int?
  package var failsIfBodyMatches: [GoPattern] = []
  package var failsIfBodyDoesNotMatch: [GoPattern] = []
  package var failsIfHeaderMatches: [HeaderRule] = []
  package var failsIfHeaderDoesNotMatch: [HeaderRule] = []
  package var credentials: ModuleCredentials?
  package var proxy: ProbeProxy?
  /// Hosts for which no proxy is used, as in the environment variable of that name.
  package var noProxy: [String] = []
  package var tls = ModuleTLS()
  package var allowsHTTP2 = true

  /// A GET, with redirects.
  package init() {}
}

/// A module that connects by TCP.
package struct TCPModule: Hashable, Sendable {
  /// A step of a dialog, in the order in which its parts take place.
  package struct Step: Hashable, Sendable {
    /// A label of `probe_expect_info`, with references to groups of the expression.
    package struct Label: Hashable, Sendable {
      package var name: String
      package var value: String

      package init(name: String, value: String) { (self.name, self.value) = (name, value) }
    }

    /// What a line must match.
    package var expect: GoPattern?
    /// What is received next, byte for byte.
    package var expectBytes: [UInt8]?
    package var labels: [Label] = []
    /// What is sent, with a line feed after it and references to groups of the expression; empty for nothing.
    package var send: [UInt8] = []
    package var startsTLS = false

    package init() {}
  }

  package var addresses = AddressChoice()
  /// The address to connect from.
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
  /// The number of data bytes of the request; as many as blackbox_exporter sends by default.
  package var payloadSize = 28
  /// Whether a request that is too large for the path fails and is not split.
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
  /// Whether the query is sent by TCP.
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
