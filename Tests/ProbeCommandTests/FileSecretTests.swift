import ProbeCommand
import SourceDocuments
import TestSupport
import Testing

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
