import FuzzSupport
@testable import Transports

/// Any bytes as a body with content codings, which the first byte selects: the limit is observed, the work is
/// bounded, and without errors the result does not depend on the pieces.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzContent(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  guard bytes.count > 1 else { return 0 }
  let names = ["gzip", "deflate", "br", "zstd"]
  var codings = [names[Int(bytes[0] & 3)]]
  if bytes[0] & 4 != 0 { codings.append(names[Int(bytes[0] >> 3 & 3)]) }
  let body = Array(bytes.dropFirst())
  let limit = 100_000
  checkWork(of: count) {
    let whole = decoded(body, codings, piece: body.count, limit)
    let pieces = decoded(body, codings, piece: 1 + Int(bytes[0] >> 5), limit)
    precondition(whole.body.count <= limit && pieces.body.count <= limit, "more than the limit")
    if whole.isGood, pieces.isGood {
      precondition(whole.body == pieces.body, "the body depends on the pieces")
      precondition(whole.findings == pieces.findings, "the findings depend on the pieces")
    }
    let usesZlib = codings.allSatisfy { $0 == "gzip" || $0 == "deflate" }
    precondition(!usesZlib || whole.isGood == pieces.isGood, "the validity depends on the pieces")
  }
  return 0
}

private func decoded(
  _ bytes: [UInt8], _ codings: [String], piece: Int, _ limit: Int
) -> (body: [UInt8], findings: [ContentDecoder.Finding], isGood: Bool) {
  var (decoder, body) = (ContentDecoder(codings, limit: limit), [UInt8]())
  do throws(ContentDecoder.CodingError) {
    for start in stride(from: 0, to: bytes.count, by: piece) {
      let part = bytes.span.extracting(start..<min(start + piece, bytes.count))
      if try decoder.take(part, into: &body) == .limitReached { break }
    }
    decoder.end()
  } catch {
    return (body, decoder.findings, false)
  }
  return (body, decoder.findings, true)
}
