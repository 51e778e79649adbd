import ProbeCore
import TestRequirements
import TestSupport
import Testing

@testable import Transports

/// Random dialogs over random streams, segmented at random: always the outcome of a single read.
@Suite(.heavy) struct ConversationPropertyTests {
  private static let term: [Dialog.SearchTerm] = [
    "a", "b", "ab", "ba", "aab", "abab", .hex("61 0a"), .text("AB", caseless: true), .text("é"), .hex("a9"),
    .matches("a+b"), .matches("(?<x>[ab]+)c"), .matches("(?s)a.*?c"), .matches("b$"), .matches(#"a\b"#),
    .matches("(?m)^(?<y>b.*)\n"), .matches("é+"), .matches("a(?!b)"), .matches("(?<=a)b"),
    .matches("(?s)c.*"),
    .matches("(?<x>c)|(?<y>bb)"), .matches(#"\R"#), .matches("[^a]b"),
  ]

  private static let pieces: [[UInt8]] = [
    [0x61], [0x61], [0x62], [0x62], [0x63], [0x0A], [0x0D, 0x0A], [0xC3, 0xA9], [0xC3], [0xFF], [0x00],
  ]

  private func dialog(_ numbers: inout SeededNumbers) throws -> Dialog {
    var steps: [Dialog.Step] = []
    for _ in 0..<Int.random(in: 1...4, using: &numbers) {
      let term = Self.term.randomElement(using: &numbers) ?? "a"
      switch Int.random(in: 0..<8, using: &numbers) {
      case 0, 1: steps.append(.reject(term))
      case 2: steps.append(.send("s"))
      case 3: steps.append(.expect(term, maxBytes: .random(in: 4...7, using: &numbers)))
      default: steps.append(.expect(term))
      }
    }
    steps.append(.expect(.matches("(?<x>[abc])(?<y>.)")))
    steps.append(.send("<${x}${y}>"))
    return try Dialog(steps)
  }

  /// The result of reading the entire stream at once: the simplest correct implementation.
  private func plainReading(_ dialog: Dialog, _ stream: [UInt8], maxBody: Int) -> Played {
    var played = Played()
    var unread = stream
    var rejects: [(step: Int, term: CompiledSearchTerm)] = []
    var captures: [String: [UInt8]] = [:]
    for (index, action) in dialog.script.actions.enumerated() {
      switch action {
      case .startTLS: break
      case .reject(let term): rejects.append((index, term))
      case .send(let template): played.sent.append(template.bytes(inserting: captures) ?? [])
      case .expect(let term, _, let maxBytes):
        let window = unread.prefix(maxBytes ?? maxBody)
        var first: (step: Int, range: Range<Int>, groups: [String: Range<Int>])?
        for candidate in rejects + [(step: index, term: term)] {
          var search = StreamSearch(candidate.term)
          search.look(at: window, isLast: true)
          guard case .found(let range, let groups) = search.finding else { continue }
          if let before = first, before.range.lowerBound <= range.lowerBound { continue }
          first = (candidate.step, range, groups)
        }
        guard let first, first.step == index else {
          played.reason = first == nil ? .bodyMismatch : .dialogRejected
          played.step =
            first.map { "step \($0.step + 1) (reject" } ?? "step \(index + 1) (expect"
          return played
        }
        for name in term.groupNames {
          captures[name] = first.groups[name].map { Array(unread[$0]) }
          played.captures[name] = captures[name].map { String(wireBytes: $0) }
        }
        unread.removeFirst(first.range.upperBound)
      }
    }
    return played
  }

  @Test(arguments: 1...8)
  func theOutcomeDoesNotDependOnSegmentation(seed: UInt64) throws {
    var numbers = SeededNumbers(seed: seed)
    for _ in 0..<120 {
      let stream = (0..<Int.random(in: 0...14, using: &numbers)).flatMap { _ in
        Self.pieces.randomElement(using: &numbers) ?? []
      }
      guard let dialog = try? dialog(&numbers) else { continue }
      let plain = plainReading(dialog, stream, maxBody: 9)
      for ending in Played.Ending.allCases {
        let whole = try Played(dialog, [stream].filter { !$0.isEmpty }, ending, maxBody: 9)
        #expect(whole.sent == plain.sent && whole.captures == plain.captures, "\(dialog.steps) \(stream)")
        #expect(
          whole.reason == plain.reason || (ending == .staysSilent && whole.reason == .responseTimeout),
          "\(dialog.steps) \(stream)")
        #expect(whole.step?.hasPrefix(plain.step ?? "-") ?? (plain.step == nil), "\(dialog.steps) \(stream)")
        for _ in 0..<6 {
          let cut = cut(stream, &numbers)
          #expect(try Played(dialog, cut, ending, maxBody: 9) == whole, "\(dialog.steps) \(cut) \(ending)")
        }
      }
    }
  }

  private func cut(_ stream: [UInt8], _ numbers: inout SeededNumbers) -> [[UInt8]] {
    var rest = stream[...]
    var pieces: [[UInt8]] = []
    let longest = Int.random(in: 1...6, using: &numbers)
    while !rest.isEmpty {
      let count = Int.random(in: 0...longest, using: &numbers)
      pieces.append(Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    return pieces
  }
}
