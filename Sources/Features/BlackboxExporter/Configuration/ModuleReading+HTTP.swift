internal import ProbeCore
internal import SourceDocuments
import ProbePatterns

/// Reading the section `http` of a module.
extension ModuleReading {
  func http(_ node: SourceNode) -> HTTPModule? {
    guard var reader = MappingReader(node, "http", findings) else { return nil }
    var module = HTTPModule()
    module.statusCodes = reader.value("valid_status_codes", .list(of: .integer(in: 0...999))) ?? []
    module.versions = versions(&reader)
    module.addresses = addresses(&reader)
    module.leavesLookupToProxy = reader.value("skip_resolve_phase_with_proxy", .goBoolean) ?? false
    module.failsIfSSL = reader.value("fail_if_ssl", .goBoolean) ?? false
    module.failsIfNotSSL = reader.value("fail_if_not_ssl", .goBoolean) ?? false
    module.method = reader.text("method") ?? "GET"
    readBody(&module, &reader)
    readPatterns(&module, &reader)
    readHeaders(&module, &reader)
    readClient(&module, &reader)
    readRedirects(&module, &reader)
    readHTTP3(module, &reader)
    var options = HTTPRequestOptions()
    (options.method, options.headers) = (module.method, module.headers)
    for field in module.secretHeaders {
      guard case .text(let secret) = field.value else { continue }
      options.headers.append(name: field.name, value: secret.withText(\.self))
    }
    do throws(InvalidInput) { try options.checkFields() } catch { findings.add(error, at: node) }
    reader.finish()
    return module
  }

  private func versions(_ reader: inout MappingReader) -> [String] {
    let known = ["HTTP/1.0", "HTTP/1.1", "HTTP/2.0", "HTTP/3.0"]
    let versions = reader.value("valid_http_versions", .list(of: .located(.goText))) ?? []
    for version in versions where !known.contains(version.value) {
      warn(
        "no response has the version \(Excerpt(version.value))",
        remedy: "use \(known.dropLast().alternatives)",
        at: version.node.span.lowerBound)
    }
    return versions.map(\.value)
  }

  private func readBody(_ module: inout HTTPModule, _ reader: inout MappingReader) {
    let body = reader.text("body")
    let file = reader.text("body_file")
    reader.allowOne(of: ["body", "body_file"])
    module.body = body.map { .text(Secret($0)) } ?? file.map { .file($0) }
    check(file: file, at: reader.filled("body_file"))
    let codings = ["gzip", "br", "deflate", "identity"]
    if let node = reader.filled("compression"), let coding = reader.text("compression") {
      module.compression = coding
      if !codings.contains(coding) {
        findings.add(
          "\(Excerpt(coding)) is no coding that can be decoded",
          remedy: findings.nearest(to: coding, among: codings).map { "did you mean \($0)?" }
            ?? "use \(codings.alternatives)", at: node)
      }
    }
    if let limit = reader.value("body_size_limit", .goSize), limit > 0 { module.bodySizeLimit = limit }
  }

  private func readPatterns(_ module: inout HTTPModule, _ reader: inout MappingReader) {
    func patterns(_ key: String) -> [GoPattern] { reader.value(key, .list(of: .goPattern)) ?? [] }
    func rules(_ key: String) -> [HTTPModule.HeaderRule] {
      let rule = FieldReader<HTTPModule.HeaderRule>.mapping { rule in
        let header = rule.required("header", .nonEmptyText, example: "Content-Type")
        let pattern = rule.required("regexp", .goPattern, example: "'^text/'")
        let allowsMissing = rule.value("allow_missing", .goBoolean) ?? false
        guard let header, let pattern else { return nil }
        if pattern.text.isEmpty, let node = rule.filled("regexp") {
          rule.findings.add("regexp is empty", remedy: "write .* for any value", at: node)
        }
        return HTTPModule.HeaderRule(header: header, pattern: pattern, allowsMissing: allowsMissing)
      }
      return reader.value(key, .list(of: rule.called("a rule about a header"))) ?? []
    }
    module.failsIfBodyMatches = patterns("fail_if_body_matches_regexp")
    module.failsIfBodyDoesNotMatch = patterns("fail_if_body_not_matches_regexp")
    module.failsIfHeaderMatches = rules("fail_if_header_matches")
    module.failsIfHeaderDoesNotMatch = rules("fail_if_header_not_matches")
    for key in ["fail_if_body_json_matches_cel", "fail_if_body_json_not_matches_cel"] {
      if reader.text(key) != nil, let node = reader.filled(key) {
        cannot("ProbeKit has no expressions in CEL, such as \(key)", at: node.span.lowerBound)
      }
    }
  }

