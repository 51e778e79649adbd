import FixtureCapture
import ProbeCore
import Testing

/// An exchange with the text as its response, between the client 10.9.8.77 and the gateway 10.9.8.1.
func exchange(
  _ url: String = "http://probe.example/check", sent: String = "", received: String = ""
) throws -> RecordedExchange {
  try exchange(url, sent: Array(sent.utf8), received: Array(received.utf8))
}

/// The same with bytes.
func exchange(
  _ url: String = "http://probe.example/check", sent: [UInt8] = [], received: [UInt8]
) throws -> RecordedExchange {
  let wire = WireRecord(sent: sent, received: received, localAddress: IPAddress("10.9.8.77"))
  let gateway = try #require(IPAddress("10.9.8.1"))
  return RecordedExchange(
    url: try ProbeURL(url), wire: wire, remoteAddress: SocketAddress(gateway, port: 80))
}

/// The text of a response with a body.
func page(_ body: String, type: String = "text/html") -> String {
  "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
}

extension RecordedExchange {
  /// The received bytes, as text.
  var receivedText: String { String(decoding: wire?.received ?? [], as: UTF8.self) }
  /// The sent bytes, as text.
  var sentText: String { String(decoding: wire?.sent ?? [], as: UTF8.self) }
  /// The exchange, redacted without others.
  var redactedAlone: RecordedExchange { CaptureRedaction(learningFrom: [self]).redacted(self) }
}

/// A page's text, redacted without others.
func redactedPage(_ body: String) throws -> String {
  let redacted = try exchange(received: page(body)).redactedAlone.receivedText
  #expect(redacted.utf8.count == page(body).utf8.count)
  return String(redacted.dropFirst(page(body).count - body.count))
}
