import PortalAnalysis
import ProbeCore
import ProbePipeline
import Testing

@testable import ProbeReporting

/// The line of a text report on the portal's own statements.
@Suite struct PortalDescriptionTests {
  private func line(_ message: WISPrMessage? = nil, _ document: CapportDocument? = nil) throws -> String? {
    var result = try Samples.portal()
    result.portal?.wispr = message
    result.capport = try document.map {
      CapportResult(of: try Samples.url("https://portal.example/api"), $0)
    }
    let lines = TextReport(result).text.split(separator: "\n").filter { $0.hasPrefix("  portal: ") }
    #expect(lines.count <= 1)
    return lines.first.map { String($0.dropFirst("  portal: ".count)) }
  }

  private func named(_ name: String?, at location: String?) -> WISPrMessage {
    var message = WISPrMessage()
    (message.locationName, message.accessLocation) = (name, location)
    return message
  }

  @Test func unknownValuesAreNotReported() throws {
    #expect(try line() == nil)
    #expect(try line(WISPrMessage(), CapportDocument(captive: true)) == nil)
    #expect(try line(named("", at: "")) == nil)
  }

  static let venues: [(name: String?, location: String?, line: String)] = [
    ("ACME Hotel", "isocc=us,network=ACME", "ACME Hotel (network ACME, isocc=us)"),
    ("ACME Hotel", nil, "ACME Hotel"),
    (nil, "isocc=us, cc=1,NETWORK=ACME Lobby", "network ACME Lobby, isocc=us, cc=1"),
    (nil, "second floor", "second floor"),
    ("Hotel", ",=,network=", "Hotel (network , =)"),
  ]

  @Test(arguments: venues) func theLocationAndNetwork(_ name: String?, _ location: String?, _ words: String)
    throws
  {
    #expect(try line(named(name, at: location)) == words)
  }

  @Test func venueAndSession() throws {
    let venue = try Samples.url("https://venue.example/")
    #expect(
      try line(
        nil,
        CapportDocument(
          captive: true, venueInfoURL: venue, canExtendSession: true, timeRemaining: .seconds(90),
          bytesRemaining: 65536))
        == "about the venue: https://venue.example/; 90 s and 65536 bytes of the session remain, "
        + "the session can be extended")
    #expect(
      try line(nil, CapportDocument(captive: false, bytesRemaining: 0)) == "0 bytes of the session remain")
    #expect(
      try line(nil, CapportDocument(captive: true, canExtendSession: false))
        == "the session cannot be extended")
    #expect(
      try line(named("Café", at: nil), CapportDocument(captive: true, timeRemaining: .zero))
        == "Café; 0 s of the session remain")
  }

  @Test func hostileTextIsEscapedAndTruncated() throws {
    var message = Samples.wispr()
    message.locationName = Samples.hostile
    message.accessLocation = String(repeating: "x,", count: 100_000)
    let text = try #require(try line(message))
    #expect(text.isSafeToShow)
    #expect(text.count < 700)
    #expect(text.hasSuffix("…); it says \"Welcome \\u{202e}in\\x1b[2J\""))
  }
}
