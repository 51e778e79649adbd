internal import ProbeCore
package import SourceDocuments

/// A route as written in a file, with the offsets of its parts.
struct RouteDraft {
  /// The route as far as it could be read.
  private(set) var route: ReplayRoute
  /// Its node in the document.
  let node: SourceNode
  /// Whether it has no errors, so that it can be checked as a whole.
  let isWhole: Bool
  /// Whether its states could be read, even if other parts could not.
  let hasReadableStates: Bool
  /// Whether the file gives it an ID.
  let hasID: Bool
  /// The name of the file with its raw response, if any.
  let sendName: String?

  init(_ reader: inout MappingReader, folder: FixtureFolder) {
    let before = reader.findings.count
    node = reader.node
    let id = reader.optional(
      "id", .line, default: "route- and its number", summary: "the name of the route, unique in the file")
    route = ReplayRoute(id ?? "")
    reader.read(
      into: &route.condition, "when", .condition, default: "every request over http and https",
      summary:
        "the requests that the route matches: all keys must match; * in a value matches any characters")
    let name = reader.optional(
      "send", .located(.nonEmptyText), summary: "a file in the folder whose bytes are sent unchanged")
    let composed = reader.optional("respond", .composed(folder), summary: "a response made from these parts")
    route.end = reader.optional(
      "end", .choice, default: "keep if the client can see the end of the response",
      summary: "what happens to the connection after the response")
    route.goto = reader.optional("goto", .line, summary: "the next state")
    route.fault = reader.optional("fault", .fault, summary: "a fault of the response or the connection")
    let sent = name.flatMap { folder.bytes(of: $0, reader.findings) }
    route.response = sent.map(ReplayResponse.send) ?? composed.map(ReplayResponse.respond)
    hasID = id != nil
    sendName = name?.value
    let hasState = node.entry("when")?.value.entry("state") != nil
    hasReadableStates =
      node.isComplete && (node.entry("goto") == nil) == (route.goto == nil)
      && hasState == (route.condition.state != nil)
    isWhole = reader.findings.count == before && node.isComplete
  }

  /// A copy with this ID, if the file gives it none.
  func named(_ id: String) -> RouteDraft {
    var draft = self
    if !hasID { draft.route.id = id }
    return draft
  }

  /// The offset of the value at a path of keys, such as `offset(of: "when", "state")`, or of its closest
  /// existing ancestor.
  func offset(of keys: String...) -> Int {
    var offset = node.span.lowerBound
    var current: SourceNode? = node
    for key in keys {
      guard let entry = current?.entry(key) else { break }
      offset = entry.value.span.lowerBound
      current = entry.value
    }
    return offset
  }
}

extension FieldReader where Value == RouteCondition {
  static var condition: FieldReader {
    .mapping(into: RouteCondition()) { condition, reader in
      condition.state = reader.optional("state", .line, summary: "the current state")
      condition.listener = reader.optional(
        "listener", .choice, default: "http and https; tcp with receive", summary: "the listener")
      condition.method = reader.optional("method", .method, summary: "the request method, case-sensitive")
      condition.host = reader.optional("host", .host, summary: "the host of the request")
      condition.port = reader.optional("port", .port, summary: "the port of the request")
      condition.path = reader.optional(
        "path", .path, summary: "the path; if the pattern has a ?, the path and the query")
      reader.read(
        into: &condition.headers, "headers", .headerConditions,
        summary: "header fields of the request, with patterns of their values")
      reader.read(
        into: &condition.query, "query", .fieldConditions,
        summary: "fields of the query, with patterns of their values")
      reader.read(
        into: &condition.form, "form", .fieldConditions,
        summary:
          "fields of the form in the content, with patterns of their values; the form is url-encoded or multipart, at most 1 MiB"
      )
      condition.receive = reader.optional(
        "receive", .nonEmptyText,
        summary:
          "the input from the client of a plain TCP connection: a line without its end or, if the pattern has a control "
          + "character, the first bytes"
      ).map { Glob($0) }
    }
  }
}

extension FieldReader where Value == Glob {
  static var method: FieldReader {
    .text("a method", schema: .text(pattern: "^\(ValueSchema.token)$")) { (text) throws(InvalidInput) in
      guard !text.isEmpty, text.utf8.allSatisfy(\.isTokenCharacter) else {
        throw InvalidInput(
          "\(Excerpt(text)) is not a method", remedy: "write it as GET or POST, or * for any")
      }
      let usual = ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"]
      if let other = usual.first(where: { $0 == text.uppercased() && $0 != text }) {
        throw InvalidInput("methods are case-sensitive (RFC 9110 §9.1)", remedy: "did you mean \(other)?")
      }
      return Glob(text)
    }
  }

  static var host: FieldReader {
    .text("a host", schema: .text(pattern: "^[0-9A-Za-z._*:-]+$")) { (text) throws(InvalidInput) in
      try HostPattern.check(text)
      return Glob(text, isCaseSensitive: false)
    }
  }

