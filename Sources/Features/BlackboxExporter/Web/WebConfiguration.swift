internal import ProbeCore
internal import ProbeServer
internal import SourceDocuments
package import ProbeTLS

/// The contents of a web configuration file.
package struct WebConfiguration: Sendable {
  /// The TLS settings; nil for plain HTTP.
  package var tls: ServerContext?
  /// The password hashes by user name; if empty, no authentication is required.
  package var users: [String: BcryptHash] = [:]
  /// Header fields of every response, as lines.
  package var fields: [String] = []
  /// The rate limit for requests, or nil.
  var rateLimit: RateLimit?
  /// The files that it names.
  package var files: [String] = []

  /// What the file sets, none of which a reload removes: the keys that have a value, such as `rate_limit` and
  /// `rate_limit.burst`, and what client certificates must be.
  var settings: [String: Setting] = [:]
  /// The contents of the file.
  var text: [UInt8] = []

  /// A key that has a value.
  struct Setting: Sendable {
    /// The key as in the file, with those that it is in.
    let key: String
    /// The number of line ends in the value, of which a reload has as many: fewer may be its beginning.
    var lineEnds = 0
  }

  /// Plain HTTP without authentication.
  package init() {}

  /// Whether it has no effect, as that of an empty file.
  package var isEmpty: Bool { tls == nil && users.isEmpty && fields.isEmpty && rateLimit == nil }

  /// Whether the file ends as a complete one does: with a line end, or with the end of a mapping in braces.
  ///
  /// Without that, its last value may be the beginning of a longer one.
  var isEnded: Bool {
    text.last.map { $0 == 0x0A || $0 == 0x0D } ?? false || text.first { $0 > 0x20 } == UInt8(ascii: "{")
  }
}

/// The keys of a web configuration file, as defined by exporter-toolkit.
enum WebConfigurationFields {
  /// The cost at and above which a password check takes seconds.
  private static let highCost = 15

  /// The reader of a file; relative paths in it are relative to its folder.
  static func reader(folder: String) -> FieldReader<WebConfiguration> {
    .mapping { reader in
      var configuration = WebConfiguration()
      let tls = reader.optional("tls_server_config", WebTLSFields.reader(folder: folder))
      configuration.users = reader.optional("basic_auth_users", users) ?? [:]
      configuration.fields = reader.optional("http_server_config", server) ?? []
      configuration.rateLimit = reader.optional("rate_limit", rateLimit) ?? nil
      reader.node.addSettings(to: &configuration.settings, reader.findings.file.bytes)
      guard let tls else { return configuration }
      (configuration.tls, configuration.files) = (tls.server, tls.files)
      for requirement in tls.requirements {
        configuration.settings[requirement] = WebConfiguration.Setting(key: requirement)
      }
      return configuration
    }
  }

  /// A Go duration, such as `1s` or `0`.
  static var duration: FieldReader<Duration> {
    .text("a time such as 1s") { (text) throws(InvalidInput) in
      text == "0" ? .zero : try ValueSyntax.duration(text, in: .zero ... .seconds(86_400 * 365))
    }
  }

  private static var users: FieldReader<[String: BcryptHash]> {
    FieldReader { node, field, findings in
      let texts = FieldReader<[(entry: SourceEntry, value: String)]>.dictionary(of: FieldReader<String>.text)
      var users: [String: BcryptHash] = [:]
      for (entry, text) in texts.value(of: node, field: field, findings) ?? [] {
        guard let hash = BcryptHash(text) else {
          findings.add(
            "the password of this user is not a bcrypt hash", remedy: "make one with htpasswd -nB",
            at: entry.keySpan.lowerBound)
          continue
        }
        if hash.cost >= highCost {
          findings.warn(
            "the cost \(hash.cost) of the password's hash makes a check take seconds",
            remedy: "make one with htpasswd -nBC 10", at: entry.keySpan.lowerBound)
        }
        if entry.key.contains(":") {
          findings.warn(
            "no client can send the name of this user, which has a colon", remedy: "use another name",
            at: entry.keySpan.lowerBound)
        }
        users[entry.key] = hash
      }
      return users
    }
  }

