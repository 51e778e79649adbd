import ProbeCore
import ProbePipeline
import SourceDocuments

extension FieldReader where Value == Fixture {
  /// Reads a `fixture.yaml`; file names in it refer to files of the folder.
  ///
  /// It reports every error, including those between valid parts, and returns nil if no fixture results.
  static func fixture(in folder: FixtureFolder) -> FieldReader {
    .mapping { reader in
      let draft = FixtureDraft(&reader, folder: folder)
      if !reader.isAskedForSchema { draft.checkRoutes(reader.node, reader.findings) }
      return draft.fixture
    }
  }
}

/// A fixture as written in its file, as far as it could be read.
private struct FixtureDraft {
  let name: String?
  let vendor: String?
  let source: FixtureSource?
  let expectation: FixtureExpectation?
  let listeners: [ReplayListener: ListenerMode]
  let initial: Located<String>?
  let session: SessionRules?
  let routes: [RouteDraft]?
  let tls: HostRules<TLSMode>
  let dns: HostRules<DNSAnswer>
  let capport: String?
  let pings: PingMode

  init(_ reader: inout MappingReader, folder: FixtureFolder) {
    _ = reader.required(
      "version", .integer(in: 1...1), example: "1", summary: "the version of the format")
    name = reader.required(
      "name", .line, example: "my-portal", summary: "the name of the fixture, for reports")
    vendor = reader.optional("vendor", .line, summary: "the vendor of the portal or device")
    source = reader.required(
      "source", .source, example: "{ kind: synthetic, reference: \"made by hand\" }",
      summary: "the origin of the fixture")
    expectation = reader.optional(
      "expect", .expectation,
      summary: "the result that the built-in pipeline, or pipeline.yaml beside the file, must give")
    listeners =
      reader.optional(
        "listeners", .listeners, summary: "what happens to new connections, for each listener")
      ?? [:]
    initial = reader.optional(
      "initial", .located(.line),
      summary:
        "the initial state, in a fixture with states; a state applies to the whole server unless session says otherwise"
    )
    session = reader.optional(
      "session", .session, summary: "the owner of the state, and the limits that end a state")
    let drafts = reader.required(
      "routes", .routes(in: folder), example: "[]",
      summary: "requests and responses; the first route that matches answers")
    routes = drafts.map { $0.enumerated().map { $0.element.named("route-\($0.offset + 1)") } }
    tls =
      reader.optional(
        "tls", .hostRules(of: FieldReader<TLSMode>.choice),
        summary: "the TLS mode by host name; * matches any characters")
      ?? [:]
    dns =
      reader.optional(
        "dns", .hostRules(of: FieldReader<DNSAnswer>.dnsAnswer),
        summary:
          "the DNS answer by host name: an address, nxdomain, servfail or timeout; other names resolve. It applies to probes "
          + "that this process routes to the fixture and to replay --exec and --gateway, not to other clients of the "
          + "replay command")
      ?? [:]
    capport = reader.optional(
      "capport", .announcement,
      summary:
        "the captive-portal API that the network announces (RFC 8910): its https URL, or "
        + "urn:ietf:params:capport:unrestricted. verify uses it for pipelines with capport: announced, and replay --gateway "
        + "sends it in DHCP option 114")
    pings =
      reader.optional(
        "icmp", FieldReader<PingMode>.choice, default: "answered",
        summary: "what happens to pings of any address. It applies to replay --exec and --gateway")
      ?? .responded
    _ = reader.optional(
      "sha256", .digests(of: folder),
      summary: "the SHA-256 digests of files in the folder, by file name; they are checked")
  }

  /// Reports conflicts between routes.
  func checkRoutes(_ root: SourceNode, _ findings: SourceFindings) {
    guard root.isComplete, let routes, !routes.isEmpty else { return }
    let hasInitial = root.entry("initial") != nil
    let entry = root.entry("session")
    let states = StateTable(
      routes, initial: initial?.value, limits: entry == nil ? [:] : session?.limits, session: entry)
    RouteTable(routes, listeners: listeners, states: states, hasInitial: hasInitial).check(findings)
  }

  /// The fixture, or nil if an essential part is missing.
  var fixture: Fixture? {
    guard let name, let source else { return nil }
    return Fixture(
      name: name, vendor: vendor, source: source, expectation: expectation, listeners: listeners,
      initialState: initial?.value, session: session, routes: (routes ?? []).map(\.route), tls: tls, dns: dns,
      capport: capport, pings: pings)
  }
}

extension FieldReader where Value == [RouteDraft] {
  /// The routes; too many of them are an error.
  fileprivate static func routes(in folder: FixtureFolder) -> FieldReader {
    // Never nil for a mapping, so that one error does not hide the errors between routes.
    let route = FieldReader<RouteDraft>.mapping { RouteDraft(&$0, folder: folder) }.called("a route")
    let list = FieldReader.list(of: route)
    let limit = FixtureLoader.maximumRouteCount
    return FieldReader(schema: list.schema) { node, field, findings in
      if case .sequence(let nodes) = node.content, nodes.count > limit {
        findings.add("a fixture has \(nodes.count) routes, more than \(limit)", at: node)
        return nil
      }
      return list.value(of: node, field: field, findings)
    }
  }
}

extension FieldReader where Value == [String: String] {
  /// The expected digests of files by file name; the actual files are checked against them.
  fileprivate static func digests(of folder: FixtureFolder) -> FieldReader {
    let schema = ValueSchema.text(pattern: "^[0-9A-Fa-f]{64}$", canBeBoolean: false)
    let digest = FieldReader<String>.text(schema: schema) { (text) throws(InvalidInput) in
      let digits = text.utf8.count == 64 && text.utf8.allSatisfy { $0.hexDigitValue != nil }
      guard digits else {
        throw InvalidInput(
          "\(Excerpt(text)) is not a SHA-256 digest", remedy: "write its 64 hexadecimal digits")
      }
      return text.lowercased()
    }
    return FieldReader<[(entry: SourceEntry, value: String)]>.dictionary(of: digest).map {
      pairs, _, findings in
      for (entry, expected) in pairs {
        do throws(InvalidInput) {
          let found = try folder.digest(of: entry.key)
          guard found != expected else { continue }
          findings.add(
            "the digest does not match the file \(Excerpt(entry.key))",
            remedy: "if the file is correct, write \(found)",
            at: entry.value)
        } catch {
          findings.add(error.message, remedy: error.remedy, at: entry.keySpan.lowerBound)
        }
      }
      return Dictionary(pairs.map { ($0.entry.key, $0.value) }) { first, _ in first }
    }
  }
}
