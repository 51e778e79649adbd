import FoundationEssentials
import ProbeCore
import Testing

@Suite struct ReasonCodeTests {
  static var members: [String] {
    get throws {
      let source = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Sources/ProbeCore/ReasonCode.swift")
      let text = try String(contentsOf: source, encoding: .utf8)
      let parts = text.split(separator: "= ReasonCode(rawValue: \"").dropFirst()
      return parts.map { String($0.prefix { $0 != "\"" }) }
    }
  }

  @Test func everyMemberIsListedOnce() throws {
    let listed = ReasonCode.all.map(\.code.rawValue)
    #expect(Set(listed).count == listed.count)
    #expect(try Self.members == listed, "in the order they are declared")
  }

  @Test func wordsAreFitForALabel() {
    for (code, meaning) in ReasonCode.all {
      #expect(code.rawValue.utf8.allSatisfy { UInt8(ascii: "A")...UInt8(ascii: "z") ~= $0 || $0 == 0x2E })
      #expect(code.rawValue.split(separator: ".").count <= 2)
      #expect(!meaning.isEmpty && meaning.escapedForDisplay == meaning)
    }
  }

  @Test func area() throws {
    #expect(ReasonCode.certificateExpired.area == "tls")
    #expect(ReasonCode.cancelled.area == "cancelled")
    #expect(ReasonCode(rawValue: "own.word.more").area == "own")
    #expect(ReasonCode.noSuchHost.description == "dns.noSuchHost")
    let coded = try JSONEncoder().encode([ReasonCode.noSuchHost])
    #expect(String(decoding: coded, as: UTF8.self) == "[\"dns.noSuchHost\"]")
  }
}
