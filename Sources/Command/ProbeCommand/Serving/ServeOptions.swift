import ProbeServer
import ProbeCore
import BlackboxExporter

/// The options of `probekit serve`.
struct ServeOptions: Sendable {
  /// The default file, the same as in blackbox_exporter.
  static let usualFile = "blackbox.yml"
  /// The default port, the same as in blackbox_exporter.
  static let usualPort: UInt16 = 9115

  /// The pipelines to serve as modules.
  var pipelines: [String] = []
  /// Whether pipelines may start programs.
  var allowsPrograms = false
  /// The file of modules; nil for the default one, or for none if there are pipelines.
  var configurationFile: String?
  /// Whether only to print the version.
  var printsVersion = false
  /// Whether only to check the files.
  var onlyChecks = false
  var exporter = ExporterSettings()
  /// The addresses to listen on; empty for the default.
  var addresses: [HTTPService.Address] = []
  /// The file with certificates, users and limits of the server.
  var webConfigurationFile: String?
  /// Whether to listen on the sockets from systemd.
  var usesPassedSockets = false
  /// The URL at which clients reach the server.
  var externalURL: ExternalURL?
  /// The prefix of the paths; nil for the path of the external URL.
  var routePrefix: String?
  /// The only targets that may be probed; nil for any.
  var allowedTargets: ExclusionList?
  /// The targets that are never probed.
  var deniedTargets = ExclusionList()
  /// Whether to allow link-local addresses and those of a cloud's metadata service.
  var allowsLinkLocal = false
  /// Whether to read the file again when it changes.
  var reloadsAutomatically = false
  /// The interval of checks for changes.
  var reloadInterval = Duration.seconds(30)

  /// The addresses to listen on, with the default.
  var listeningAddresses: [HTTPService.Address] {
    addresses.isEmpty ? [.tcp(SocketAddress(IPAddress(v4: 0x7F00_0001), port: Self.usualPort))] : addresses
  }

  /// The file of modules to read; nil for none.
  var fileToRead: String? { configurationFile ?? (pipelines.isEmpty ? Self.usualFile : nil) }

  var targetRules: TargetRules {
    var rules = TargetRules(
      allowsPrivate: true, exclusions: deniedTargets, remedy: "see --allow-target and --allow-link-local")
    rules.refusesLinkLocal = !allowsLinkLocal
    rules.only = allowedTargets
    return rules
  }

  /// The prefix of all paths, with a slash at both ends.
  ///
  /// An empty value counts as none, as in blackbox_exporter.
  var prefix: String {
    var path = routePrefix ?? ""
    if path.isEmpty, let externalURL { path = externalURL.path }
    let parts = path.split(separator: "/")
    return parts.isEmpty ? "/" : "/" + parts.joined(separator: "/") + "/"
  }
}

/// The URL at which clients reach the server, such as that of a reverse proxy.
struct ExternalURL: Hashable {
  /// Its path, without a slash at the end.
  let path: String
  /// The whole URL; nil for an empty one.
  let text: String?

  /// Parses a URL; an empty text is one without a path.
  ///
  /// - Throws: `InvalidInput` if it is not a URL.
  init(_ text: String) throws(InvalidInput) {
    guard let first = text.first, let last = text.last else {
      (path, self.text) = ("", nil)
      return
    }
    guard !"\"'".contains(first), !"\"'".contains(last) else {
      throw InvalidInput("\(Excerpt(text)) is not a URL", remedy: "write it without quotation marks")
    }
    let url = try ProbeURL(text)
    self.text = url.string
    path = String(url.path.reversed().drop { $0 == "/" }.reversed())
  }
}

extension HTTPService.Address {
  /// The address in the value of `--web.listen-address`: `127.0.0.1:9115`, `[::1]:0`, `localhost:9115`, `unix:PATH`, or
  /// `:9115` for all addresses.
  ///
  /// - Throws: `InvalidInput` if it is not an address.
  init(listening text: String) throws(InvalidInput) {
    if text.hasPrefix(":") {
      try self.init("[::]\(text)")
    } else if text.hasPrefix("localhost:") {
      try self.init("127.0.0.1\(text.dropFirst(9))")
    } else {
      try self.init(text)
    }
  }
}
