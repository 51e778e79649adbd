import Foundation
import Glibc
import ProbeCore
import ProbeBase
import TestRequirements
import TestSupport
import Testing
import TestTransports

@testable import ProbeCommand
@testable import ProbeSystem
@testable import CommandKit

/// Output that is not read or cannot be written.
@Suite struct ScanBackPressureTests {
  /// A stalled reader pauses the probes, and nothing is lost when it continues.
  @Test(.patience(minutes: 2)) func aStalledReaderPausesTheProbes() async throws {
    let count = 12_000
    let requests = Guarded(0)
    let transport = FakeTransport { request in
      requests.withLock { $0 += 1 }
      return ProbeResponse(url: request.url, head: HTTPResponseHead(status: 204))
    }
    let (kept, whileAsleep) = (MemoryOutput(), Guarded(0))
    let keeping = kept.sink()
    let sink = OutputSink { bytes throws(OutputSink.Failure) in
      if whileAsleep.withLock({ $0 == 0 }) {
        while requests.withLock({ $0 < 1000 }) { usleep(1000) }
        // Waits until no more requests arrive.
        var last = -1
        while last != requests.withLock(\.self) {
          last = requests.withLock(\.self)
          usleep(100_000)
        }
        whileAsleep.withLock { $0 = last }
      }
      keeping.write(String(decoding: bytes, as: UTF8.self))
    }
    let label = String(repeating: "x", count: 200)
    let input = (0..<count).map {
      "{\"id\":\($0),\"url\":\"https://h\($0 % 100)/\",\"labels\":{\"a\":\"\(label)\"}}\n"
    }
    let scan = try await Scan(
      ["--allow-private", "--quiet"], input: input.joined(), plugins: .bundled(over: transport), output: sink)
    #expect(scan.code == .success)
    #expect(whileAsleep.withLock { $0 > 0 && $0 < count / 2 }, "\(whileAsleep.withLock(\.self)) requests")
    let lines = try Scan.lines(of: kept.text)
    #expect(Set(lines.compactMap { $0["id"] as? Int }).count == count && lines.count == count + 1)
    #expect(lines.last?["type"] as? String == "end")
  }

  @Test func unwritableOutputEndsTheScan() async throws {
    let requests = Guarded(0)
    let transport = FakeTransport { request in
      requests.withLock { $0 += 1 }
      return ProbeResponse(url: request.url, head: HTTPResponseHead(status: 204))
    }
    let input = (0..<20_000).map { "https://h\($0 % 100)/\n" }.joined()
    let scan = try await Scan(
      ["--allow-private", "-o", "/dev/full"], input: input, plugins: .bundled(over: transport))
    #expect(scan.code == .unavailable)
    #expect(scan.errors.contains("cannot be written: No space left on device"), "\(scan.errors)")
    #expect(requests.withLock(\.self) < 20_000)
  }
}
