import ProbeBase
import Testing

/// The helpers for text that every module shares.
@Suite struct SharedTextTests {
  @Test(arguments: [
    ("example.com", "example.com", "example.com"), ("192.0.2.1", "192.0.2.1", "192.0.2.1"),
    ("2001:db8::1", "[2001:db8::1]", "[2001:db8::1]"), ("[::1]", "[[::1]]", "[::1]"), ("", "", ""),
  ])
  func onlyAddressesOfIPv6HaveBrackets(_ host: String, _ bracketed: String, _ written: String) {
    #expect(host.bracketedHost == bracketed)
    #expect(host.bracketedHostIfBare == written)
    #expect(host.host(withPort: 80) == bracketed + ":80")
    if let address = IPAddress(host) { #expect(address.bracketed == bracketed) }
  }

  @Test(
    arguments: [
      ("a%2fb", "a/b", "a/b"), ("%", "%", nil), ("%4", "%4", nil), ("%4g%41", "%4gA", nil),
      ("%-1", "%-1", nil),
      ("%+1", "%+1", nil), ("%2541", "%41", "%41"), ("%%41", "%A", nil), ("a+b", "a+b", "a+b"), ("", "", ""),
    ] as [(String, String, String?)])
  func percentSignsWithTwoDigitsAreDecodedOnce(_ text: String, _ lenient: String, _ strict: String?) {
    #expect(text.utf8.percentDecoded().elementsEqual(lenient.utf8))
    #expect(text.utf8.strictlyPercentDecoded().map { String(decoding: $0, as: UTF8.self) } == strict)
  }

  @Test func everyByteComesBack() {
    let bytes = (UInt8.min ... .max).map(\.self)
    #expect(Array(bytes.percentEncodedComponent().utf8).percentDecoded() == bytes)
    #expect(
      Array(bytes.percentEncodedComponent().utf8).strictlyPercentDecoded(readsPlusAsSpace: true) == bytes)
    #expect("a+%2B".utf8.percentDecoded(readsPlusAsSpace: true).elementsEqual("a +".utf8))
    for byte in bytes { #expect(UInt8(hexDigits: [byte].hexDigits) == byte) }
    #expect(bytes.map { $0.hexText(atLeast: 2) }.joined() == bytes.hexText)
    #expect(UInt32(0xAB).hexText(atLeast: 8, isUppercase: true) == "000000AB")
    #expect(0x12345.hexText(atLeast: 2) == "12345")
  }

  @Test(arguments: [
    ("  a b ", "a b", "  a b"), ("a", "a", "a"), ("   ", "", ""), ("", "", ""), (" a", "a", " a"),
  ])
  func onlyOuterSpaceIsRemoved(_ text: String, _ trimmed: String, _ withoutEnd: String) {
    #expect(text.trimming { $0 == " " } == trimmed)
    #expect(text.trimmingEnd { $0 == " " } == withoutEnd)
    #expect(Array(text.utf8)[...].trimming(where: \.isFieldSpace).elementsEqual(trimmed.utf8))
  }

  @Test func whiteSpaceDiffers() {
    let all = (UInt8.min ... .max)
    #expect(all.filter(\.isFieldSpace) == [0x09, 0x20])
    #expect(all.filter(\.isASCIISpace) == [0x09, 0x0A, 0x0C, 0x0D, 0x20])
    #expect(all.filter(\.isSpaceInC) == [0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x20])
  }

  @Test(
    arguments: [
      (Duration.zero, 0), (.seconds(-1), 0), (.nanoseconds(1), 1), (.milliseconds(5), 5),
      (.microseconds(5001), 6), (.seconds(2), 2000),
    ] as [(Duration, Int64)])
  func aWaitIsNotShortened(_ time: Duration, _ milliseconds: Int64) {
    #expect(time.wholeMilliseconds == milliseconds)
  }
}
