import TestSupport
import Testing

@testable import Transports

/// A literal is found wherever it is and however its bytes are segmented.
@Suite struct LiteralSearchTests {
  @Test func theSearchReturnsTheFirstPossibleStart() {
    var search = LiteralSearch(Array("aab".utf8))
    let stream = Array("xaaab".utf8)
    var starts: [Int] = []
    for end in 0...stream.count { starts.append(search.look(at: stream[..<end]).start) }
    #expect(starts == [0, 1, 1, 1, 2, 2])
    #expect(search.look(at: stream[...]) == (2, true))
  }

  @Test func agreesWithASimpleSearch() {
    var numbers = SeededNumbers(seed: 7)
    for _ in 0..<3000 {
      func bytes(_ count: ClosedRange<Int>) -> [UInt8] {
        (0..<Int.random(in: count, using: &numbers)).map { _ in .random(in: 0x61...0x62, using: &numbers) }
      }
      let (needle, stream) = (bytes(1...6), bytes(0...20))
      let first = stream.indices.first { stream[$0...].starts(with: needle) }
      var search = LiteralSearch(needle)
      for end in 0...stream.count {
        let (start, isFound) = search.look(at: stream[..<end])
        if isFound {
          #expect(start == first)
        } else {
          // The first position from which the remaining bytes are a prefix of the literal.
          let open = (0...end).first { needle.starts(with: stream[$0..<end]) }
          #expect(start == open, "\(needle) in \(stream[..<end])")
        }
      }
      #expect(search.look(at: stream[...]).isFound == (first != nil))
    }
  }
}
