import LoopbackServer
import ProbeCommand
import ProbeCore
import Testing
@testable import CommandKit

/// Pages in a legacy charset, through the command.
@Suite struct CheckCharsetTests {
  /// "Вход выполнен" (logged in) in windows-1251.
  static let body: [UInt8] = [0xC2, 0xF5, 0xEE, 0xE4, 0x20, 0xE2, 0xFB, 0xEF, 0xEE, 0xEB, 0xED, 0xE5, 0xED]

  private func server(_ type: String) throws -> LoopbackServer {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nContent-Length: \(Self.body.count)\r\n\r\n"
    return try LoopbackServer.responding(with: Array(head.utf8) + Self.body)
  }

  @Test(arguments: [
    ["--contains=выполнен"], ["--equals=Вход выполнен"], ["--matches=^Вход\\s(?<state>.+)$"],
  ])
  func theBodyIsConverted(_ validator: [String]) async throws {
    let server = try server("text/html; charset=windows-1251")
    let check = try await Check(["--allow-http", "--format=json"] + validator + [server.url()])
    #expect(check.code == .success, "\(check.output)")
    if validator[0].hasPrefix("--matches") {
      #expect(try check.probes().first?["captures"] as? [String: String] == ["state": "выполнен"])
    }
  }

  @Test func aRejectedBodyIsQuotedAsText() async throws {
    let server = try server("text/html; charset=windows-1251")
    let check = try await Check(["--allow-http", "--format=json", "--contains=ошибка", server.url()])
    #expect(try check.reason() == "body.mismatch")
    #expect(
      try check.probes().first?["detail"] as? String
        == "expected a body that contains \"ошибка\", found \"Вход выполнен\"")
  }

  @Test func theCharsetIsNotGuessed() async throws {
    let server = try server("text/html")
    let check = try await Check(["--allow-http", "--format=json", "--contains=Вход", server.url()])
    #expect(try check.reason() == "body.mismatch")
  }
}