  private static var server: FieldReader<[String]> {
    .mapping { reader in
      if let entry = reader.entry("http2"),
        FieldReader<Bool>.boolean.value(of: entry.value, field: "http2", reader.findings) == true
      {
        reader.findings.warn(
          "http2 has no effect: the server speaks HTTP/1.1", remedy: "remove it, or set it to false",
          at: entry.keySpan.lowerBound)
      }
      return reader.optional("headers", headers) ?? []
    }
  }

  /// The header fields that a file may set, which are those of exporter-toolkit.
  private static var headers: FieldReader<[String]> {
    .mapping { reader in
      var lines: [String] = []
      func add(_ name: String, _ value: String?) {
        if let value, !value.isEmpty { lines.append("\(name): \(value)") }
      }
      for name in ["Content-Security-Policy", "Strict-Transport-Security", "X-XSS-Protection"] {
        add(name, reader.optional(name, fieldValue))
      }
      add("X-Frame-Options", reader.optional("X-Frame-Options", choice(["deny", "sameorigin"])))
      // Every response has it anyway.
      _ = reader.optional("X-Content-Type-Options", choice(["nosniff"]))
      return lines
    }
  }

  private static var fieldValue: FieldReader<String> {
    .text { (text) throws(InvalidInput) in
      let isField = text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
      guard isField else {
        throw InvalidInput(
          "a header field cannot have a control character or a line end", remedy: "remove it")
      }
      return text
    }
  }

  static func choice(_ names: [String]) -> FieldReader<String> {
    FieldReader { node, field, findings in
      let choice = FieldReader<String>.line.value(of: node, field: field, findings)
      guard let choice, !names.contains(choice) else { return choice }
      findings.add("\(field) cannot be \(Excerpt(choice))", remedy: "use \(names.alternatives)", at: node)
      return nil
    }
  }

  private static var rateLimit: FieldReader<RateLimit?> {
    .mapping { reader in
      let interval = reader.optional("interval", duration)
      let burst = reader.optional("burst", .integer(in: 0...1_000_000_000))
      guard let interval, interval > .zero else { return .some(nil) }
      if (burst ?? 0) == 0 {
        reader.findings.warn(
          "without a burst the limit refuses every request", remedy: "set burst to 1 or more",
          at: reader.node.span.lowerBound)
      }
      return RateLimit(interval: interval, burst: burst ?? 0)
    }
  }
}

extension SourceNode {
  /// Adds the keys in it that have a value; see ``WebConfiguration/settings``.
  ///
  /// - Parameters:
  ///   - settings: The keys, each after those that it is in.
  ///   - name: The key of the value, after those that it is in; nil for the file.
  ///   - key: The same as in the file.
  ///   - text: The file.
  fileprivate func addSettings(
    to settings: inout [String: WebConfiguration.Setting], called name: String? = nil, in key: String = "",
    _ text: [UInt8]
  ) {
    switch content {
    case .mapping(let entries):
      let count = settings.count
      for entry in entries where name != "basic_auth_users" {
        func joined(_ outer: String?, _ key: String) -> String { outer.map { "\($0).\(key)" } ?? key }
        // `cert_file` is another form of `cert`.
        let form = entry.key.hasSuffix("_file") ? String(entry.key.dropLast(5)) : entry.key
        entry.value.addSettings(
          to: &settings, called: joined(name, form), in: joined(name == nil ? nil : key, entry.key), text)
      }
      // Users come and go.
      let hasUsers = name == "basic_auth_users" && !entries.isEmpty
      guard let name, settings.count > count || hasUsers else { return }
      settings[name] = WebConfiguration.Setting(key: key)
    case .sequence(let items):
      guard let name, !items.isEmpty else { return }
      settings[name] = WebConfiguration.Setting(key: key)
    case .scalar(let scalar):
      guard let name, !scalar.isNull, !scalar.text.isEmpty else { return }
      settings[name] = WebConfiguration.Setting(
        key: key,
        // A text in PEM format is not valid without its end.
        lineEnds: scalar.text.contains("-----BEGIN") ? 0 : text[span].lineEndsInside)
    case .unusable: return
    }
  }
}

extension ArraySlice<UInt8> {
  /// The number of line ends (CR, LF or both) before the last byte that is not a space.
  fileprivate var lineEndsInside: Int {
    guard let last = lastIndex(where: { $0 > 0x20 }) else { return 0 }
    return self[..<last].indices.count { self[$0] == 0x0A || self[$0] == 0x0D && self[$0 + 1] != 0x0A }
  }
}
