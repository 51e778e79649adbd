@testable import ProbeServer

/// Any bytes as the data of a client of a service, which handles them immediately: the responses are the same
/// however the bytes are split, and each request has one.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzService(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  let whole = Service(bytes, pieces: [bytes.count])
  precondition(whole == Service(bytes, pieces: []), "split byte by byte, the result differs")
  // The first byte sets the size of the pieces.
  let piece = bytes.first.map { Int($0) + 1 } ?? 1
  precondition(whole == Service(bytes, pieces: Array(repeating: piece, count: bytes.count / piece)))
  for request in whole.requests {
    precondition(request.body.count <= Service.options.maximumBody, "a content beyond its limit")
    precondition(request.fields.allSatisfy { $0.name == $0.name.lowercased() })
    _ = AcceptedCodings(request).prefersGzip
  }
  return 0
}

/// The requests and the responses of a connection.
private struct Service: Equatable {
  static let options = {
    var options = HTTPServiceOptions()
    // Small limits, so that inputs reach them.
    options.maximumHead = 512
    options.maximumBody = 256
    options.hosts = .any
    options.admission = { $0.field("refuse") == nil ? nil : HTTPServiceFailure(status: 401, "refused") }
    return options
  }()

  var requests: [HTTPServiceRequest] = []
  var output: [UInt8] = []

  init(_ bytes: [UInt8], pieces: [Int]) {
    let now = ContinuousClock.now
    var connection = ServiceConnection(Self.options, now: now)
    var (rest, pieces) = (bytes[...], pieces[...])
    while !rest.isEmpty, !connection.isClosed {
      let piece = pieces.popFirst() ?? 1
      perform(connection.received(Array(rest.prefix(piece)), now: now), on: &connection, now)
      rest = rest.dropFirst(piece)
    }
    perform(connection.receivedEnd(), on: &connection, now)
    precondition(connection.isClosed, "a connection that does not end")
  }

  private mutating func perform(
    _ actions: [ServiceConnection.Action], on connection: inout ServiceConnection,
    _ now: ContinuousClock.Instant
  ) {
    var actions = actions
    while !actions.isEmpty {
      var following: [ServiceConnection.Action] = []
      for action in actions {
        precondition(!connection.isClosed || action == .close, "an action after the end")
        switch action {
        case .handle(let request):
          requests.append(request)
          let body = Array("\(request.method) \(request.path) \(request.query.count)".utf8)
          following += connection.responded(
            HTTPServiceResponse(contentType: "text/plain", body: body), now: now)
        case .send(let bytes):
          // A client that waits to continue may have sent its content already.
          if !bytes.starts(with: "HTTP/1.1 100".utf8) { output += bytes }
          following += connection.sent(now: now)
        case .cancel, .shutDown, .close: break
        }
      }
      actions = following
    }
  }
}
