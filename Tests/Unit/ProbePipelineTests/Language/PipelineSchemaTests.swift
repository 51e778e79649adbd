import BundledPlugins
import FoundationEssentials
import ProbeCore
import ProbePipeline
import TestSupport
import Testing

/// Compares the schema, as read by an independent checker (python3-jsonschema), with the loader.
@Suite struct PipelineSchemaTests {
  /// Errors that a schema cannot express; it must reject all others.
  static let inexpressibleErrors: Set<String> = [
    // Relations between several locations.
    "duplicate-set-name.yaml", "fallback-first.yaml", "nothing-required.yaml",
    "success-above-required.yaml", "threshold-above-urls.yaml", "threshold-above-urls-and-families.yaml",
    "threshold-twice-the-urls-of-one-family.yaml", "validate-and-classify.yaml", "families-twice.yaml",
    "backoff-decreasing.yaml", "same-mistake-in-two-sets.yaml", "auth-and-authorization.yaml",
    // Rules that refer to sets and to the policy.
    "decide-capport-off.yaml", "decide-count-above-urls.yaml", "decide-unknown-set.yaml",
    // Restrictions from the policy and from the schemes of URLs.
    "url-plain-under-https-only.yaml", "url-tcp-under-https-only.yaml", "url-tcp-with-path.yaml",
    "url-tcp-without-port.yaml", "request-key-of-other-scheme-in-mixed-set.yaml",
    "request-key-of-other-scheme-in-set.yaml", "request-key-of-other-scheme-in-url.yaml",
    "validators-of-http-on-tcp.yaml", "url-tls-without-port.yaml", "dialog-starttls-on-tls.yaml",
    "dialog-secret-before-starttls.yaml", "dialog-variable-before-starttls.yaml",
    "validators-of-http-on-tls.yaml",
    "validators-of-other-protocols.yaml",
    // Keys that have no effect with the values of others.
    "capport-first-of-none.yaml",
    // Bounds of times and sizes, which are texts.
    "deadline-two-days.yaml", "deadline-zero.yaml", "timeout-huge.yaml", "timeout-too-fine.yaml",
    "timeout-too-long.yaml", "timeout-zero.yaml", "max-body-negative.yaml", "max-body-too-large.yaml",
    "dialog-bounds.yaml",
    // What a protocol needs.
    "resolver.yaml", "udp.yaml",
    // Names and algorithms of certificates.
    "certificate-names.yaml",
    // Patterns, and references to them.
    "classify-pattern.yaml", "json-conditions.yaml", "pattern-bad-group.yaml", "pattern-block.yaml",
    "pattern-escaped.yaml",
    "pattern-folded.yaml", "pattern-long.yaml", "pattern-lookbehind.yaml", "pattern-short-plain.yaml",
    "pattern-short.yaml", "pattern-single-quotes.yaml", "pattern-wide-characters.yaml",
    "patterns-too-many.yaml",
    "dialog-pattern.yaml", "dialog-reject-everything.yaml", "dialog-reject-last.yaml",
    "dialog-send-escapes.yaml", "json-pattern-escaped.json",
    // The syntax of HTTP header fields, proxy URLs and interface names.
    "auth-user-with-colon.yaml", "empty-texts.yaml", "headers-bad-name.yaml", "headers-empty-name.yaml",
    "headers-line-break.yaml", "method-bad.yaml", "user-agent-line-break.yaml", "interface-bad.yaml",
    "proxy-bad.yaml", "proxy-no-port.yaml", "proxy-password-in-url.yaml",
    "proxy-password-without-user.yaml",
    // Exclusions by validators, transports and combinations of keys.
    "accept-encoding-none-and-more.yaml", "accept-encoding-unknown.yaml", "deviation-any-and-more.yaml",
    "header-line-bad-pattern.yaml",
    "headers-omitted.yaml", "lenient-head-by-curl.yaml", "max-head-bounds.yaml", "size-bounds.yaml",
    "size-none.yaml", "starts-with-empty.yaml",
    // Input that other parsers accept: halves of surrogate pairs, tabs, depth; and 1.0, which is an integer
    // in JSON Schema.
    "json-half-a-surrogate-pair.json", "json-surrogates-swapped.json", "tab-between.yaml", "too-deep.yaml",
    "version-decimal.yaml",
  ]

  @Test func anIndependentCheckerAgrees() async throws {
    let valid = PipelineFile.names(.valid).map { PipelineFile(name: $0, table: .valid) }
    let invalid = PipelineFile.names(.invalid).map { PipelineFile(name: $0, table: .invalid) }
    let reports = try await check(valid + invalid)
    #expect(reports.count == valid.count + invalid.count)
    for (file, words) in zip(valid, reports) {
      #expect(words == "accepted \(file.name)")
    }
    for (file, words) in zip(invalid, reports.dropFirst(valid.count)) {
      let isAccepted = Self.inexpressibleErrors.contains(file.name)
      #expect(words.hasPrefix("accepted") == isAccepted, "\(words)")
    }
    #expect(Self.inexpressibleErrors.isSubset(of: invalid.map(\.name)))
  }

  /// A validator with the name of a keyword would replace the keyword, or never be found.
  @Test func reservedWordsIncludeAllKeywords() throws {
    struct Schema: Decodable {
      struct Named: Decodable { var anyOf: [Alternative]? }
      struct Alternative: Decodable { var required: [String]? }
      enum CodingKeys: String, CodingKey { case definitions = "$defs" }
      var definitions: [String: Named]
    }
    let plugins = try PluginRegistry.bundled
    let schema = try JSONDecoder().decode(Schema.self, from: Data(PipelineSchema(plugins).text.utf8))
    for name in ["condition", "validator"] {
      let keys = try #require(schema.definitions[name]?.anyOf).flatMap { $0.required ?? [] }
      #expect(keys.contains("status") && keys.contains("not"))
      let words = Set(keys).subtracting(plugins.validators.names)
      #expect(words.isSubset(of: ValidatorRegistry.wordsOfTheLanguage), "\(name): \(words)")
    }
  }

  @Test func theSchemaIsDeterministic() throws {
    let plugins = try PluginRegistry.ofLanguageTests
    #expect(PipelineSchema(plugins).text == PipelineSchema(plugins).text)
    #expect(try PipelineSchema(.bundled).text != PipelineSchema(plugins).text)
  }

  /// The checker's output, a line for each file.
  private func check(_ files: [PipelineFile]) async throws -> [String] {
    let folder = try TemporaryFolder(["schema.json": PipelineSchema(try .ofLanguageTests).text])
    let script = "\(PipelineFile.folder)/check-schema.py"
    let command =
      "/usr/bin/python3 -B \(script) \(folder.path)/schema.json \"$@\" >\(folder.path)/out 2>\(folder.path)/err"
    let paths = files.map(\.path)
    let status = try await onAThread { try runProgram("sh", ["-c", command, "sh"] + paths) }
    #expect(status == 0, "\(readText("\(folder.path)/err"))")
    return readText("\(folder.path)/out").split(separator: "\n").map(String.init)
  }
}
