import FoundationEssentials
import FuzzNetwork
import FuzzSupport
@testable import PortalAnalysis
@testable import PortalSurvey
import ProbeCore
@testable import ProbePipeline

/// Any bytes as the response of a captive portal API, and after a line of equals signs as its next one: a document with
/// pages that a browser can open, or an error; and reports with it that are safe to print.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCapport(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  guard let api = probedURL.resolve("https://api.example/capport") else { preconditionFailure("no URL") }
  checkWork(of: count) {
    let responses = ScriptedNetwork.parts(of: bytes).prefix(2).map { body in
      ProbeResponse(
        url: api, head: HTTPResponseHead(status: 200, fields: ["Content-Type": CapportDocument.mediaType]),
        body: body)
    }
    let result = result(of: api, responses[0])
    checkReports(result, [])
    var facts = PortalFacts(time: day, probeKitRun: result)
    facts.announcements = [.given(api.string, by: "a test")]
    var exchange = APIExchange(url: api, response: .success(responses[0]))
    (exchange.later, exchange.interval) = (responses.dropFirst().first, .milliseconds(1500))
    facts.api = exchange
    checkReports(PortalReport(facts), of: count)
  }
  return 0
}

private let day = Date(timeIntervalSince1970: 1_800_000_000)

private func result(of api: ProbeURL, _ response: ProbeResponse) -> RunResult {
  let capport: CapportResult
  do throws(InvalidInput) {
    let document = try CapportDocument(response)
    check(document)
    capport = CapportResult(of: api, document)
  } catch {
    checkSafeToPrint(error.description)
    capport = CapportResult(of: api, unavailable: .bodyMismatch, error.description)
  }
  return RunResult(
    pipeline: "fuzzed", verdict: capport.state == .captive ? .captivePortal : .inconclusive,
    portal: capport.loginURL.map { Portal(loginURL: $0, source: .capport) }, evidence: [], sets: [],
    duration: .milliseconds(1), capport: capport, time: day)
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
