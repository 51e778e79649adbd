import Testing

@testable import ProbeReporting

@Suite struct ProgressLineTests {
  @Test func aShortRunShowsNothing() {
    var line = ProgressLine(total: 3)
    for _ in 0..<3 {
      line.oneFinished()
      #expect(line.text(at: .milliseconds(999)) == "")
    }
    #expect(line.erase() == "")
  }

  @Test func aLongRunShowsItsProgress() {
    var line = ProgressLine(total: 200)
    for _ in 0..<37 { line.oneFinished() }
    #expect(line.text(at: .seconds(12)) == "\r37/200 probes, 12 s\u{1B}[K")
    #expect(line.erase() == "\r\u{1B}[K")
    #expect(line.erase() == "", "it is gone")
  }

  @Test func updatesAreRateLimited() {
    var line = ProgressLine(total: 200)
    #expect(line.text(at: .seconds(1)) == "\r0/200 probes, 1 s\u{1B}[K")
    line.oneFinished()
    #expect(line.text(at: .milliseconds(1099)) == "")
    #expect(line.text(at: .milliseconds(1100)) == "\r1/200 probes, 1 s\u{1B}[K")
  }

  @Test func unchangedTextIsNotWrittenAgain() {
    var line = ProgressLine(total: 1)
    #expect(line.text(at: .milliseconds(2000)) == "\r0/1 probe, 2 s\u{1B}[K")
    #expect(line.text(at: .milliseconds(2900)) == "")
    #expect(line.text(at: .milliseconds(3000)) == "\r0/1 probe, 3 s\u{1B}[K")
  }

  @Test func theLineReappearsAfterOtherOutput() {
    var line = ProgressLine(total: 2)
    #expect(line.text(at: .seconds(5)) != "")
    #expect(line.erase() != "")
    #expect(line.text(at: .seconds(5)) == "\r0/2 probes, 5 s\u{1B}[K")
  }
}
