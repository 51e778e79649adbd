import ProbeServer
import ProbeCore
import TestSupport
import Testing

@testable import ReplayControl

/// The token of the control interface, and the address where it listens.
@Suite struct ControlTokenTests {
  @Test func everyTokenIsUnique() {
    let tokens = (0..<100).map { _ in ControlToken().text }
    #expect(Set(tokens).count == 100)
    #expect(tokens.allSatisfy { $0.utf8.count == 32 && $0.allSatisfy(\.isHexDigit) })
  }

  @Test func onlyTheEntireTokenIsAccepted() throws {
    let folder = try TemporaryFolder(["token": "  0123456789abcdef\n"])
    let token = try ControlToken(file: folder.path(of: "token"))
    #expect(token.text == "0123456789abcdef")
    #expect(token.isIn("Bearer 0123456789abcdef"))
    #expect(token.isIn("bearer 0123456789abcdef"))
    for other in [
      nil, "", "Bearer", "Bearer ", "0123456789abcdef", "Basic 0123456789abcdef", "Bearer 0123456789abcdeF",
      "Bearer 0123456789abcde", "Bearer 0123456789abcdef0", "Bearer  0123456789abcdef",
      "Bearer x123456789abcdef",
    ] {
      #expect(!token.isIn(other), "\(other ?? "nothing")")
    }
  }

  @Test(arguments: [
    "", "short", "0123456789 abcdef", "0123456789abcdef\u{e9}", String(repeating: "a", count: 513),
  ])
  func aFileWithoutATokenIsRefused(_ text: String) throws {
    let folder = try TemporaryFolder(["token": text])
    let error = #expect(throws: InvalidInput.self) { try ControlToken(file: folder.path(of: "token")) }
    #expect(error?.message.hasSuffix("this is not a token") == true)
    #expect(throws: InvalidInput.self) { try ControlToken(file: folder.path(of: "missing")) }
  }

  @Test(arguments: [
    ("127.0.0.1:8089", "127.0.0.1:8089", false), ("[::1]:80", "[::1]:80", false),
    ("192.0.2.1:80", "192.0.2.1:80", true), ("0.0.0.0:80", "0.0.0.0:80", true),
    ("unix:/a/b", "unix:/a/b", false),
  ])
  func aListenAddressIsAnIPAddressOrAPath(_ text: String, _ shown: String, _ isReachable: Bool) throws {
    let address = try HTTPService.Address(text)
    #expect(address.description == shown)
    #expect(address.isReachable == isReachable)
  }

  @Test(arguments: [
    "", "8089", "localhost:80", "127.0.0.1", "127.0.0.1:65536", "::1:80", "unix:", "[127.0.0.1]:1",
  ])
  func otherListenAddressesAreRefused(_ text: String) {
    #expect(throws: InvalidInput.self) { try HTTPService.Address(text) }
  }
}
