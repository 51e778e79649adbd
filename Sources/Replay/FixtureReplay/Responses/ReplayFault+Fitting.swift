internal import ProbeHTTPWire
import ProbeCore

/// The reason why a route cannot have a fault, and the key of the fault that is wrong.
struct ReplayFaultError {
  var key = "kind"
  /// The description of the error.
  var message: String
  /// How to correct it.
  var remedy: String?
}

extension ReplayFault {
  /// The reason why a response with a head and content of these lengths is too short for the fault, or nil.
  func fittingError(head: Int, content: Int) -> ReplayFaultError? {
    if kind.needsContent, content == 0 {
      return ReplayFaultError(
        message: "the fault \(kind.rawValue) needs a response with a body", remedy: "add a body")
    }
    guard let bytes else { return nil }
    let (limit, what) =
      switch kind {
      case .rstAfter, .halfClose: (head + content, "the whole response")
      case .shortBody: (content - 1, "its body less one byte")
      case .headerCut: (head - 1, "its header less one byte")
      default: (Int.max, "")
      }
    guard bytes > limit else { return nil }
    return ReplayFaultError(
      key: "bytes",
      message: "the response is shorter: \(kind.rawValue) can have at most \(limit.bytes), \(what)",
      remedy: "use a smaller number")
  }

  /// The reason why a response with this framing cannot have the fault, or nil if it can.
  func fittingError(with wire: WireResponse, called name: String) -> ReplayFaultError? {
    guard kind == .chunkCut || kind == .chunkBad, wire.framing != nil, wire.framing != .chunked else {
      return nil
    }
    return ReplayFaultError(
      message: "the fault \(kind.rawValue) needs a chunked response, and \(name) is not chunked",
      remedy: "use respond, or a file with Transfer-Encoding: chunked")
  }
}

extension ReplayRoute {
  /// The reason why the route cannot have a fault, or nil if it can.
  func fittingError(of fault: ReplayFault) -> ReplayFaultError? {
    let isTCP = condition.possibleListeners == [.tcp]
    if isTCP, !fault.kind.fitsTCP {
      return ReplayFaultError(message: "the fault \(fault.kind.rawValue) is for HTTP", remedy: nil)
    }
    switch response {
    case .send(let bytes) where isTCP:
      return fault.fittingError(head: 0, content: bytes.count)
    case .send(let bytes):
      let wire = WireResponse(bytes, isToHead: condition.method?.pattern == "HEAD")
      let head = wire.headCount == 0 ? bytes.count : wire.headCount
      return fault.fittingError(with: wire, called: "the route's response")
        ?? fault.fittingError(head: head, content: wire.contentCount)
    case .respond(let composed):
      return fault.fittingError(head: composed.maximumHead, content: composed.body.count)
    case nil:
      let hasEnd = end != nil && end != .keep
      guard !fault.kind.needsNoResponse, fault.kind != .delay || !hasEnd else { return nil }
      return ReplayFaultError(
        message: "the fault \(fault.kind.rawValue) needs a response to change",
        remedy: "use rst-early, empty-fin or garbage")
    }
  }
}