  private func readHeaders(_ module: inout HTTPModule, _ reader: inout MappingReader) {
    let headers = reader.value("headers", .dictionary(of: .goText)) ?? []
    for (entry, value) in headers {
      module.headers.append(name: entry.key, value: value)
      guard entry.key.lowercased() == "accept-encoding", let coding = module.compression,
        !AcceptedCodings(value).allow(coding)
      else { continue }
      findings.add(
        "\(entry.fieldName) does not accept the coding \(Excerpt(coding)) of compression",
        remedy: "add it, or remove the header", at: entry.value)
    }
    for name in headers.map(\.entry) where HeaderFields.isSensitive(name.key) {
      warnOfCredentials(at: name.keySpan.lowerBound)
    }
  }

  private func readRedirects(_ module: inout HTTPModule, _ reader: inout MappingReader) {
    module.followsRedirects = reader.value("follow_redirects", .goBoolean) ?? true
    guard let ends = reader.value("no_follow_redirects", .goBoolean) else { return }
    module.followsRedirects = !ends
    if let node = reader.filled("no_follow_redirects") {
      warn(
        "no_follow_redirects is an old name", remedy: "write follow_redirects: \(!ends)",
        at: node.span.lowerBound)
    }
  }

  private func readHTTP3(_ module: HTTPModule, _ reader: inout MappingReader) {
    let isOn = reader.value("enable_http3", .goBoolean) ?? false
    guard isOn, let node = reader.filled("enable_http3") else {
      if module.versions.contains("HTTP/3.0"), let node = reader.filled("valid_http_versions") {
        findings.add("HTTP/3.0 needs enable_http3", remedy: "remove HTTP/3.0", at: node)
      }
      return
    }
    if module.versions.contains("HTTP/2.0") || module.versions.contains("HTTP/1.1"),
      let node = reader.filled("valid_http_versions")
    {
      findings.add(
        "enable_http3 allows only HTTP/3.0", remedy: "remove the other versions, or enable_http3", at: node)
    }
    if module.allowsHTTP2 {
      findings.add(
        "enable_http3 cannot be combined with HTTP/2", remedy: "add enable_http2: false, or remove it",
        at: node)
    }
    cannot("ProbeKit has no HTTP/3", at: node.span.lowerBound)
  }

  /// The preferred address family, and whether the other one is used if there is none.
  func addresses(_ reader: inout MappingReader) -> AddressChoice {
    var choice = AddressChoice()
    if let family = reader.text("preferred_ip_protocol"), family != "ip6" {
      choice.preferred = .v4
      if family != "ip4", let node = reader.filled("preferred_ip_protocol") {
        warn("\(Excerpt(family)) counts as ip4", remedy: "use ip4 or ip6", at: node.span.lowerBound)
      }
    }
    choice.fallsBack = reader.value("ip_protocol_fallback", .goBoolean) ?? true
    return choice
  }
}

/// The value of the header field Accept-Encoding (RFC 9110 §12.5.3), as blackbox_exporter parses it.
private struct AcceptedCodings {
  private var codings: [(name: String, quality: Double)] = []

  init(_ value: String) {
    for part in value.split(separator: ",", omittingEmptySubsequences: false) {
      let semicolon = part.lastIndex(of: ";")
      let name = part[..<(semicolon ?? part.endIndex)].trimmed
      var quality = semicolon.map { part[$0...].dropFirst().trimmed } ?? "1"
      if quality.hasPrefix("q=") { quality.removeFirst(2) }
      codings.append((name, ((Double(quality) ?? 0) * 1000).rounded() / 1000))
    }
  }

  /// Whether the most preferred mention of a coding accepts it.
  func allow(_ coding: String) -> Bool {
    let mentions = codings.filter { $0.name == coding || $0.name == "*" }
    return (mentions.map(\.quality).max() ?? 0) > 0
  }
}

extension Substring {
  /// The text without surrounding white space of any kind, as Go's `TrimSpace` does.
  var trimmed: String { String(trimming(where: \.isWhitespace)) }
}
