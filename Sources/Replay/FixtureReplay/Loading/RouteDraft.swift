import ProbeCore
import SourceDocuments

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

  /// Reads a route.
  init(_ reader: inout MappingReader, folder: FixtureFolder) {
    let before = reader.findings.count
    node = reader.node
    let id = reader.optional(
      "id", .line, default: "route- and its number", summary: "the name of the route, unique in the file")
    let condition =
      reader.optional(
        "when", .condition,
        default: "every request over http and https",
        summary:
          "the requests that the route matches: all keys must match; * in a value matches any characters")
      ?? RouteCondition()
    let name = reader.optional(
      "send", .located(.nonEmptyText), summary: "a file in the folder whose bytes are sent unchanged")
    let composed = reader.optional(
      "respond", .composed(folder), summary: "a response made from these parts")
    let end = reader.optional(
      "end", FieldReader<ResponseEnd>.choice, default: "keep if the client can see the end of the response",
      summary: "what happens to the connection after the response")
    let goto = reader.optional(
      "goto", .line, summary: "the next state")
    let fault = reader.optional(
      "fault", .fault, summary: "a fault of the response or the connection")
    let sent = name.flatMap { folder.bytes(of: $0, reader.findings) }
    let response = sent.map(ReplayResponse.send) ?? composed.map(ReplayResponse.respond)
    hasID = id != nil
    sendName = name?.value
    let hasState = node.entry("when")?.value.entry("state") != nil
    hasReadableStates =
      node.isComplete && (node.entry("goto") == nil) == (goto == nil) && hasState == (condition.state != nil)
    isWhole = reader.findings.count == before && node.isComplete
    route = ReplayRoute(id ?? "", when: condition, response: response, end: end, goto: goto, fault: fault)
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
