import ProbeCore
import ProbePipeline
import SourceDocuments

extension FieldReader where Value == Fixture {
  /// A `fixture.yaml`; the files that it names are those of the folder.
  ///
  /// What is wrong is told, also between the parts that are whole; nil when there can be no fixture.
  static func fixture(in folder: FixtureFolder) -> FieldReader {
    .mapping { reader in
      let draft = FixtureDraft(&reader, folder: folder)
      if !reader.isAskedForSchema { draft.checkRoutes(reader.node, reader.findings) }
      return draft.fixture
    }
  }
}

/// A fixture as it stands in a file, as far as it could be read.
private struct FixtureDraft {
  let name: String?
  let vendor: String?
  let source: FixtureSource?
  let expectation: FixtureExpectation?
  let listeners: [ReplayListener: ListenerMode]
  let initial: Placed<String>?
  let routes: [RouteDraft]?
  let tls: HostRules<TLSMode>
  let dns: HostRules<DNSAnswer>

  init(_ reader: inout MappingReader, folder: FixtureFolder) {
    _ = reader.required(
      "version", .integer(in: 1...1), example: "1", summary: "the version of this form: 1")
    name = reader.required(
      "name", .line, example: "my-portal", summary: "the name of the fixture, for reports")
    vendor = reader.optional("vendor", .line, summary: "the vendor of the replayed device or service")
    source = reader.required(
      "source", .source, example: "{ kind: synthetic, reference: \"made by hand\" }",
      summary: "the source of the fixture")
    expectation = reader.optional(
      "expect", .expectation, summary: "the expected result of the built-in pipeline")
    listeners =
      reader.optional(
        "listeners", .listeners, summary: "how connections are received; each listener is open by default")
      ?? [:]
    initial = reader.optional(
      "initial", .placed(.line), summary: "the state at the start, where there are states")
    let drafts = reader.required(
      "routes", .routes(in: folder), example: "[]",
      summary: "the responses; the first matching route responds")
    routes = drafts.map { $0.enumerated().map { $0.element.named("route-\($0.offset + 1)") } }
    tls =
      reader.optional(
        "tls", .hostRules(of: FieldReader<TLSMode>.choice),
        summary: "TLS modes by host name, \"*\" for all others")
      ?? [:]
    dns =
      reader.optional(
        "dns", .hostRules(of: FieldReader<DNSAnswer>.dnsAnswer),
        summary: "DNS answers by host name: an address, nxdomain, servfail or timeout")
      ?? [:]
    _ = reader.optional(
      "sha256", .digests(of: folder),
      summary: "the digests that files of the folder must have, by their names")
  }

  /// Tells what does not fit between routes.
  func checkRoutes(_ root: SourceNode, _ findings: SourceFindings) {
    guard root.isComplete, let routes, !routes.isEmpty else { return }
    let hasInitial = root.entry("initial") != nil
    RouteTable(routes, listeners: listeners, initial: initial?.value, hasInitial: hasInitial).check(findings)
  }

  /// The fixture, when there is enough for one.
  var fixture: Fixture? {
    guard let name, let source else { return nil }
    return Fixture(
      name: name, vendor: vendor, source: source, expectation: expectation, listeners: listeners,
      initialState: initial?.value, routes: (routes ?? []).map(\.route), tls: tls, dns: dns)
  }
}

extension FieldReader where Value == [RouteDraft] {
  /// The routes, unless there are too many.
  fileprivate static func routes(in folder: FixtureFolder) -> FieldReader {
    // Never nil for a mapping, so that one mistake does not hide what is wrong between routes.
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
  /// The digests that files of the folder must have, by the names of the files; they are compared.
  fileprivate static func digests(of folder: FixtureFolder) -> FieldReader {
    let schema = ValueSchema.text(pattern: "^[0-9A-Fa-f]{64}$", canBeBoolean: false)
    let digest = FieldReader<String>.text(schema: schema) { (text) throws(InvalidInput) in
      let digits = text.utf8.count == 64 && text.unicodeScalars.allSatisfy(\.properties.isASCIIHexDigit)
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
            "the file \(Excerpt(entry.key)) has another digest than this",
            remedy: "if the file is right, write \(found)",
            at: entry.value)
        } catch {
          findings.add(error.message, remedy: error.remedy, at: entry.keySpan.lowerBound)
        }
      }
      return Dictionary(pairs.map { ($0.entry.key, $0.value) }) { first, _ in first }
    }
  }
}
