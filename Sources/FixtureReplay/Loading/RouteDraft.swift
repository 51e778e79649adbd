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
      "id", .line, summary: "the name of the route, unique in the file")
    let condition =
      reader.optional(
        "when", .condition,
        summary:
          "which requests the route is for; what is not given does not matter, and * stands for anything")
      ?? RouteCondition()
    let name = reader.optional(
      "send", .placed(.nonEmptyText), summary: "the file whose bytes go out as they are")
    let composed = reader.optional(
      "respond", .composed(folder), summary: "an answer that is put together")
    let end = reader.optional(
      "end", FieldReader<AnswerEnd>.choice, summary: "the end of the connection after the response")
    let goto = reader.optional(
      "goto", .line, summary: "the next state")
    let fault = reader.optional(
      "fault", .fault, summary: "the fault of the response")
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
