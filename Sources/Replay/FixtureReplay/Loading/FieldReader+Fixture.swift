import ProbeCore
import ProbePipeline
import SourceDocuments

extension FieldReader where Value == Fixture {
  /// Reads a `fixture.yaml`; file names in it refer to files of the folder.
  ///
  /// It reports every error, including those between valid parts, and returns nil if no fixture results.
  static func fixture(in folder: FixtureFolder) -> FieldReader {
    .mapping(into: Fixture(name: "", routes: [])) { fixture, reader in
      _ = reader.required("version", .integer(in: 1...1), example: "1", summary: "the version of the format")
      reader.required(
        into: &fixture.name, "name", .line, example: "my-portal",
        summary: "the name of the fixture, for reports")
      fixture.vendor = reader.optional("vendor", .line, summary: "the vendor of the portal or device")
      reader.required(
        into: &fixture.source, "source", .source,
        example: "{ kind: synthetic, reference: \"made by hand\" }", summary: "the origin of the fixture")
      fixture.expectation = reader.optional(
        "expect", .expectation,
        summary: "the result that the built-in pipeline, or pipeline.yaml beside the file, must give")
      reader.read(
        into: &fixture.listeners, "listeners", .listeners,
        summary: "what happens to new connections, for each listener")
      fixture.initialState = reader.optional(
        "initial", .line,
        summary:
          "the initial state, in a fixture with states; a state applies to the whole server unless session says otherwise"
      )
      fixture.session = reader.optional(
        "session", .session, summary: "the owner of the state, and the limits that end a state")
      let routes =
        reader.required(
          "routes", .routes(in: folder), example: "[]",
          summary: "requests and responses; the first route that matches answers") ?? []
      fixture.routes = routes.map(\.route)
      reader.read(
        into: &fixture.tls, "tls", .hostRules(of: .choice),
        summary: "the TLS mode by host name; * matches any characters")
      reader.read(
        into: &fixture.dns, "dns", .hostRules(of: .dnsAnswer),
        summary:
          "the DNS answer by host name: an address, nxdomain, servfail or timeout; other names resolve. It applies to probes "
          + "that this process routes to the fixture and to replay --exec and --gateway, not to other clients of the "
          + "replay command")
      fixture.capport = reader.optional(
        "capport", .announcement,
        summary:
          "the captive-portal API that the network announces (RFC 8910): its https URL, or "
          + "urn:ietf:params:capport:unrestricted. verify uses it for pipelines with capport: announced, and replay --gateway "
          + "sends it in DHCP option 114")
      reader.read(
        into: &fixture.pings, "icmp", .choice, default: "answered",
        summary: "what happens to pings of any address. It applies to replay --exec and --gateway")
      _ = reader.optional(
        "sha256", .digests(of: folder),
        summary: "the SHA-256 digests of files in the folder, by file name; they are checked")
      fixture.check(routes, reader.node, reader.findings)
    }
  }
}

extension Fixture {
  /// Reports conflicts between its routes.
  fileprivate func check(_ routes: [RouteDraft], _ root: SourceNode, _ findings: SourceFindings) {
    guard root.isComplete, !routes.isEmpty else { return }
    let entry = root.entry("session")
    let states = StateTable(
      routes, initial: initialState, limits: entry == nil ? [:] : session?.limits, session: entry)
    RouteTable(routes, listeners: listeners, states: states, hasInitial: root.entry("initial") != nil)
      .check(findings)
  }
}

extension FieldReader where Value == [RouteDraft] {
  /// The routes, each with an ID; too many of them are an error.
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
      let routes = list.value(of: node, field: field, findings)
      return routes?.enumerated().map { $0.element.named("route-\($0.offset + 1)") }
    }
  }
}

extension FieldReader where Value == [(entry: SourceEntry, value: String)] {
  /// The expected digests of files by file name; the actual files are checked against them.
  fileprivate static func digests(of folder: FixtureFolder) -> FieldReader {
    let schema = ValueSchema.text(pattern: "^[0-9A-Fa-f]{64}$", canBeBoolean: false)
    let digest = FieldReader<String>.text(
      "a text", schema: schema, otherwise: "is not a SHA-256 digest",
      remedy: "write its 64 hexadecimal digits"
    ) { text in text.utf8.count == 64 && text.utf8.allSatisfy { $0.hexDigitValue != nil } }
    return dictionary(of: digest).map { pairs, _, findings in
      for (entry, expected) in pairs {
        do throws(InvalidInput) {
          let found = try folder.digest(of: entry.key)
          guard found != expected.lowercased() else { continue }
          findings.add(
            "the digest does not match the file \(Excerpt(entry.key))",
            remedy: "if the file is correct, write \(found)", at: entry.value)
        } catch {
          findings.add(error.message, remedy: error.remedy, at: entry.keySpan.lowerBound)
        }
      }
      return pairs
    }
  }
}
