import ProbeCommand
import SourceDocuments
import TestSupport
import Testing
@testable import CommandKit

/// Keys of secrets in files, and findings about files that have them.
@Suite struct FileSecretTests {
  /// The keys that count as secret, of all that a file can have; a misspelled one counts too.
  @Test func onlyKeysOfSecretsCountAsSecret() async throws {
    let secret = try await KnownKeyTests.allLists().reduce(into: Set<String>()) { secret, list in
      secret.formUnion(list.filter { SecretContext.ordinary.entering($0) == .secret })
    }
    #expect(
      secret == [
        "auth", "basic", "basic_auth_users", "bearer", "bearer_token", "client_certificate_key",
        "client_secret", "cookie", "cookies", "credentials", "passphrase", "password", "proxy_connect_header",
        "secret",
        "secrets",
      ], "\(secret.sorted())")
  }

  /// Slips in the spelling of YAML.
  @Test(arguments: [
    "password: *CANARY", "pasword: *CANARY", "bearer_token CANARY", "bearer_token:CANARY",
    "bearer_token=CANARY",
    "bearer_token:\n    CANARY", "bearer_token: |\n    CANARY", "bearer_token: |\n    CANARY\n    CANARY",
    "bearer_token:\n\n    CANARY",
  ])
  func slipsShowNoSecret(_ slip: String) async throws {
    let lines = slip.replacing("CANARY", with: "hunter2canary")
    for head in ["", "timeout: 5s\n    "] {
      let folder = try TemporaryFolder([
        "flow.yaml": """
        version: 1
        name: p
        request:
            \(head)\(lines)
        sets: [{ name: s, urls: ['https://a.example/'] }]

        """
      ])
      let lint = try await FolderRun("lint", ["DIR/flow.yaml"], in: folder)
      #expect(lint.code == .badInput)
      #expect(!lint.output.contains("canary"), "\(lint.output)")
    }
  }

  /// Values of unknown keys are hidden where they may be meant for a secret, and their words nowhere else.
  @Test func ordinaryValuesAreShown() async throws {
    let folder = try TemporaryFolder([
      "flow.yaml": """
      version: 1
      name: p
      sets:
      - name: s
        urls:
        - url: http://a.example/
          request: { protocol: http, verify: no thanks, cookies: yess, proxy: { host: proxy.example } }

      """
    ])
    let lint = try await FolderRun("lint", ["DIR/flow.yaml"], in: folder)
    #expect(lint.code == .badInput)
    let lines = lint.output.split(separator: "\n")
    for words in [
      "protocol: http, verify: no thanks, cookies", "proxy: { host: <redacted> }",
    ] {
      #expect(lint.output.contains(words), "\(words): \(lint.output)")
    }
    #expect(lines.contains { $0.contains("cookies must be true or false") })
  }

  /// Pipelines and fixtures in which a key is misspelled, or a value has another shape.
  @Test(arguments: [
    "auth: { baerer: CANARY }", "auht: { bearer: CANARY }", "auth: CANARY", "pasword: CANARY",
    "auth: [CANARY]",
    "auth: { basic: { user: me, pasword: CANARY } }", "auth: { basic: { usr: me, pw: CANARY } }",
    "auth: { basic: 'me:CANARY' }", "bearer_token: CANARY", "headers: { Autorization: CANARY, x: [{}] }",
    "headers: { Authorization: CANARY, x: { y: { } } }", "headers: { X-A: { evn: CANARY } }",
    "api_key: CANARY",
    "headers: ['Authorization: CANARY']", "clientCertificate: { certificate: a, passphrse: CANARY }",
    "proxy: { url: 'http://a.example:1', user: me, passwrd: CANARY }",
    "tokn: CANARY",
    "query: { token: CANARY, x: { y: {} } }",
    "auth: { bearer: { env: 'CANARY-x y', x: 1 } }", "auth: { bearer: { env: '1CANARY' } }",
    "auth: { CANARY: }", "auth: { bearer: { CANARY: } }", "auth: { 'bearer: CANARY': }",
    "auth: { basic: { user: 'me:CANARY', password: x, y: 1 } }",
    "headers: { 'Authorization: CANARY': }", "headers: { 'X-Api-Key: CANARY': x }",
    "headers: { 'X-Api-Key=CANARY': }", "headers: { 'X-Api-Key: CANARY': { env: [] } }",
    "proxy: { url: 'http://a.example:1', user: 'me:CANARY', x: 1 }",
  ])
  func noFindingOfAPipelineShowsASecret(_ request: String) async throws {
    for secret in ["hunter2canary", "\"hunter2 canary\""] {
      let line = request.replacing(
        "CANARY", with: secret.replacing("\"", with: request.contains("'") ? "" : "\""))
      let folder = try TemporaryFolder([
        "flow.yaml": """
        version: 1
        name: p
        sets: [{ name: s, urls: [{ url: 'https://a.example/', reqest: 1, request: { timeout: x, \(line) } }] }]

        """,
        "broken.yaml": """
        version: 1
        name: p
        request: { timeout: 5s, \(line), "x
        sets: []

        """,
      ])
      for file in ["flow.yaml", "broken.yaml"] {
        let lint = try await FolderRun("lint", ["DIR/\(file)"], in: folder)
        #expect(lint.code == .badInput)
        #expect(!lint.output.contains("canary"), "\(lint.output)")
      }
    }
  }
}
