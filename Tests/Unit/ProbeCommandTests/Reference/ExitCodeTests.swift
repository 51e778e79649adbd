import Testing

@testable import CommandKit
@testable import ProbeCommand

/// The exit codes of the command, and the one for several results.
@Suite struct ExitCodeTests {
  @Test func theWorstCodeIsReturned() {
    func worst(_ codes: Int32...) -> Int32 { ExitCode.worst(of: codes.map(ExitCode.init)).rawValue }
    #expect(worst() == 0)
    #expect(worst(0, 1, 0) == 1)
    #expect(worst(1, 2, 0) == 2)
    #expect(worst(2, 65, 1) == 65)
    #expect(worst(65, 69) == 69)
    #expect(worst(69, 70, 2) == 70)
    #expect(worst(0, 9) == 9)
    #expect(worst(9, 1) == 1)
    #expect(worst(70, 64) == 64)
    #expect(Set(ExitCode.meanings.map(\.code.rawValue)) == [0, 1, 2, 64, 65, 69, 70])
  }
}
