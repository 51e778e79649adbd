import BlackboxExporter
import SourceDocuments
import TestSupport
import TestRequirements
import Testing

/// Findings about a configuration show no secret, even if its key is misspelled or its value has another shape.
@Suite(.heavy) struct FindingSecretTests {
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
      let index = Int.random(in: letters.indices, using: &numbers)
      switch Int.random(in: 0..<4, using: &numbers) {
      case 0: letters.insert("x", at: index)
      case 1: letters.remove(at: index)
      case 2: letters[index] = "q"
      default: if index > 0 { letters.swapAt(index, index - 1) }
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

  /// Positions that a mistake makes those of a secret, and the names that are shown nevertheless.
  static let misplaced: [(section: String, names: [String])] = [
    ("authorization: { type: 'Bearer CANARY' }", ["authorization", "type"]),
    ("authorization: { type: CANARY }", ["authorization", "type"]),
    (
      "authorization: { type: Token, 'credentials: CANARY': }",
      ["authorization", "type: Token", "credentials"]
    ),
    ("authorization: { 'credentials=CANARY': x }", ["authorization", "credentials"]),
    ("authorization: { CANARY: }", ["authorization"]),
    ("headers: { 'X-Api-Key: CANARY': }", ["headers", "X-Api-Key"]),
    ("headers: { 'X-Api-Key: CANARY': x }", ["headers", "X-Api-Key"]),
    ("headers: { 'Authorization:CANARY': [] }", ["headers", "Authorization"]),
    ("headers: { X-One: 1, 'Cookie: CANARY': }", ["X-One", "Cookie"]),
    ("http_headers: { 'X-Api-Key: CANARY': { values: [x] } }", ["http_headers", "X-Api-Key"]),
    ("http_headers: { X-One: { 'secrets: CANARY': } }", ["http_headers", "X-One", "secrets"]),
    ("basic_auth: { username: 'joe:CANARY' }", ["basic_auth", "username"]),
    ("basic_auth: { username: joe, 'password: CANARY': }", ["basic_auth", "username: joe", "password"]),
    ("basic_auth: { username: joe, 'password=CANARY': x }", ["basic_auth", "username: joe", "password"]),
    ("basic_auth: { username: joe, password: *CANARY }", ["basic_auth", "username: joe", "password"]),
    ("basic_auth: { username: joe, password CANARY }", ["basic_auth", "username: joe", "password"]),
    ("basic_auth: { username: joe, 'password' CANARY }", ["basic_auth", "username: joe", "password"]),
    ("basic_auth: { password; CANARY, username: joe }", ["basic_auth", "password"]),
    ("headers: { Authorization:Bearer CANARY }", ["headers", "Authorization"]),
    ("headers: { X-One: 1, Authorization Bearer CANARY }", ["X-One", "Authorization"]),
    ("headers: { X-Api-Key, CANARY }", ["headers", "X-Api-Key"]),
    ("bearer_token: { CANARY: }", ["bearer_token"]), ("'bearer_token: CANARY': ", ["bearer_token"]),
    ("tls_config: { 'key: CANARY': }", ["tls_config", "key"]),
    (
      "proxy_connect_header: { 'Proxy-Authorization: CANARY': [x] }",
      ["proxy_connect_header", "Proxy-Authorization"]
    ),
  ]

  /// Wherever a mistake puts a secret, no finding shows it, and the names around it are shown.
  @Test(arguments: misplaced.indices, 1...4 as ClosedRange<UInt64>)
  func noMisplacedSecretIsShown(_ index: Int, _ seed: UInt64) throws {
    var numbers = SeededNumbers(seed: seed)
    let (section, names) = Self.misplaced[index]
    let secrets = [
      Self.canary, "hunter2-canary", "canary", "canary+hunter2/==", "hunter2canary-\(numbers.next())",
    ]
    let secret = secrets.randomElement(using: &numbers) ?? Self.canary
    // A word alone can be the name of a scheme.
    if secret == "canary", section.contains("type: CANARY") { return }
    var line = section.replacing("CANARY", with: secret)
    if Bool.random(using: &numbers) { line = line.replacing("'", with: "\"") }
    let others = ["", "      methd: GET\n", "      method: []\n"].randomElement(using: &numbers) ?? ""
    let isBroken = Bool.random(using: &numbers)
    let source =
      "modules:\n  m:\n    prober: http\n    http:\n\(others)      \(line)\n"
      + (isBroken ? "      body: \"x\n" : "")
    let (_, findings) = ExporterConfiguration.read(Array(source.utf8), path: "b.yml")
    let output = findings.map(\.description).joined(separator: "\n")
    #expect(!findings.isEmpty && !output.contains("canary"), "\(output)\n\(source), seed \(seed)")
    for name in names where !isBroken {
      #expect(output.contains(name), "\(name): \(output)\n\(source), seed \(seed)")
    }
  }

  /// A secret can be a word that findings use themselves; they remain readable, and do not reveal it.
  @Test(arguments: ["credentials", "targets", "password", "these", "with", "basic_auth", "request-names"])
  func secretsThatAreWordsLeaveOthersAlone(_ word: String) throws {
    for section in [
      "basic_auth: { username: joe, password: WORD }", "authorization: { credentials: WORD }",
      "bearer_token: WORD",
      "http_headers: { X-One: { secrets: [WORD] } }",
    ] {
      let source =
        "modules:\n  m:\n    prober: http\n    http:\n      \(section.replacing("WORD", with: word))\n"
      let (_, findings) = ExporterConfiguration.read(Array(source.utf8), path: "b.yml")
      let finding = try #require(findings.first)
      #expect(
        finding.description.contains(
          "these credentials are sent to any target that a request names: restrict the targets with --allow-target"
        ))
      // A long line is cut off behind it.
      let start = section.prefix { $0 != "W" } + "<re"
      #expect(finding.caretLines?.contains(start) == true, "\(finding)")
    }
  }

  /// The names of keys are shown, even if the file cannot be read as a whole.
  @Test func keysWithoutValuesAreShown() throws {
    let source = "modules:\n  m:\n    prober: http\n    http:\n      authorization: { credentials }\n"
    let (_, findings) = ExporterConfiguration.read(Array(source.utf8), path: "b.yml")
    let error = try #require(findings.first { $0.severity == .error })
    #expect(error.message == "the key \"credentials\" has no value")
    #expect(error.caretLines?.contains("authorization: { credentials }") == true, "\(error)")
    #expect(findings.contains { $0.message.hasPrefix("these credentials are sent") }, "\(findings)")
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
