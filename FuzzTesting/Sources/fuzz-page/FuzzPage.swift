import FuzzSupport
@testable import PortalAnalysis
import ProbeCore

/// Any bytes as an answer, head and body: what it tells is the same each time, told in bounded work and safe to print,
/// and each place to log in is one that a browser opens.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPage(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  _ = firstReading
  let answer = answer(bytes)
  var told: AnswerAnalysis?
  checkWork(of: count) { told = analysis(of: answer) }
  guard let told else { return 0 }
  precondition(told == analysis(of: answer), "something else the second time")
  precondition(told.portal == nil || told.kind.role == .portal, "a portal that is none")
  if let portal = told.portal { checkOffered(portal.loginURL) }
  for sign in told.signs { checkSafeToPrint(sign.words) }
  for read in [PageReferences.init(ofPage:), PageReferences.init(ofSheet:)] {
    checkWork(of: count) {
      for reference in read(answer).references {
        precondition(reference.url.host != "", "a reference to nowhere")
      }
    }
  }
  return 0
}

/// Lists of words and tables of charsets are made when the first page needs them: that cost is not charged to any input.
private let firstReading: Bool = {
  let high: [UInt8] = [0xE4, 0xF6, 0xC4, 0xE3]
  for charset in [
    "", "gb18030", "big5", "euc-kr", "shift_jis", "euc-jp", "iso-2022-jp", "utf-16be", "koi8-u",
  ] {
    _ = analysis(
      of: answer(Array("<meta charset=\(charset)><a href=//gate.example/login>1</a><p>".utf8) + high))
  }
  return true
}()

private func analysis(of answer: ProbeResponse) -> AnswerAnalysis {
  AnswerAnalysis(of: answer, asked: probedURL) { scheme in
    switch scheme {
    case .http: .plaintext
    case .https: .encrypted
    default: nil
    }
  }
}

/// The answer that bytes are: with a head where one is in front, otherwise a page.
private func answer(_ bytes: [UInt8]) -> ProbeResponse {
  var end = 0
  while end < bytes.count, !bytes[end...].starts(with: "\n\n".utf8),
    !bytes[end...].starts(with: "\n\r\n".utf8)
  {
    end += 1
  }
  let head = HTTPResponseHead(wireBytes: Array(bytes[..<end]))
  let body = head == nil ? bytes : Array(bytes[end...].dropFirst(2))
  return ProbeResponse(
    url: probedURL, head: head ?? HTTPResponseHead(status: 200, fields: ["Content-Type": "text/html"]),
    body: body,
    redirects: RedirectHop(of: head, from: probedURL).map { [$0] } ?? [])
}
