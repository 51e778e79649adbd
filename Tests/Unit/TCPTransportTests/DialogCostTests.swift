import ProbeCore
import Testing

@testable import Transports

/// The work that a hostile peer can cause.
@Suite struct DialogCostTests {
  /// The number of times a wait searched its bytes, received one at a time.
  private func looks(_ count: Int, every pause: Duration, _ term: Dialog.SearchTerm) throws -> Int {
    let search = StreamSearch(try CompiledSearchTerm(term))
    var wait = ExpectWait(deadline: .seconds(3600), maxBytes: count, searches: [search])
    let bytes = [UInt8](repeating: 0x61, count: count)
    var looks = 0
    for received in 1...count where wait.mustLook(at: received, now: pause * received) {
      wait.look(at: bytes[..<received], isLast: false)
      looks += 1
    }
    return looks
  }

  @Test func singleBytesAreSearchedInBatches() throws {
    // Sent at once, the number grows with the logarithm of the bytes.
    #expect(try looks(65_536, every: .zero, .matches("a+b")) < 60)
    // Sent over 655 s, it is bounded by the time.
    #expect(try looks(65_536, every: .milliseconds(10), .matches("a+b")) < 6700)
  }

  @Test func pendingBytesAreSearchedSoon() throws {
    var wait = ExpectWait(
      deadline: .seconds(5), maxBytes: 4000, searches: [StreamSearch(try CompiledSearchTerm(.matches("a+b")))]
    )
    let bytes = [UInt8](repeating: 0x61, count: 1001)
    let first = wait.mustLook(at: 1000, now: .zero)
    #expect(first)
    wait.look(at: bytes[..<1000], isLast: false)
    #expect(wait.nextQuestion == .seconds(5))
    let tooFew = wait.mustLook(at: 1001, now: .seconds(1))
    #expect(!tooFew)
    #expect(wait.nextQuestion == .milliseconds(1010))
    let due = wait.mustLook(at: 1001, now: .milliseconds(1010))
    #expect(due)
    wait.look(at: bytes[...], isLast: false)
    #expect(wait.nextQuestion == .seconds(5))
  }

  @Test func literalsAreSearchedForAtOnce() throws {
    #expect(try looks(1000, every: .zero, "ab") == 1000)
  }
}
