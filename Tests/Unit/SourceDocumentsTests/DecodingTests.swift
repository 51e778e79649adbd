import ProbeCore
import SourceDocuments
import Testing

/// Decoding of correct values.
@Suite struct DecodingTests {
  private func decoded<Value: Decodable>(
    _ type: Value.Type, _ text: String, userInfo: [CodingUserInfoKey: any Sendable] = [:]
  ) throws -> Value {
    let (value, findings) = DecodedTypes.decode(type, text, userInfo: userInfo)
    #expect(findings.isEmpty)
    return try #require(value)
  }

  @Test func plainScalarsTakeTheTypeOfTheirField() throws {
    let plain = try decoded(
      DecodedTypes.Plain.self,
      """
      name: no
      count: 204
      ratio: 1
      isOn: true
      tiny: 255
      colour: dark-blue
      inner: { deep: 204, number: -1 }
      tags: [1.10, true, "null", 2026-11-21]
      names: { yes: 1, "2": 2 }
      inners: []
      """)
    #expect(
      plain
        == DecodedTypes.Plain(
          name: "no", count: 204, ratio: 1, isOn: true, tiny: 255, colour: .darkBlue,
          inner: .init(deep: "204", number: -1), tags: ["1.10", "true", "null", "2026-11-21"],
          names: ["yes": 1, "2": 2], inners: []))
  }

  @Test func optionalFields() throws {
    let plain = try decoded(DecodedTypes.Plain.self, "{ name: a, count: 0, ratio: ~, inner: null, tags: }")
    #expect(plain == DecodedTypes.Plain(name: "a", count: 0))
  }

  @Test func durations() throws {
    let timed = try decoded(DecodedTypes.Timed.self, "wait: 1.5s\nwaits: [800ms, 2m]\n")
    #expect(timed == .init(wait: .milliseconds(1500), waits: [.milliseconds(800), .seconds(120)]))
  }

  @Test func shortAndLongForms() throws {
    #expect(try decoded(DecodedTypes.Either.self, "7") == .number(7))
    #expect(try decoded(DecodedTypes.Either.self, "{ low: 1, high: 2 }") == .range(low: 1, high: 2))
    #expect(try decoded([DecodedTypes.Either].self, "[7, { low: 1, high: 2 }]").count == 2)
    // A quoted value is not a number.
    #expect(DecodedTypes.decode(DecodedTypes.Either.self, "\"7\"").value == nil)
  }

  @Test func nestedContainers() throws {
    let nested = try decoded(
      DecodedTypes.Nested.self, "outer: { value: 3 }\nlist: [a, true]\nbase: { name: b }\n")
    #expect(nested.value == 3 && nested.first == "a" && nested.second && nested.base.name == "b")
    let tree = try decoded(DecodedTypes.Tree.self, "label: a\nchildren: [{ label: b, children: [] }]")
    #expect(tree == .init(label: "a", children: [.init(label: "b", children: [])]))
  }

  @Test func theDecoderHasItsPathAndUserInfo() throws {
    struct Curious: Decodable {
      static let key = CodingUserInfoKey(rawValue: "key")
      var path: String
      var info: String?

      init(from decoder: any Decoder) throws {
        path = decoder.codingPath.map(\.stringValue).joined(separator: "/")
        info = Self.key.flatMap { decoder.userInfo[$0] as? String }
      }
    }
    let key = try #require(Curious.key)
    let values = try decoded([String: [Curious]].self, "a: [x, { b: c }]", userInfo: [key: "info"])
    #expect(values["a"]?.map(\.path) == ["a/0", "a/1"])
    #expect(values["a"]?.map(\.info) == ["info", "info"])
  }

  @Test func aFailedDecodingDoesNotConsumeTheItem() throws {
    struct Mixed: Decodable, Equatable {
      var items: [String] = []

      init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        while !list.isAtEnd {
          if try list.decodeNil() {
            items.append("nil")
          } else if let number = try? list.decode(Int.self) {
            items.append("number \(number)")
          } else if let inner = try? list.decode(Mixed.self) {
            items.append("[\(inner.items.joined(separator: " "))]")
          } else {
            items.append("at \(list.currentIndex) of \(list.count ?? 0) \(try list.decode(String.self))")
          }
        }
        #expect(throws: DecodingError.self) { try list.decode(String.self) }
      }
    }
    #expect(
      try decoded(Mixed.self, "[1, a, ~, [2, b]]").items
        == ["number 1", "at 1 of 4 a", "nil", "[number 2 at 1 of 2 b]"])
  }

  @Test func standardDecodingErrorsAreThrown() throws {
    struct Probe: Decodable {
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: DecodedTypes.Either.Key.self)
        #expect {
          try container.decode(String.self, forKey: .high)
        } throws: {
          guard case DecodingError.keyNotFound(let key, let context) = $0 else { return false }
          return key.stringValue == "high" && context.codingPath.isEmpty
        }
        #expect {
          try container.decode(Int.self, forKey: .low)
        } throws: {
          guard case DecodingError.typeMismatch(let type, let context) = $0 else { return false }
          return type is Int.Type && context.codingPath.map(\.stringValue) == ["low"]
        }
        #expect(try container.decodeIfPresent(Int.self, forKey: .high) == nil)
        #expect(throws: DecodingError.self) { try container.nestedUnkeyedContainer(forKey: .low) }
      }
    }
    _ = try decoded(Probe.self, "low: x")
  }

  @Test func decodedTypesWorkInFieldReaders() throws {
    let findings = SourceFindings(
      SourceFile(path: "f.yaml", bytes: Array("tree: { label: [] }\nsize: 9".utf8)))
    let root = try #require(SourceDocument.read(findings))
    let reader = FieldReader<Int>.mapping { reader in
      let tree = reader.required(
        "tree", FieldReader.decoded { (tree: DecodedTypes.Tree) in tree }, example: "x")
      let size: Int? = reader.required(
        "size",
        .decoded(Int.self) { size in
          guard size < 9 else { throw InvalidInput("too large") }
          return size
        }, example: "1")
      return tree == nil ? nil : size
    }
    #expect(reader.value(of: root, field: "it", findings) == nil)
    #expect(findings.all.map(\.message) == ["label must be a text, not a list", "too large"])
  }

  @Test func unusableValuesAreNotReportedTwice() {
    let (value, findings) = DecodedTypes.decode(DecodedTypes.Plain.self, "name: a\ncount: x: y\nisOn: 1\n")
    #expect(value == nil)
    #expect(findings.count == 1)
  }
}
