import ProbeCore
@testable import BlackboxExporter
import SourceDocuments
import Testing

@Suite struct ConfigurationTextTests {
  @Test func noSecretIsShown() throws {
    let (configuration, findings) = readConfiguration(longConfiguration)
    let text = try #require(configuration).text
    #expect(!text.contains("hunter2") && !text.contains("cHJvYmVyOmh1bnRlcjI="))
    #expect(text.contains("password: <secret>"))
    #expect(text.contains("Cookie: <secret>"))
    #expect(text.contains("http://user:<secret>@[2001:db8::1]"))
    #expect(text.contains("- Basic <secret>"))
    for module in configuration?.modules.values.map(\.text) ?? [] { #expect(!module.contains("hunter2")) }
    for finding in findings { #expect(!finding.description.contains("hunter2")) }
  }

  @Test(arguments: [
    "bearer_token: hunter2", "authorization: { credentials: hunter2 }", "headers: { X-Api-Key: hunter2 }",
    "basic_auth: { password: hunter2 }", "basic_auth: { password: \"hunter2\" }",
    "http_headers: { X-A: { secrets: [hunter2] } }", "http_headers: { Cookie: { values: [hunter2] } }",
    "tls_config: { cert_file: a, key: hunter2 }",
    "tls_config: { cert_file: a, key: \"-----BEGIN PRIVATE KEY-----hunter2\" }",
    "oauth2: { client_id: a, token_url: b, client_secret: hunter2 }",
    "oauth2: { client_id: a, token_url: 'https://a:hunter2@b' }",
    "oauth2: { client_id: a, token_url: b, client_certificate_key: hunter2 }",
    "http_headers: { X-Session: { values: [hunter2] } }", "headers: { X-Session: hunter2 }",
    "headers: { X-Functions-Key: hunter2 }", "headers: { X-JWT-Assertion: hunter2 }",
    "oauth2: { client_id: a, token_url: b, endpoint_params: { password: hunter2 } }",
    "proxy_url: 'http://a:hunter2@proxy:1'",
    "{ proxy_url: 'http://a', proxy_connect_header: { X-A: [hunter2] } }",
  ])
  func noKindOfSecretIsShown(_ line: String) throws {
    let value = line.hasPrefix("{") ? line : "{ \(line) }"
    let (module, findings) = readModule("prober: http\nhttp: \(value)")
    let text = try #require(module).text
    #expect(!text.contains("hunter2"))
    #expect(text.contains("<secret>"))
    for finding in findings { #expect(!finding.description.contains("hunter2"), "\(finding)") }
  }

  @Test(arguments: [
    "username: prober", "password_file: /etc/hunter2",
  ])
  func nonSecretsAreShown(_ line: String) throws {
    let module = try #require(readModule("prober: http\nhttp: { basic_auth: { \(line) } }").0)
    #expect(module.text.contains(line))
    #expect(!module.text.contains("<secret>"))
  }

  /// A module's name can contain a word such as `token` without making its values secret.
  @Test func moduleNamesDoNotMakeValuesSecret() throws {
    let (configuration, findings) = readConfiguration(
      "modules:\n  bearer_token:\n    prober: http\n    http: { valid_http_versions: [HTTP/2] }")
    #expect(try #require(configuration).text.contains("HTTP/2"))
    #expect(findings.first?.message == "no response has the version \"HTTP/2\"")
  }

  @Test func theTextCanBeReadBack() throws {
    let first = try #require(readConfiguration(longConfiguration).0)
    let (second, findings) = readConfiguration(first.text)
    #expect(findings.filter { $0.severity == .error }.map(\.brief) == [])
    #expect(try #require(second).text == first.text)
    // Without its secrets, the file gives equal modules.
    let plain = longConfiguration.replacing("hunter2", with: "<secret>")
      .replacing("session=<secret>", with: "<secret>")
      .replacing("Basic cHJvYmVyOmh1bnRlcjI=", with: "Basic <secret>")
    let withoutSecrets = try #require(readConfiguration(plain).0)
    #expect(second?.modules == withoutSecrets.modules)
  }

  @Test func eachModuleHasASeparateText() throws {
    let module = try #require(
      readModule("prober: tcp\ntimeout: 5s\ntcp:\n  query_response:\n    - send: \"a\\tb\"").0)
    #expect(
      module.text == """
        prober: tcp
        timeout: 5s
        tcp:
          query_response:
            - send: "a\\tb"

        """)
  }

  @Test(arguments: [
    "plain", "with space", "'single'", "\"\"", "\"\\u0085\\u2028 \\x07\"", "\"- a: b # c\"", "no", "\"123\"",
    "\"{}\"", "'<secret>'", "\"\\U0001F600\"", "|\n        two\n        lines\n",
    ">-\n        folded\n        text",
  ])
  func textValuesSurviveARoundTrip(_ written: String) throws {
    let first = try #require(readModule("prober: http\nhttp:\n  body: \(written)").0)
    let again = first.text.split(separator: "\n").joined(separator: "\n")
    let second = try #require(readModule(again).0)
    #expect(try first.http.body == second.http.body)
    #expect(second.text == first.text)
  }
}
