import FixtureReplay
import Foundation
import ProbeTLS
import TestSupport
import Testing

/// The fixtures of `fixtures/faults`, requested by independent clients: curl and OpenSSL's command.
@Suite struct IndependentClientTests {
  private static let folder = projectFile("fixtures/faults").path

  private static func server(_ name: String) throws -> ReplayServer {
    let loaded = FixtureLoader().load(["\(folder)/\(name)"])
    try #require(loaded.flatMap(\.findings).isEmpty, "\(loaded.flatMap(\.findings))")
    var options = ReplayOptions()
    options.authority = try TestAuthority.shared
    return try ReplayServer(loaded.compactMap(\.fixture), options: options)
  }

  @Test func everyFixtureIsInTheTableOfCurl() throws {
    let fixtures = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
    // A name that does not resolve is not an effect of the server.
    let known = CurlRow.all.map(\.name) + ["dns-nxdomain", "dns-servfail", "dns-timeout"]
    #expect(Set(known) == Set(fixtures))
    for row in CurlRow.all { #expect(row.https != nil && (row.http != nil || row.name.hasPrefix("tls-"))) }
  }

  @Test func everyModeIsInTheTableOfOpenSSL() {
    #expect(Set(SessionRow.all.map(\.mode)) == Set(TLSMode.allCases))
  }

  @Test func curlSeesEveryFault() async throws {
    let authority = try TemporaryFile(TestAuthority.shared.pem)
    let probes = CurlRow.all.flatMap { row in
      [("http", row.http), ("https", row.https)].compactMap { scheme, code in
        code.map { (row: row, scheme: scheme, code: $0) }
      }
    }
    try await forEachOfSome(probes) { probe in
      let server = try Self.server(probe.row.name)
      defer { server.stop() }
      let arguments =
        [
          "-sS", "-o", "/dev/null", "-w", "%{http_code} %{size_download}", "--noproxy", "*", "--cacert",
          authority.path, "--max-time", probe.code == 28 ? "0.4" : "20", "--connect-to",
          ":80:127.0.0.1:\(server.port(of: .http))", "--connect-to",
          ":443:127.0.0.1:\(server.port(of: .https))",
        ] + probe.row.options + ["\(probe.scheme)://fault.example/"]
      let run = try await ToolRun.run("curl", arguments)
      let isRight = run.code == probe.code || probe.row.otherwise.contains(run.code)
      #expect(
        isRight,
        "\(run.code) in place of \(probe.code): \(probe.row.name) over \(probe.scheme): \(run.output)")
    }
  }

  @Test func opensslSeesEveryModeOfTLS() async throws {
    let authority = try TemporaryFile(TestAuthority.shared.pem)
    try await forEachOfSome(SessionRow.all) { row in
      let page = "HTTP/1.1 200 OK\r\n\r\nup to the end"
      var options = ReplayOptions()
      options.authority = try TestAuthority.shared
      let server = try ReplayServer(
        [
          Fixture(
            name: "wire", routes: [ReplayRoute("page", response: .send(Array(page.utf8)))],
            tls: ["*": row.mode]
          )
        ], options: options)
      defer { server.stop() }
      let arguments =
        [
          "s_client", "-connect", "127.0.0.1:\(server.port(of: .https))", "-CAfile", authority.path,
          "-no-CApath", "-no-CAstore", "-servername", "a.example", "-verify_hostname", "a.example",
          "-verify_return_error", "-ign_eof",
        ] + row.options
      let limited = row.mode == .stall ? ["0.4", "openssl"] + arguments : ["20", "openssl"] + arguments
      let run = try await ToolRun.run("timeout", limited, input: plainRequest)
      #expect(row.codes.contains(run.code), "\(row.mode): \(run.output)")
      for text in row.texts { #expect(run.output.contains(text), "\(row.mode): \(run.output)") }
      for text in row.missing { #expect(!run.output.contains(text), "\(row.mode): \(run.output)") }
    }
  }
}
