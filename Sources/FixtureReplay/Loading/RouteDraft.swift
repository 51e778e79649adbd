import ProbeCore
import SourceDocuments

/// A route as it stands in a file: the route, and where its parts are.
struct RouteDraft {
  /// The route as far as it could be read.
  private(set) var route: ReplayRoute
  /// Where it stands, with its keys.
  let node: SourceNode
  /// Whether nothing was wrong with it, so that what is wrong with it as a whole can be told.
  let isWhole: Bool
  /// Whether the states it speaks of could be read, whatever else is wrong.
  let tellsStates: Bool
  /// Whether the file gives it a name.
  let hasID: Bool
  /// The name of the file with its raw answer.
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
      "send", .placed(.nonEmptyText), summary: "a file in the folder whose bytes are sent unchanged")
    let composed = reader.optional(
      "respond", .composed(folder), summary: "a response made from these parts")
    let end = reader.optional(
      "end", FieldReader<AnswerEnd>.choice, default: "keep if the client can see the end of the response",
      summary: "what happens to the connection after the response")
    let goto = reader.optional(
      "goto", .line, summary: "the next state")
    let fault = reader.optional(
      "fault", .fault, summary: "a fault of the response or the connection")
    let sent = name.flatMap { folder.bytes(of: $0, reader.findings) }
    let answer = sent.map(ReplayAnswer.send) ?? composed.map(ReplayAnswer.respond)
    hasID = id != nil
    sendName = name?.value
    let hasState = node.entry("when")?.value.entry("state") != nil
    tellsStates =
      node.isComplete && (node.entry("goto") == nil) == (goto == nil) && hasState == (condition.state != nil)
    isWhole = reader.findings.count == before && node.isComplete
    route = ReplayRoute(id ?? "", when: condition, answer: answer, end: end, goto: goto, fault: fault)
  }

  /// The same with a name for a route without one.
  func named(_ id: String) -> RouteDraft {
    var draft = self
    if !hasID { draft.route.id = id }
    return draft
  }

  /// Where the value of a key stands, such as `place("when", "state")`; the nearest that there is.
  func place(_ keys: String...) -> Int {
    var place = node.span.lowerBound
    var current: SourceNode? = node
    for key in keys {
      guard let entry = current?.entry(key) else { break }
      place = entry.value.span.lowerBound
      current = entry.value
    }
    return place
  }
}
