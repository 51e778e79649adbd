import FuzzSupport
@testable import PortalAnalysis
import ProbeCore

/// Any bytes as a response, head and body: the analysis is the same each time, takes bounded work and is safe
/// to print, and a browser can open each login URL.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPage(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  _ = firstReading
  let response = response(bytes)
  var found: ResponseAnalysis?
  checkWork(of: count) { found = analysis(of: response) }
  guard let found else { return 0 }
  precondition(found == analysis(of: response), "another analysis the second time")
  precondition(found.portal == nil || found.kind.role == .portal, "a login URL without a portal")
  if let portal = found.portal { checkOffered(portal.loginURL) }
  for sign in found.signs { checkSafeToPrint(sign.words) }
  let readings: [(ProbeResponse) -> [ProbeURL]] = [
    { PageReferences(ofPage: $0).references.map(\.url) },
    { PageReferences(ofPage: $0, inBrowser: true).references.map(\.url) },
    { PageReferences(ofSheet: $0).references.map(\.url) },
    { PageReferences.requestsOfScripts(inPage: $0).map(\.url) },
  ]
  for read in readings {
    checkWork(of: count) {
      for url in read(response) { precondition(url.host != "", "a reference to nowhere") }
    }
  }
  return 0
}

/// Creates the word lists and charset tables, which the first page needs, so that no input is
/// charged for them.
private let firstReading: Bool = {
  let high: [UInt8] = [0xE4, 0xF6, 0xC4, 0xE3]
  for charset in [
    "", "gb18030", "big5", "euc-kr", "shift_jis", "euc-jp", "iso-2022-jp", "utf-16be", "koi8-u",
  ] {
    _ = analysis(
      of: response(Array("<meta charset=\(charset)><a href=//gate.example/login>1</a><p>".utf8) + high))
  }
  return true
}()

private func analysis(of response: ProbeResponse) -> ResponseAnalysis {
  ResponseAnalysis(of: response, asked: probedURL) { scheme in
    switch scheme {
    case .http: .plaintext
    case .https: .encrypted
    default: nil
    }
  }
}

/// The response in the bytes: with a head if they begin with one, otherwise a page.
private func response(_ bytes: [UInt8]) -> ProbeResponse {
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
