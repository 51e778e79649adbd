import ProbeCodecs
import ProbeCore
import TestSupport
import Testing

@testable import BlackboxExporter

/// A decoder that ends in a given state, because no input makes the libraries run out of memory.
private final class EndingDecoder: Unpacker {
  let isWhole = false
  private let state: UnpackingState

  init(_ state: UnpackingState) {
    self.state = state
  }

  func unpack(
    _ packed: Span<UInt8>, _ offset: inout Int, into room: inout [UInt8]
  ) -> (count: Int, state: UnpackingState) {
    (0, state)
  }
}

@Suite struct ModuleBodyTests {
  @Test(arguments: [(UnpackingState.broken, ReasonCode.bodyEncoding), (.noMemory, .noMemory)])
  func aDecoderThatFailsHasItsReason(_ state: UnpackingState, _ reason: ReasonCode) async throws {
    let share = ProbeMemory().share(of: "module", keepsBytes: true)
    let failure = await #expect(throws: ProbeFailure.self) {
      try await ModuleBody.decoded(
        [1], with: EndingDecoder(state), for: "br", limit: 100, keepsBytes: true, share, by: .now + plenty)
    }
    #expect(failure?.reason == reason)
    share.end()
  }
}
