import ProbeCore
import Testing

/// Host names that are not ASCII.
@Suite struct InternationalizedHostTests {
  static let hosts: [(host: String, ascii: String)] = [
    ("bücher.example", "xn--bcher-kva.example"), ("BÜCHER.Example", "xn--bcher-kva.example"),
    ("b%C3%BCcher.example", "xn--bcher-kva.example"), ("b%c3%bccher.%65xample", "xn--bcher-kva.example"),
    ("ex%61mple.com", "example.com"), ("日本語。ＪＰ.", "xn--wgv71a119e.jp."),
    ("faß.de", "xn--fa-hia.de"), ("１２７．０．０．１", "127.0.0.1"), ("ｅｘａｍｐｌｅ.com", "example.com"),
    ("xn--bcher-kva.example", "xn--bcher-kva.example"), ("ü_x.example", "xn--_x-wka.example"),
    // Cyrillic letters that look like Latin ones.
    ("аррӏе.com", "xn--80ak6aa92e.com"),
  ]

  @Test(arguments: hosts)
  func areConverted(_ host: String, _ ascii: String) throws {
    let url = try ProbeURL("https://\(host):8443/ü?ü")
    #expect(url.host == ascii)
    #expect(url.string == "https://\(ascii):8443/%C3%BC?%C3%BC")
    let base = try ProbeURL("http://probe.example/")
    #expect(base.resolve("https://\(host):8443/ü?ü") == url)
    #expect(try ConnectTo("\(host):443:\(host):8443").targetHost == ascii)
    #expect(try ConnectTo("\(host):8443::").applies(to: url))
    #expect(try ProbeProxy("http://\(host):3128").host == ascii)
  }

  static let mistakes: [(url: String, error: String, offset: Int)] = [
    (
      "https://www.💩.example/",
      "the URL's host has no ASCII form: \"💩\" contains a character that is not allowed in host names, such as an "
        + "emoji", 12
    ),
    (
      "https://ü.אa.example/",
      "the URL's host has no ASCII form: \"אa\" mixes writing directions in a way that host names must not (RFC 5893)",
      11
    ),
    (
      "https://\(String(repeating: "ü", count: 64))/",
      "the URL's host has no ASCII form: \"\(String(repeating: "ü", count: 30))…\" is longer than 63 characters in its "
        + "ASCII form", 8
    ),
    ("https://ü-/", "the URL's host has no ASCII form: \"ü-\" begins or ends with a hyphen", 8),
    (
      "https://ü／evil.example/",
      "the URL's host has no ASCII form: \"ü／evil\" is not a valid ASCII form (xn--…) of a name", 8
    ),
    (
      "https://a℀b.example/",
      "the URL's host \"a℀b.example\" becomes \"aa/cb.example\", and no host name contains \"/\"", 8
    ),
    (
      "https://ü..example/",
      "\"xn--tda..example\" is not a host name: each part between dots has 1 to 63 characters", 8
    ),
    ("https://１.２/", "\"1.2\" is not an IPv4 address: write four numbers from 0 to 255", 8),
  ]

  @Test(arguments: mistakes)
  func areRefused(_ text: String, _ error: String, _ offset: Int) throws {
    let thrown = #expect(throws: InvalidInput.self) { try ProbeURL(text) }
    #expect(thrown?.description == error)
    #expect(thrown?.offset == offset)
    #expect(try ProbeURL("http://probe.example/").resolve(text) == nil)
  }
}
