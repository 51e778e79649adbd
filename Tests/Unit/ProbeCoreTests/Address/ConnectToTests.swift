import ProbeCore
import Testing

@Suite struct ConnectToTests {
  @Test func readsTheWrittenForm() throws {
    let whole = try ConnectTo("Example.com:443:[2001:db8:0::1]:8443")
    #expect(
      whole == ConnectTo(host: "example.com", port: 443, targetHost: "2001:db8::1", targetPort: 8443))
    #expect(try ConnectTo(":::") == ConnectTo(host: nil, port: nil, targetHost: nil, targetPort: nil))
    #expect(
      try ConnectTo("[::1]::127.0.0.1:")
        == ConnectTo(host: "::1", port: nil, targetHost: "127.0.0.1", targetPort: nil))
  }

  static let form =
    "write it as HOST:PORT:ADDR:PORT, with empty parts for any, and IPv6 addresses in brackets"
  static let refused: [(text: String, message: String)] = [
    ("", "\"\" has 1 parts, not 4"), ("a:1:b", "\"a:1:b\" has 3 parts, not 4"),
    ("a:1:b:2:c", "\"a:1:b:2:c\" has 5 parts, not 4"), ("::1:80:a:80", "\"::1:80:a:80\" has 6 parts, not 4"),
    ("a:0:b:1", "\"0\" is not a port from 1 to 65535"),
    ("a:+80:b:1", "\"+80\" is not a port from 1 to 65535"),
    ("a:1:b:65536", "\"65536\" is not a port from 1 to 65535"),
    ("a:x:b:1", "\"x\" is not a port from 1 to 65535"),
    ("a b:1:b:1", "\"a b\" is not a host name or address"),
    ("a:1:[x]:1", "\"[x]\" is not a host name or address"),
    ("a:1:u@h:1", "\"u@h\" is not a host name or address"),
  ]

  @Test(arguments: refused)
  func refuses(_ text: String, message: String) {
    let thrown = #expect(throws: InvalidInput.self) { try ConnectTo(text) }
    #expect(thrown == InvalidInput(message, remedy: Self.form))
  }

  @Test func applies() throws {
    let url = try ProbeURL("https://example.com/")
    #expect(try ConnectTo("example.com:443:x:1").applies(to: url))
    #expect(try ConnectTo("::x:1").applies(to: url))
    #expect(try !ConnectTo("example.com:80:x:1").applies(to: url))
    #expect(try !ConnectTo("example.org::x:1").applies(to: url))
    #expect(try ConnectTo("[::1]:80:x:1").applies(to: ProbeURL("http://[0::1]/")))
  }
}
