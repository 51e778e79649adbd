import ProbeCore
import ProbeBase
import TestSupport
import Testing
import TestTransports

@testable import ProbeCommand
@testable import ProbeSystem
@testable import CommandKit

/// The options of a scan.
@Suite struct ScanOptionsTests {
  static let mistakes: [(arguments: [String], error: String)] = [
    (["--part-lines", "5"], "--part-lines is for a scan in parts"),
    (["--parts", "a", "-o", "b"], "--parts and --output cannot be combined"),
    (["--contact", "a@b.example", "--user-agent", "c"], "--user-agent and --contact cannot be combined"),
    (["--input", "-", "-i", "-"], "standard input is used for the URLs and for another file"),
    (["--data", "@-"], "standard input is used for the URLs and for another file"),
    (["--rate", "0"], "is not a rate"), (["--rate", "5/d"], "is not a rate"),
    (["--rate", "-1/s"], "is not a rate"),
    (["--rate", "nan"], "is not a rate"), (["--rate", "1e-9/h"], "is not a rate"),
    (["--shard", "3/2"], "is not a shard"), (["--contact", "a b"], "cannot be a contact"),
    (["--contact", "a)b"], "cannot be a contact"), (["--parts", ""], "the path is empty"),
    (["https://a.example/"], "this is a URL, not a pipeline file"), (["--per-host", "0"], "--per-host"),
    (["--part-lines", "0", "--parts", "a"], "--part-lines"),
  ]

  @Test(arguments: mistakes) func badOptionsAreRefused(_ arguments: [String], error: String) async throws {
    let scan = try await Scan(arguments, input: "https://a.example/")
    #expect(scan.code == .usage)
    #expect(scan.output.isEmpty)
    #expect(scan.errors.contains(error), "\(scan.errors)")
  }

  @Test(arguments: [("50/s", 20), ("2.5", 400), ("60/m", 1000), ("3600/h", 1000)] as [(String, Int)])
  func rates(_ text: String, milliseconds: Int) async throws {
    let clock = ManualClock()
    let start = clock.now
    let times = Guarded<[Duration]>([])
    let transport = FakeTransport { request in
      times.withLock { $0.append(start.duration(to: clock.now)) }
      return ProbeResponse(url: request.url, head: HTTPResponseHead(status: 204))
    }
    let interval = Duration.milliseconds(milliseconds)
    let tool = CommandLineTool(commands: [ScanCommand(plugins: try .bundled(over: transport), clock: clock)])
    let input = (0..<3).map { "https://h\($0)/\n" }.joined()
    let output = MemoryOutput()
    async let code = tool.run(
      arguments: ["scan", "--quiet", "--allow-private", "--rate", text].map { Array($0.utf8) },
      environment: [:],
      input: InputSource(input), output: output.sink(), errors: output.sink())
    for _ in 1...2 {
      await clock.waitForSleeper()
      clock.advance(by: interval)
    }
    #expect(await code == .success)
    let starts = times.withLock { $0.sorted() }
    #expect(starts.count == 3)
    for (number, start) in starts.enumerated() { #expect(start >= interval * number) }
  }
}
