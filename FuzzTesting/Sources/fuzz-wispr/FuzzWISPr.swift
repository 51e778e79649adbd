import FuzzSupport
import PortalAnalysis
import ProbeCore

/// Any bytes as a page that may contain WISPr messages: they are the same each time, are read in bounded
/// work, and do not change in a comment.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzWISPr(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  var messages: [WISPrMessage] = []
  checkWork(of: count) { messages = WISPrMessage.messages(in: bytes.span) }
  precondition(messages.count <= 16, "\(messages.count) messages")
  // An unknown word is in front, so that nothing before the first tag belongs to it.
  let within = Array("<!-- x ".utf8) + bytes
  precondition(WISPrMessage.messages(in: within.span) == messages, "other messages in a comment")
  for message in messages {
    for text in [message.loginURL, message.locationName, message.replyMessage, message.accessLocation] {
      guard let text else { continue }
      precondition(!text.isEmpty && text.utf8.count <= 2 * 8192, "a text of \(text.utf8.count) bytes")
    }
    precondition(!message.isLoginRedirect || message.loginURL != nil, "a redirect to nowhere")
    checkSafeToPrint("\(message.messageType?.description ?? "") \(message.responseCode?.description ?? "")")
  }
  return 0
}
