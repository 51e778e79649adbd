@testable import FixtureCapture
@testable import FixtureReplay
import ProbeCore

/// Any bytes as the response of a server: every reader finds the same head, and no byte is lost or added.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzResponse(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  let response = ResponseBytes(http: bytes)
  precondition(response.all == bytes, "split after the head, the bytes differ")
  _ = (response.keepsConnection, response.values(of: "content-length"))
  if !response.head.isEmpty {
    let head = response.head(without: ["transfer-encoding"], adding: ["X-Last: 1"])
    precondition(
      ResponseBytes(http: head + response.body).body == response.body, "an added line ends the head")
  }
  if let head = HTTPResponseHead(wireBytes: bytes) {
    precondition((0...999).contains(head.status), "a status of \(head.status)")
    for field in head.fields { precondition(!field.name.isEmpty && !field.value.contains("\n")) }
  }
  if let recorded = RecordedResponse(bytes[...]) {
    precondition(recorded.bytes == bytes, "taken apart and put together, the bytes differ")
  }
  let (content, end) = ChunkedContent.parts(of: bytes, from: 0)
  var offset = 0
  for part in content {
    precondition(
      part.lowerBound >= offset && part.upperBound <= bytes.count, "content out of order or beyond the end")
    offset = part.upperBound
  }
  precondition((offset...bytes.count).contains(end))
  return 0
}
