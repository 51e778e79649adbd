import ProbeCore
import ProbePipeline
import SourceDocuments

/// A `fixture.yaml` on its way to a fixture.
struct FixtureDocument {
  let findings: SourceFindings
  let folder: FixtureFolder

  init(_ findings: SourceFindings, folder: FixtureFolder) {
    self.findings = findings
    self.folder = folder
  }

  /// The fixture, as far as it can be made; what is wrong is among the findings.
  func fixture() -> Fixture? {
    guard let root = SourceDocument.read(findings), var reader = MappingReader(root, "a fixture", findings)
    else {
      return nil
    }
    _ = reader.required("version", .integer(in: 1...1), example: "1")
    let name = reader.required("name", .line, example: "my-portal")
    let vendor = reader.optional("vendor", .line)
    let source = reader.required(
      "source", .source, example: "{ kind: synthetic, reference: \"made by hand\" }")
    let expectation = reader.optional("expect", .expectation)
    let listeners = reader.optional("listeners", .listeners) ?? [:]
    let initial = reader.optional("initial", .placed(.line))
    let routes = reader.required("routes", .routes(of: route), example: "[]")
    let tls = reader.optional("tls", .hostRules(of: FieldReader<TLSMode>.choice)) ?? [:]
    let dns = reader.optional("dns", .hostRules(of: FieldReader<DNSAnswer>.dnsAnswer)) ?? [:]
    checkDigests(reader.entry("sha256"))
    reader.finish()

    let drafts = (routes ?? []).enumerated().map { $0.element.named("route-\($0.offset + 1)") }
    if root.isComplete, let routes, !routes.isEmpty {
      let hasInitial = root.entry("initial") != nil
      RouteTable(drafts, listeners: listeners, initial: initial?.value, hasInitial: hasInitial).check(
        findings)
    }
    guard let name, let source else { return nil }
    return Fixture(
      name: name, vendor: vendor, source: source, expectation: expectation, listeners: listeners,
      initialState: initial?.value, routes: drafts.map(\.route), tls: tls, dns: dns)
  }

  /// A route; never nil for a mapping, so that one mistake does not hide what is wrong between routes.
  private var route: FieldReader<RouteDraft> {
    FieldReader { node, _, findings in
      guard var reader = MappingReader(node, "a route", findings) else { return nil }
      let draft = RouteDraft(&reader, folder: folder)
      reader.finish()
      return draft
    }
  }

  /// The digests that files of the folder must have.
  private func checkDigests(_ entry: SourceEntry?) {
    guard let entry else { return }
    let digest = FieldReader<String>.text { (text) throws(InvalidInput) in
      let digits = text.utf8.count == 64 && text.unicodeScalars.allSatisfy(\.properties.isASCIIHexDigit)
      guard digits else {
        throw InvalidInput("\(Excerpt(text)) is no SHA-256 digest", remedy: "write its 64 hexadecimal digits")
      }
      return text.lowercased()
    }
    let reader = FieldReader<[(entry: SourceEntry, value: String)]>.dictionary(of: digest)
    for (entry, expected) in reader.value(of: entry.value, field: "sha256", findings) ?? [] {
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
  }
}

extension FieldReader where Value == [RouteDraft] {
  /// How many routes a fixture may have; they are compared with one another.
  private static var limit: Int { 1000 }

  /// The routes, unless there are too many.
  fileprivate static func routes(of route: FieldReader<RouteDraft>) -> FieldReader {
    FieldReader { node, field, findings in
      if case .sequence(let nodes) = node.content, nodes.count > limit {
        findings.add("a fixture has \(nodes.count) routes, more than \(limit)", at: node)
        return nil
      }
      return FieldReader.list(of: route).value(of: node, field: field, findings)
    }
  }
}
