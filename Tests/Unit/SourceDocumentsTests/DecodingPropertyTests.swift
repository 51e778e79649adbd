import Validators
import Foundation
import ProbeCore
import SourceDocuments
import Transports
import TestRequirements
import TestSupport
import Testing

/// Decoding compared with Foundation's `JSONDecoder`, and with random values.
@Suite(.heavy) struct DecodingPropertyTests {
  struct Wide: Codable, Equatable {
    var bool: Bool?
    var int: Int?
    var small: Int8?
    var unsigned: UInt64?
    var double: Double?
    var float: Float?
    var text: String?
    var choice: DecodedTypes.Plain.Colour?
    var numbers: [Int]?
    var maybe: [Int?]?
    var table: [String: [String]]?
    var tree: DecodedTypes.Tree?
    var plain: DecodedTypes.Plain?
  }

  /// JSON in which most values fit their keys.
  private struct Writer {
    var numbers: SeededNumbers

    mutating func object() -> String {
      let keys = [
        "bool", "int", "small", "unsigned", "double", "float", "text", "choice", "numbers", "maybe", "table",
        "tree",
      ]
      let members = keys.filter { _ in chance(3) }.map { key in "\"\(key)\": \(value(key))" }
      return "{\(members.joined(separator: ", "))}"
    }

    private mutating func value(_ key: String) -> String {
      if numbers.next() % 24 == 0 {
        return ["null", "[]", "{}", "true", "7", "\"x\"", "-1", "300", "1.5"].randomElement(using: &numbers)
          ?? ""
      }
      switch key {
      case "bool": return chance(2) ? "true" : "false"
      case "int": return "\(Int(truncatingIfNeeded: numbers.next()))"
      case "small": return "\(Int.random(in: -140...140, using: &numbers))"
      case "unsigned": return "\(numbers.next())"
      case "double", "float": return "\(Double.random(in: -1e6...1e6, using: &numbers))"
      case "text": return text()
      case "choice":
        return ["\"red\"", "\"green\"", "\"dark-blue\"", "\"blue\""].randomElement(using: &numbers) ?? ""
      case "numbers": return "[\(list { "\($0.numbers.next() % 1000)" })]"
      case "maybe": return "[\(list { $0.chance(2) ? "null" : "\($0.numbers.next() % 1000)" })]"
      case "table": return "{\(list { "\"k\($0.numbers.next())\": [\($0.list { $0.text() })]" })}"
      default: return tree(3)
      }
    }

    private mutating func tree(_ depth: Int) -> String {
      let children = depth == 0 || chance(2) ? "" : ", \"children\": [\(list { $0.tree(depth - 1) })]"
      return "{\"label\": \(text())\(children)}"
    }

    private mutating func text() -> String {
      let letters = ["a", "no", "~", " ", "é", "\\n", "\\\"", ": ", "# ", "\\u0041", "{", "1"]
      return "\""
        + (0..<(numbers.next() % 5)).map { _ in letters.randomElement(using: &numbers) ?? "" }.joined() + "\""
    }

    private mutating func list(_ item: (inout Self) -> String) -> String {
      (0..<(numbers.next() % 4)).map { _ in item(&self) }.joined(separator: ", ")
    }

    private mutating func chance(_ count: UInt64) -> Bool { numbers.next() % count != 0 }
  }

  @Test func jsonDecodingMatchesFoundation() throws {
    var writer = Writer(numbers: SeededNumbers(seed: 5))
    var (good, bad) = (0, 0)
    for _ in 0..<400 {
      let json = writer.object()
      let expected = try? JSONDecoder().decode(Wide.self, from: Data(json.utf8))
      let (value, findings) = DecodedTypes.decode(Wide.self, json)
      // A text accepts numbers and booleans here, which Foundation's does not.
      if let expected {
        #expect(value == expected, "\(json)")
        #expect(findings.isEmpty, "\(json)")
        good += 1
      } else if value == nil {
        #expect(!findings.isEmpty, "\(json)")
        bad += 1
      }
    }
    #expect(good > 100 && bad > 20)
  }

  /// Values of every kind for every key: nothing crashes, and each value that cannot be decoded has an error.
  @Test func everyValueIsDecodedOrReported() {
    var numbers = SeededNumbers(seed: 7)
    let scalars = ["x", "\"x\"", "7", "-1", "true", "~", "5s", "\"\"", "red", "1e9", "'é'"]
    let keys = [
      "name", "count", "inner", "inners", "deep", "children", "label", "text", "left", "even", "wait", "low",
      "high", "outer", "list", "base", "value", "pattern", "options", "matches", "equals", "trim", "below",
      "initial", "env",
    ]
    func value(_ depth: Int) -> String {
      switch depth == 0 ? 0 : numbers.next() % 4 {
      case 0: return scalars.randomElement(using: &numbers) ?? ""
      case 1:
        return "[" + (0..<(numbers.next() % 4)).map { _ in value(depth - 1) }.joined(separator: ", ") + "]"
      default:
        let chosen = keys.shuffled(using: &numbers).prefix(Int(numbers.next() % 5))
        return "{" + chosen.map { "\($0): \(value(depth - 1))" }.joined(separator: ", ") + "}"
      }
    }
    func check<Value: Decodable>(_ type: Value.Type, _ text: String) {
      let (value, findings) = DecodedTypes.decode(type, text)
      #expect((value == nil) == !findings.isEmpty, "\(type): \(text)")
    }
    for _ in 0..<200 {
      let text = value(4)
      check(DecodedTypes.Plain.self, text)
      check(DecodedTypes.Either.self, text)
      check(DecodedTypes.Nested.self, text)
      check(DecodedTypes.Tree.self, text)
      check(DecodedTypes.OneOf.self, text)
      check(DecodedTypes.Loose.self, text)
      check([DecodedTypes.Timed].self, text)
      check([String: DecodedTypes.Even].self, text)
      check(EqualsValidator.Options.self, text)
      check([MatchesValidator.Options].self, text)
      check(HeaderValidator.Options.self, text)
      check(StatusValidator.Options.self, text)
      check(LatencyValidator.Options.self, text)
      check(Dialog.self, text)
      check([String: SecretSource].self, text)
    }
  }

  @Test func manyErrorsCostLittle() {
    let items = Array(repeating: "{ label: [], children: x, more: 1 }", count: 5000).joined(separator: ", ")
    let start = threadTime()
    let (value, findings) = DecodedTypes.decode(
      DecodedTypes.Tree.self, "{ label: a, children: [\(items)] }")
    #expect(value == nil && !findings.isEmpty)
    #expect(threadTime() - start < 10)
  }

  @Test func treesNearTheDepthLimitAreDecoded() throws {
    let text = String(repeating: "{ label: a, children: [", count: 31) + String(repeating: "]}", count: 31)
    #expect(DecodedTypes.decode(DecodedTypes.Tree.self, text).findings.isEmpty)
  }
}
