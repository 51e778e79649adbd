@testable import FixtureReplay

/// Any bytes as the data of a client: the requests, or the error, are the same however the bytes are split.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRequest(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  let whole = Reading(bytes, pieces: [bytes.count])
  let single = Reading(bytes, pieces: [])
  precondition(whole == single, "split byte by byte, the result differs")
  // The first byte sets the size of the pieces.
  let piece = bytes.first.map { Int($0) + 1 } ?? 1
  precondition(whole == Reading(bytes, pieces: Array(repeating: piece, count: bytes.count / piece)))
  for request in whole.requests {
    // Reading the fields must be safe, whatever they contain.
    let head = request.head
    precondition(!head.method.isEmpty && !head.requestTarget.isEmpty)
    _ = (head.host, head.port, head.fields, head.path, head.pathAndQuery, head.endsConnection)
    precondition(!(head.isChunked && head.contentLength != nil), "two lengths")
    if let length = head.contentLength { precondition(request.body.count == length) }
  }
  return 0
}

/// The result of reading bytes in pieces.
private struct Reading: Equatable {
  var requests: [ReplayRequest] = []
  var mistake: MalformedRequest?

  /// Reads the bytes in these pieces, and the rest byte by byte.
  init(_ bytes: [UInt8], pieces: [Int]) {
    var limits = RequestLimits()
    // Small limits, so that inputs reach them.
    limits.head = 512
    limits.body = 256
    var reader = ReplayRequestReader(limits: limits)
    var rest = bytes[...]
    var pieces = pieces[...]
    while !rest.isEmpty {
      let piece = pieces.popFirst() ?? 1
      reader.receive(Array(rest.prefix(piece)))
      rest = rest.dropFirst(piece)
      do throws(MalformedRequest) {
        try take(from: &reader)
      } catch {
        mistake = error
        return
      }
    }
  }

  /// Takes every complete request, as a connection does.
  private mutating func take(from reader: inout ReplayRequestReader) throws(MalformedRequest) {
    while true {
      switch try reader.next() {
      case .request(let request): requests.append(request)
      case .expectsContinue: break
      case .needsMore: return
      }
    }
  }
}
