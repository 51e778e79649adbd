import ProbeCore
import Testing

@testable import Transports

/// The bytes that a send step sends.
@Suite struct SendTemplateTests {
  @Test func escapes() throws {
    let template = try SendTemplate(#"a\r\n\t\0\\\x00\xfF\u{e9}\u{1F44B}$$é"#)
    let expected = Array("a\r\n\t\0\\".utf8) + [0, 0xFF] + Array("é👋$é".utf8)
    #expect(template.bytes(inserting: [:]) == expected)
  }

  @Test func capturesAreInsertedByteByByte() throws {
    let template = try SendTemplate("<${a}${b}${a}>")
    #expect(template.references.map(\.name) == ["a", "b", "a"])
    #expect(template.references.map(\.offset) == [1, 5, 9])
    #expect(template.bytes(inserting: ["a": [0xFF, 0x24]]) == [0x3C, 0xFF, 0x24, 0xFF, 0x24, 0x3E])
  }

  @Test func insertedCapturesAreBounded() throws {
    let template = try SendTemplate("${a}${a}")
    let half = [UInt8](repeating: 0x61, count: SendTemplate.maximumInserted / 2)
    #expect(template.bytes(inserting: ["a": half])?.count == SendTemplate.maximumInserted)
    #expect(template.bytes(inserting: ["a": half + [0x61]]) == nil)
  }

  @Test func hexadecimalDigits() throws {
    #expect(try SendTemplate(hex: " 16 0301\n\tfF ").bytes(inserting: [:]) == [0x16, 0x03, 0x01, 0xFF])
    #expect(throws: InvalidInput.self) { try SendTemplate(hex: "") }
    #expect(throws: InvalidInput.self) { try SendTemplate(hex: "1 6") }
  }

  @Test(arguments: [
    "\\", "\\x", "\\x1", "\\x1g", "\\x+1", "\\u", "\\u{", "\\u{}", "\\u{1234567}", "$", "${", "${}", "$a",
  ])
  func invalidEscapesAndReferencesAreRefused(_ text: String) {
    #expect(throws: InvalidInput.self) { try SendTemplate("ab" + text) }
    do throws(InvalidInput) {
      _ = try SendTemplate("ab" + text)
    } catch {
      #expect(error.offset == 2)
    }
  }

  @Test func overlongTemplatesAreRefused() {
    let text = String(repeating: "a", count: SendTemplate.maximumLength + 1)
    #expect(throws: InvalidInput.self) { try SendTemplate(text) }
    #expect(throws: InvalidInput.self) { try SendTemplate(hex: text) }
  }
}
