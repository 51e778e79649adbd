import FuzzSupport
import PortalAnalysis
import ProbeCore

/// Any bytes as the response of a captive portal API: a document with pages that a browser can open,
/// or an error.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCapport(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  guard let api = probedURL.resolve("https://api.example/capport") else { preconditionFailure("no URL") }
  let answer = ProbeResponse(
    url: api, head: HTTPResponseHead(status: 200, fields: ["Content-Type": CapportDocument.mediaType]),
    body: bytes)
  checkWork(of: count) {
    do throws(InvalidInput) {
      check(try CapportDocument(answer))
    } catch {
      checkSafeToPrint(error.description)
    }
  }
  return 0
}

private func check(_ document: CapportDocument) {
  if let page = document.userPortalURL {
    precondition(page.scheme == .https, "a page of the scheme \(page.scheme)")
    checkOffered(page)
  }
  if let page = document.venueInfoURL { checkOffered(page) }
  precondition(
    document.bytesRemaining ?? 0 >= 0 && document.timeRemaining ?? .zero >= .zero, "a negative amount")
}
