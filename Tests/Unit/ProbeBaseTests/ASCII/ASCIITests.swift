import ProbeBase
import Testing

/// The ASCII classes of bytes, each compared with the text's own properties.
@Suite struct ProbeASCIITests {
  private static let digits = "0123456789"
  private static let lower = "abcdefghijklmnopqrstuvwxyz"
  private static let upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

  private static func bytes(_ holds: (UInt8) -> Bool) -> Set<UInt8> { Set((0...UInt8.max).filter(holds)) }

  @Test func bytesHaveTheirClasses() {
    #expect(Self.bytes(\.isASCIIDigit) == Set(Self.digits.utf8))
    #expect(Self.bytes(\.isASCIILowercase) == Set(Self.lower.utf8))
    #expect(Self.bytes(\.isASCIIUppercase) == Set(Self.upper.utf8))
    #expect(Self.bytes(\.isASCIILetter) == Set((Self.lower + Self.upper).utf8))
    // RFC 9110 §5.6.2.
    #expect(
      Self.bytes(\.isTokenCharacter) == Set(("!#$%&'*+-.^_`|~" + Self.digits + Self.lower + Self.upper).utf8))
  }

  @Test func onlyLettersChangeTheirCase() {
    for byte in 0...UInt8.max {
      let index = Array(Self.upper.utf8).firstIndex(of: byte)
      #expect(byte.asciiLowercased == index.map { Array(Self.lower.utf8)[$0] } ?? byte)
      let other = Array(Self.lower.utf8).firstIndex(of: byte)
      #expect(byte.asciiUppercased == other.map { Array(Self.upper.utf8)[$0] } ?? byte)
    }
  }

  @Test func hexadecimalDigitsHaveTheirValues() {
    for byte in 0...UInt8.max {
      let value = byte < 0x80 ? Character(Unicode.Scalar(byte)).hexDigitValue : nil
      #expect(byte.hexDigitValue.map(Int.init) == value)
    }
  }
}
