import FoundationEssentials
import ProbeCore
import Testing

@Suite struct SecretTests {
  private static let canary = "canary-7f3a"

  @Test func printsAsRedactedEverywhere() {
    let secret = Secret(Self.canary)
    var dumped = ""
    dump(secret, to: &dumped)
    var nested = ""
    dump(["key": [secret as Secret?]], to: &nested)
    let texts = [
      secret.description, secret.debugDescription, String(describing: secret), String(reflecting: secret),
      "\(secret)", "\([secret])", "\(Optional(secret) as Any)", dumped, nested,
      String(reflecting: SecretSource.text(secret)),
      String(reflecting: HTTPCredentials.basic(user: "me", password: secret)),
    ]
    for text in texts {
      #expect(text.contains("<redacted>"), "\(text)")
      #expect(!text.contains(Self.canary))
    }
    #expect(Mirror(reflecting: secret).children.isEmpty)
  }

  @Test func isReadOnlyInAClosure() {
    #expect(Secret("x").withText { $0 + "y" } == "xy")
    #expect(Secret("x") == Secret("x") && Secret("x") != Secret("y"))
  }
}

@Suite struct SecretSourceTests {
  private static let canary = "canary-7f3a"

  private func secret(_ source: SecretSource, file: [UInt8]? = nil) throws(InvalidInput) -> Secret {
    try source.secret(
      environment: { $0 == "TOKEN" ? Self.canary : $0 == "EMPTY" ? "" : $0 == "LINES" ? "a\nb" : nil },
      contents: { path throws(InvalidInput) in
        guard let file else { throw InvalidInput("the file \(Excerpt(path)) cannot be read: no such file") }
        return file
      })
  }

  @Test(arguments: ["canary-7f3a", "canary-7f3a\n", "canary-7f3a\r\n"])
  func eachSourceGivesTheSecret(_ contents: String) throws {
    let expected = Secret(Self.canary)
    #expect(try secret(.text(expected)) == expected)
    #expect(try secret(.environment("TOKEN")) == expected)
    #expect(try secret(.file("/x"), file: Array(contents.utf8)) == expected)
  }

  static let mistakes: [(SecretSource, [UInt8]?, String)] = [
    (
      .environment("NONE"), nil,
      "the environment variable \"NONE\" is not set: set it, or name another source of the secret"
    ),
    (.environment("EMPTY"), nil, "the environment variable \"EMPTY\" is empty: put the secret there"),
    (
      .environment("LINES"), nil,
      "the environment variable \"LINES\" contains a control character, such as a line end: put the secret alone there"
    ),
    (.file("/x"), nil, "the file \"/x\" cannot be read: no such file"),
    (.file("/x"), [], "the file \"/x\" is empty: put the secret there"),
    (.file("/x"), [0x0A], "the file \"/x\" is empty: put the secret there"),
    (
      .file("/x"), Array("canary-7f3a\n\n".utf8),
      "the file \"/x\" contains a control character, such as a line end: put the secret alone there"
    ),
    (
      .file("/x"), Array("canary".utf8) + [0xFF],
      "the file \"/x\" is not valid UTF-8: write the secret as text"
    ),
    (
      .file("/x"), [UInt8](repeating: 0x63, count: SecretSource.maximumBytes + 1),
      "the file \"/x\" is larger than 65536 bytes: name the file that contains only the secret"
    ),
    (.text(Secret("")), nil, "the secret is empty: put the secret there"),
  ]

  @Test(arguments: mistakes)
  func anErrorNamesTheSourceAndNeverTheSecret(_ source: SecretSource, _ file: [UInt8]?, _ words: String) {
    let error = #expect(throws: InvalidInput.self) { try secret(source, file: file) }
    #expect(error?.description == words)
  }

  @Test func isReadAndWrittenAsInAFile() throws {
    func read(_ json: String) throws -> SecretSource {
      try JSONDecoder().decode(SecretSource.self, from: Data(json.utf8))
    }
    func written(_ source: SecretSource) throws -> String {
      String(decoding: try JSONEncoder().encode([source]), as: UTF8.self)
    }
    #expect(try read("\"canary-7f3a\"") == .text(Secret(Self.canary)))
    #expect(try read("{\"env\":\"TOKEN\"}") == .environment("TOKEN"))
    #expect(try read("{\"file\":\"secret\"}") == .file("secret"))
    #expect(try written(.text(Secret(Self.canary))) == "[\"<redacted>\"]")
    #expect(try written(.environment("TOKEN")) == "[{\"env\":\"TOKEN\"}]")
    #expect(try written(.file("secret")) == "[{\"file\":\"secret\"}]")
    for wrong in ["{}", "{\"env\":\"A\",\"file\":\"b\"}", "{\"text\":\"canary-7f3a\"}"] {
      let error = #expect(throws: InvalidInput.self) { try read(wrong) }
      #expect(error?.description.contains("canary") == false)
    }
    #expect(throws: (any Error).self) { try read("7") }
  }
}
