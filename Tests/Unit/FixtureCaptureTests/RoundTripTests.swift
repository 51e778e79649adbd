import Foundation
import TestSupport
import Testing

/// Capturing a replayed fixture gives the bytes that the fixture sends, and a fixture that sends the same again.
@Suite struct RoundTripTests {
  @Test func capturedBytesAreThoseOnTheWire() async throws {
    let output = try TemporaryFile("")
    let program = try builtProgram("round-trip")
    let fixtures = projectFile("fixtures").path
    let code = try await onAThread {
      try runProgram(
        "sh", ["-c", "exec timeout 1800 \"$0\" \"$1\" >\"$2\" 2>&1", program, fixtures, output.path])
    }
    var lines = readText(output.path).split(separator: "\n").map(String.init)
    let summary = lines.popLast() ?? ""
    let last = summary.split(separator: " ").compactMap { Int($0) }
    #expect(lines == [])
    #expect(code == 0)
    try #require(last.count == 3, "\(summary)")
    let (captured, exchanges, responses) = (last[0], last[1], last[2])
    #expect(captured > 300)
    // Some names cannot be looked up, so that nothing is exchanged.
    #expect(exchanges > captured * 5)
    // The others were refused, truncated or delayed.
    #expect(responses > exchanges / 2)
  }
}
