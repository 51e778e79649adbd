internal import ProbeCore
internal import SourceDocuments
import ProbePatterns

/// Reading the section `http` of a module.
extension ModuleReading {
  func http(_ module: inout HTTPModule, _ reader: inout MappingReader) {
    reader.read("valid_status_codes", into: &module.statusCodes, .list(of: .integer(in: 0...999)))
    readVersions(&module, &reader)
    addresses(&module.addresses, &reader)
    reader.read("skip_resolve_phase_with_proxy", into: &module.leavesLookupToProxy, .goBoolean)
    reader.read("fail_if_ssl", into: &module.failsIfSSL, .goBoolean)
    reader.read("fail_if_not_ssl", into: &module.failsIfNotSSL, .goBoolean)
    if let method = reader.locatedText("method") {
      module.method = method.value
      _ = check(at: method.node) { $0.method = method.value }
    }
    readBody(&module, &reader)
    readPatterns(&module, &reader)
    readHeaders(&module, &reader)
    client(&module, &reader)
    readRedirects(&module, &reader)
    readHTTP3(module, &reader)
  }

  /// Checks a setting of requests as those of pipelines are checked, and adds an error at its node.
  ///
  /// - Returns: Whether it is valid.
  private func check(at node: SourceNode, _ set: (inout HTTPRequestOptions) -> Void) -> Bool {
    var options = HTTPRequestOptions()
    set(&options)
    return findings.reporting(at: node) { () throws(InvalidInput) in try options.checkFields() } != nil
  }

  /// Checks the name of a header field and its values.
  func check(field entry: SourceEntry, _ values: [String]) {
    let name = SourceNode(.unusable, span: entry.keySpan)
    guard check(at: name, { $0.headers.append(name: entry.key, value: "") }) else { return }
    _ = check(at: entry.value) { for value in values { $0.headers.append(name: entry.key, value: value) } }
  }

  private func readVersions(_ module: inout HTTPModule, _ reader: inout MappingReader) {
    let known = ["HTTP/1.0", "HTTP/1.1", "HTTP/2.0", "HTTP/3.0"]
    let versions = reader.value("valid_http_versions", .list(of: .located(.goText))) ?? []
    for version in versions where !known.contains(version.value) {
      warn(
        "no response has the version \(Excerpt(version.value))",
        remedy: "use \(known.dropLast().alternatives)", at: version.node.start)
    }
    module.versions = versions.map(\.value)
  }

  private func readBody(_ module: inout HTTPModule, _ reader: inout MappingReader) {
    module.body = text(reader.text("body"), orIn: reader.locatedText("body_file"))
    reader.allowOne(of: ["body", "body_file"])
    let codings = ["gzip", "br", "deflate", "identity"]
    if let coding = reader.locatedText("compression") {
      module.compression = coding.value
      if !codings.contains(coding.value) {
        findings.add(
          "\(Excerpt(coding.value)) is no coding that can be decoded",
          remedy: findings.nearest(to: coding.value, among: codings).map { "did you mean \($0)?" }
            ?? "use \(codings.alternatives)", at: coding.node)
      }
    }
    if let limit = reader.value("body_size_limit", .goSize), limit > 0 { module.bodySizeLimit = limit }
  }

  private func readPatterns(_ module: inout HTTPModule, _ reader: inout MappingReader) {
    reader.read("fail_if_body_matches_regexp", into: &module.failsIfBodyMatches, .list(of: .goPattern))
    reader.read(
      "fail_if_body_not_matches_regexp", into: &module.failsIfBodyDoesNotMatch, .list(of: .goPattern))
    reader.read("fail_if_header_matches", into: &module.failsIfHeaderMatches, .list(of: Self.headerRule))
    reader.read(
      "fail_if_header_not_matches", into: &module.failsIfHeaderDoesNotMatch, .list(of: Self.headerRule))
    for key in ["fail_if_body_json_matches_cel", "fail_if_body_json_not_matches_cel"] {
      guard let expression = reader.locatedText(key) else { continue }
      cannot("ProbeKit has no expressions in CEL, such as \(key)", at: expression.node.start)
    }
  }

  private static var headerRule: FieldReader<HTTPModule.HeaderRule> {
    FieldReader<HTTPModule.HeaderRule>.mapping { rule in
      let header = rule.required("header", .nonEmptyText, example: "Content-Type")
      let pattern = rule.required("regexp", .goPattern, example: "'^text/'")
      let allowsMissing = rule.value("allow_missing", .goBoolean) ?? false
      guard let header, let pattern else { return nil }
      if pattern.text.isEmpty, let node = rule.filled("regexp") {
        rule.findings.add("regexp is empty", remedy: "write .* for any value", at: node)
      }
      return HTTPModule.HeaderRule(header: header, pattern: pattern, allowsMissing: allowsMissing)
    }.called("a rule about a header")
  }

  private func readHeaders(_ module: inout HTTPModule, _ reader: inout MappingReader) {
    let headers = reader.value("headers", .dictionary(of: .goText)) ?? []
    for (entry, value) in headers {
      module.headers.append(name: entry.key, value: value)
      check(field: entry, [value])
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
    reader.read("follow_redirects", into: &module.followsRedirects, .goBoolean)
    guard let ends = reader.value("no_follow_redirects", .located(.goBoolean)) else { return }
    module.followsRedirects = !ends.value
    warn(
      "no_follow_redirects is an old name", remedy: "write follow_redirects: \(!ends.value)",
      at: ends.node.start)
  }

  private func readHTTP3(_ module: HTTPModule, _ reader: inout MappingReader) {
    let isOn = reader.value("enable_http3", .located(.goBoolean))
    let versions = reader.filled("valid_http_versions")
    guard let isOn, isOn.value else {
      if let versions, module.versions.contains("HTTP/3.0") {
        findings.add("HTTP/3.0 needs enable_http3", remedy: "remove HTTP/3.0", at: versions)
      }
      return
    }
    if let versions, module.versions.contains("HTTP/2.0") || module.versions.contains("HTTP/1.1") {
      findings.add(
        "enable_http3 allows only HTTP/3.0", remedy: "remove the other versions, or enable_http3",
        at: versions)
    }
    if module.allowsHTTP2 {
      findings.add(
        "enable_http3 cannot be combined with HTTP/2", remedy: "add enable_http2: false, or remove it",
        at: isOn.node)
    }
    cannot("ProbeKit has no HTTP/3", at: isOn.node.start)
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
