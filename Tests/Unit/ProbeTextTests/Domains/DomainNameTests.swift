import ProbeText
import Testing

@Suite struct DomainNameTests {
  /// Python's `idna` 3.13 yields the same results with `uts46=True, transitional=False`.
  static let names: [(name: String, ascii: String)] = [
    ("bücher.example", "xn--bcher-kva.example"), ("BÜCHER.Example.", "xn--bcher-kva.example."),
    ("bu\u{308}cher.example", "xn--bcher-kva.example"), ("straße.example", "xn--strae-oqa.example"),
    ("faß.de", "xn--fa-hia.de"), ("日本語。ＪＰ", "xn--wgv71a119e.jp"), ("例え.テスト", "xn--r8jz45g.xn--zckzah"),
    ("пример.испытание", "xn--e1afmkfd.xn--80akhbyknj4f"),
    ("παράδειγμα.δοκιμή", "xn--hxajbheg2az3al.xn--jxalpdlp"), ("مثال.إختبار", "xn--mgbh0fb.xn--kgbechtv"),
    ("１２７.０.０.１", "127.0.0.1"), ("exam\u{200B}ple.com", "example.com"), ("ΑΒΓ.example", "xn--mxacd.example"),
    ("σς.example", "xn--3xab.example"), ("क्\u{200D}ष.example", "xn--11b2ezcw70k.example"),
    ("l·l.cat", "xn--ll-0ea.cat"), ("ü", "xn--tda"), ("ǅ.example", "xn--d-toa.example"),
    ("ﬁle.example", "file.example"), ("Ⅷ.example", "viii.example"), ("example.com", "example.com"),
  ]

  @Test(arguments: names)
  func ascii(_ name: String, _ ascii: String) throws {
    #expect(try DomainName.ascii(name) == ascii)
    #expect(try DomainName.ascii(ascii) == ascii)
  }

  /// Python's `idna` rejects all of them, too.
  static let mistakes: [(name: String, error: String)] = [
    ("💩.example", "contains a character that is not allowed in host names, such as an emoji"),
    ("ü\u{E000}.example", "contains a character that is not allowed in host names, such as an emoji"),
    ("אa.example", "mixes writing directions in a way that host names must not (RFC 5893)"),
    ("١٢٣.example", "mixes writing directions in a way that host names must not (RFC 5893)"),
    ("-ü.example", "begins or ends with a hyphen"), ("ü-.example", "begins or ends with a hyphen"),
    ("ab--ü.example", "has hyphens as its third and fourth characters"),
    ("xn--ü.example", "is not a valid ASCII form (xn--…) of a name"),
    ("न\u{200C}क.example", "contains a character that is not allowed at its place"),
    ("\u{308}a.example", "begins with a combining mark"),
    (String(repeating: "ü", count: 64) + ".example", "is longer than 63 characters in its ASCII form"),
    (
      String(repeating: String(repeating: "ü", count: 20) + ".", count: 12),
      "is longer than 253 characters in its ASCII form"
    ),
  ]

  @Test(arguments: mistakes)
  func hasNone(_ name: String, _ error: String) {
    let thrown = #expect(throws: DomainNameError.self) { try DomainName.ascii(name) }
    #expect(thrown?.description == error)
  }

  @Test func everyCodeIsExplained() {
    for code in -320...(-100) as ClosedRange<Int32> {
      #expect(!DomainNameError(code: code).description.isEmpty)
    }
  }
}
