@testable import FixtureCapture
import ProbeCore

/// Any bytes as sent and received data: redaction keeps their number, and leaves nothing that lint
/// would refuse.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRedaction(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  guard let url = try? ProbeURL("http://probe.example/check?token=89db8dfe") else {
    preconditionFailure("no URL")
  }
  let wire = WireRecord(sent: bytes, received: bytes, localAddress: IPAddress("10.9.8.77"))
  let exchange = RecordedExchange(url: url, wire: wire)
  let redaction = CaptureRedaction(learningFrom: [exchange])
  let redacted = redaction.redacted(exchange)
  guard let sent = redacted.wire?.sent, let received = redacted.wire?.received else {
    preconditionFailure("the record is lost")
  }
  precondition(sent.count == bytes.count && received.count == bytes.count, "the length has changed")
  precondition(redacted.url.string.utf8.count == url.string.utf8.count, "the URL's length has changed")
  precondition(PrivateData.found(in: received).allSatisfy(\.isPacked), "private data is left")
  return 0
}