  static var port: FieldReader {
    .text("a port", schema: .port) { (text) throws(InvalidInput) in
      let isPattern = text.utf8.contains(UInt8(ascii: "*"))
      let isPort = UInt16(text: text).map { $0 > 0 && String($0) == text } ?? false
      guard isPort || isPattern && text.utf8.allSatisfy({ $0.isASCIIDigit || $0 == UInt8(ascii: "*") }) else {
        throw InvalidInput(
          "\(Excerpt(text)) is not a port", remedy: "write a number from 1 to 65535, or a pattern such as 80*"
        )
      }
      return Glob(text)
    }
  }

  /// A path, including the query if it contains a `?`.
  static var path: FieldReader {
    .text("a path", schema: .path) { (text) throws(InvalidInput) in
      guard text.hasPrefix("/") || text.hasPrefix("*") else {
        throw InvalidInput("\(Excerpt(text)) is not a path", remedy: "start it with / or *")
      }
      if let offset = text.utf8.firstIndex(where: { $0 <= 0x20 || $0 >= 0x7F || $0 == UInt8(ascii: "#") }) {
        throw InvalidInput(
          "a path cannot contain this character", remedy: "write it percent-encoded, such as %20",
          offset: text.utf8.distance(from: text.startIndex, to: offset))
      }
      return Glob(text)
    }
  }
}

extension FieldReader where Value == [RouteCondition.HeaderCondition] {
  /// Header fields with the patterns of their values.
  static var headerConditions: FieldReader {
    let pairs = FieldReader<[(entry: SourceEntry, value: String)]>.dictionary(of: .text) {
      name throws(InvalidInput) in
      guard !name.isEmpty, name.utf8.allSatisfy(\.isTokenCharacter) else {
        throw InvalidInput("\(Excerpt(name)) is not a header field name")
      }
    }
    return pairs.map { pairs, _, _ in
      pairs.map { RouteCondition.HeaderCondition(name: $0.entry.key, value: $0.value) }
    }
  }
}

extension FieldReader where Value == [RouteCondition.FieldCondition] {
  /// Fields of a query or a form with the patterns of their values.
  static var fieldConditions: FieldReader {
    FieldReader<[(entry: SourceEntry, value: String)]>.dictionary(of: .text).map { pairs, _, _ in
      pairs.map { RouteCondition.FieldCondition(name: $0.entry.key, value: $0.value) }
    }
  }
}

extension FieldReader where Value == ReplayFault {
  static var fault: FieldReader {
    .mapping(into: ReplayFault(.delay)) { fault, reader in
      reader.required(into: &fault.kind, "kind", .choice, example: "rst-early", summary: "the kind of fault")
      fault.bytes = reader.optional(
        "bytes", .integer(in: 1 ... .max), default: "depends on the kind",
        summary:
          "the number of bytes, for rst-after, half-close, short-body, header-cut, slow-headers and slow-body"
      )
      fault.every = reader.optional(
        "every", .duration(in: .milliseconds(1) ... .seconds(3600)),
        default: "100ms",
        summary: "the time between two parts, for slow-headers and slow-body")
      fault.duration = reader.optional(
        "for", .duration(in: .milliseconds(1) ... .seconds(3600)),
        summary: "the length of the delay; required for delay")
      fault.requests = reader.optional(
        "requests", .oneOrMore(of: .integer(in: 1...1_000_000)),
        default: "all", summary: "the requests that the fault applies to, by their number from 1"
      ).map { Set($0) }
      guard reader.hasRequired else { return }
      let kind = fault.kind
      for key in ["bytes", "every", "for"] where !kind.parameters.contains(key) {
        guard let entry = reader.node.entry(key) else { continue }
        let use =
          kind.parameters.isEmpty ? "omit it" : "use \(kind.parameters.alternatives), or omit it"
        reader.findings.add(
          "the fault \(kind.rawValue) has no \(key)", remedy: use, at: entry.keySpan.lowerBound)
      }
      if kind == .delay, reader.node.entry("for") == nil, reader.node.isComplete {
        reader.findings.add(
          "the fault delay requires a time", remedy: "add a line such as for: 2s", at: reader.node)
      }
    }
  }
}

extension ReplayFault.Kind {
  /// The keys it accepts besides `kind` and `requests`.
  var parameters: [String] {
    switch self {
    case .delay: ["for"]
    case .rstAfter, .halfClose, .shortBody, .headerCut: ["bytes"]
    case .slowHeaders, .slowBody: ["bytes", "every"]
    default: []
    }
  }

  /// Whether it replaces the response, so that the route needs none.
  var needsNoResponse: Bool {
    switch self {
    case .rstEarly, .emptyFin, .garbage, .continueForever, .endlessHeaders, .endlessBody: true
    default: false
    }
  }

  /// Whether it can also be injected into a connection without HTTP.
  var fitsTCP: Bool {
    switch self {
    case .delay, .rstEarly, .rstAfter, .emptyFin, .halfClose, .garbage, .slowBody, .stallBody, .endlessBody:
      true
    default: false
    }
  }

  /// Whether it affects the content of a response, which must then have some.
  var needsContent: Bool {
    switch self {
    case .shortBody, .slowBody, .stallBody, .chunkCut, .chunkBad, .badGzip: true
    default: false
    }
  }
}

extension ReplayFault {
  /// Reads a fault as in `fixture.yaml`.
  package static var reader: FieldReader<ReplayFault> { .fault }
}
