import ProbeExporter
import SourceDocuments
import TestSupport
import Testing

/// Findings about a configuration show no secret, even if its key is misspelled or its value has another shape.
@Suite struct FindingSecretTests {
  private static let canary = "hunter2canary"

  /// Sections of a module with a secret `CANARY` below the key `KEY`.
  private static let sections: [(section: String, keys: [String])] = [
    ("basic_auth: { username: joe, KEY: CANARY }", ["password"]),
    ("authorization: { type: Bearer, KEY: CANARY }", ["credentials"]),
    ("KEY: CANARY", ["bearer_token"]),
    ("KEY: joe:CANARY", ["basic_auth", "authorization"]),
    ("KEY: [CANARY]", ["basic_auth", "authorization", "tls_config", "oauth2"]),
    ("KEY: { password: CANARY }", ["basic_auth"]),
    ("tls_config: { cert: a, KEY: CANARY }", ["key"]),
    ("oauth2: { client_id: a, token_url: b, KEY: CANARY }", ["client_secret", "client_certificate_key"]),
    ("http_headers: { X-A: { KEY: [CANARY] } }", ["secrets"]),
    ("KEY: { X-A: { secrets: [CANARY] } }", ["http_headers"]),
    ("headers: { KEY: CANARY }", ["Authorization", "X-Api-Key", "Cookie", "X-Vault-Token"]),
    ("proxy_url: 'http://a:1', KEY: { Proxy-Authorization: [CANARY] }", ["proxy_connect_header"]),
  ]

  /// The name, the same with another case or separators, with more or fewer letters, and with more words.
  private static func misspelled(_ name: String, _ numbers: inout SeededNumbers) -> [String] {
    var names = [
      name, name.uppercased(), name + "s", name + "_value", "my_" + name, name.replacing("_", with: "-"),
    ]
    for _ in 0..<8 {
      var letters = Array(name)
      let place = Int.random(in: letters.indices, using: &numbers)
      switch Int.random(in: 0..<4, using: &numbers) {
      case 0: letters.insert("x", at: place)
      case 1: letters.remove(at: place)
      case 2: letters[place] = "q"
      default: if place > 0 { letters.swapAt(place, place - 1) }
      }
      names.append(String(letters))
    }
    return names
  }

  @Test(arguments: sections.indices, 1...4 as ClosedRange<UInt64>)
  func noMisspelledKeyShowsItsValue(_ index: Int, _ seed: UInt64) {
    var numbers = SeededNumbers(seed: seed)
    let (section, keys) = Self.sections[index]
    for key in keys {
      for name in Self.misspelled(key, &numbers) {
        let line = section.replacing("KEY", with: name).replacing("CANARY", with: Self.canary)
        // In one line with errors, in lines, and in a file that is no YAML from there on.
        for source in [
          "modules: { m: { prober: http, htp: 1, http: { methd: GET, method: [], \(line) } } }",
          "modules:\n  m:\n    prober: http\n    http: { \(line) }\n",
          "modules:\n  m:\n    prober: http\n    http: { \(line), \"x\n",
        ] {
          let (_, findings) = ExporterConfiguration.read(Array(source.utf8), path: "b.yml")
          for finding in findings {
            // A header field with an unknown name has a public value.
            if section.hasPrefix("headers"), name != key { continue }
            #expect(!finding.description.contains("canary"), "\(finding)\n\(source), seed \(seed)")
          }
        }
      }
    }
  }

  /// Values that cannot be secret are shown, so that their errors can be understood.
  @Test(arguments: [
    ("http: { methd: GET }", "GET"), ("http: { fail_if_ssl: maybe }", "maybe"),
    ("http: { valid_status_code: [200] }", "[200]"),
    ("http: { basic_auth: { username: joe, password: [] } }", "joe"),
    ("http: { basic_auth: { usernam: joe } }", "joe"), ("http: { headers: { X-One: [] } }", "X-One"),
    ("http: { bearer_token_file: [], method: [GET] }", "GET"), ("timout: 5s", "5s"),
    ("http: { headers: { Autorization: abc, B: [] } }", "<redacted>"),
  ])
  func otherValuesAreShown(_ line: String, _ shown: String) throws {
    let source = "modules: { m: { prober: http, \(line) } }"
    let (_, findings) = ExporterConfiguration.read(Array(source.utf8), path: "b.yml")
    let error = try #require(findings.first { $0.severity == .error })
    #expect(error.description.contains(shown), "\(error)")
  }
}
