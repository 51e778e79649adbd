import TestSupport
import TestRequirements
import Testing

@testable import ProbeCore
@testable import ProbeSecrets

@Suite(.heavy) struct RedactorTests {
  /// Secrets with characters that the encodings escape, and with characters that they do not escape.
  static let secrets = [
    "a/b+c=?é\"", "pass word&<7f3a>", "it's 100% \\o/", "&lt;%2f\\u0041", "plain-word_7.f~3a", "ключ к 🔑",
    "+ +/+ +/+ +",
    "%%%25&&amp;", "key?a=b&c=d", "abcd",
  ]
  private let redactor = Redactor([Secret("pass word&<7f3a>")])

  @Test(arguments: Spellings.all.map(\.name))
  func everyFormIsFound(_ name: String) throws {
    let spell = try #require(Spellings.all.first { $0.name == name }).spell
    for secret in Self.secrets {
      let redactor = Redactor([Secret(secret)])
      let form = Spellings.escaped(secret, spell)
      #expect(redactor.redacted("a: \(form)!") == "a: <redacted>!", "\(form)")
      #expect(redactor.redacted("a: \(form)") == "a: <redacted>", "\(form)")
      #expect(redactor.redacted("%\(form)%\(form)|") == "%<redacted>%<redacted>|", "\(form)")
      #expect(
        redactor.redacted(Array("\(form)|\(form)".utf8)) == Array("<redacted>|<redacted>".utf8), "\(form)")
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>) func eachCharacterCanHaveItsOwnSpelling(_ seed: UInt64) {
    var numbers = SeededNumbers(seed: seed)
    for secret in Self.secrets {
      let redactor = Redactor(Self.secrets.map { Secret($0) })
      let form = Spellings.escaped(secret) {
        Spellings.mixable.randomElement(using: &numbers)?.spell($0) ?? String($0)
      }
      #expect(redactor.redacted("a: \(form)!") == "a: <redacted>!", "\(form)")
    }
  }

  @Test(arguments: [false, true], [false, true])
  func base64IsFoundAtEveryOffsetOfTheSecret(_ urlSafe: Bool, _ padded: Bool) {
    for secret in Self.secrets {
      let redactor = Redactor([Secret(secret)])
      for (before, behind) in [(0, 0), (1, 0), (2, 0), (3, 1), (4, 2), (5, 3), (40, 41), (7, 0)] {
        let bytes =
          [UInt8](repeating: 0x75, count: before) + Array(secret.utf8)
          + [UInt8](repeating: 0x7A, count: behind)
        let text = base64(bytes, urlSafe: urlSafe, padded: padded)
        // Bits that do not belong to the secret are kept.
        let start = text.prefix(8 * before / 6)
        let end = behind == 0 ? "" : text.dropFirst((8 * (before + secret.utf8.count) + 5) / 6)
        #expect(redactor.redacted("a: \(text).") == "a: \(start)<redacted>\(end).", "\(secret)")
        let encoded = Spellings.escaped(text) {
          "+/=".unicodeScalars.contains($0) ? "%" + Spellings.hex($0.value, 2, uppercase: padded) : String($0)
        }
        let kept = redactor.redacted("a: \(encoded).")
        #expect(kept.contains("<redacted>") && kept.utf8.count <= start.utf8.count + 3 * end.utf8.count + 14)
      }
    }
  }

  /// Programs encode what they encoded before, and break Base64 into lines.
  @Test(arguments: ["\n", "\r\n", "\r\n  ", "\\n", "\\r\\n", "=\r\n", "\\\n", "%0D%0A", "&#10;"])
  func base64InLinesAndTwiceIsFound(_ lineBreak: String) {
    for secret in Self.secrets where secret.utf8.count > 5 {
      let redactor = Redactor([Secret(secret)])
      for before in 0..<6 {
        let bytes = [UInt8](repeating: 0x75, count: before) + Array(secret.utf8) + [0x7A, 0x7A]
        for text in [
          base64(bytes), base64(base64(bytes).utf8), base64("zz\(base64(bytes))".utf8, urlSafe: true),
        ] {
          var lines = ""
          for (index, character) in text.enumerated() {
            lines += (index > 0 && index % 5 == 0 ? lineBreak : "") + String(character)
          }
          for form in [text, lines] {
            let kept = redactor.redacted("a: \(form)\nend").replacing(lineBreak, with: "")
            #expect(kept.contains("<redacted>") && kept.hasSuffix("end"), "\(form)")
            // A part of what is before the secret, and of what is behind it.
            #expect(kept.count < "a: <redacted>end".count + 20, "\(kept)")
            let masked = redactor.masked(Array(form.utf8)) ?? []
            #expect(masked.count == form.utf8.count)
            #expect(masked.count { $0 == 0x0A } == form.utf8.count { $0 == 0x0A })
          }
        }
      }
    }
  }

  /// A backslash may be before any character of a quoted string (RFC 9110 §5.6.4).
  @Test func quotedPairsAreFound() {
    for secret in Self.secrets + ["Zq7canarySecret9xQu"] {
      let redactor = Redactor([Secret(secret)])
      let quoted = Spellings.escaped(secret) { $0.isASCII ? "\\\($0)" : String($0) }
      let kept = redactor.redacted("a: \(quoted)!")
      #expect(kept.replacing("\\", with: "") == "a: <redacted>!", "\(kept)")
    }
  }

  @Test func otherCharsetsAreFound() throws {
    let redactor = Redactor([Secret("clé/7f3a")])
    let latin1: [UInt8] = Array("cl".utf8) + [0xE9] + Array("/7f3a".utf8)
    #expect(redactor.redacted([0x61] + latin1 + [0x62]) == Array("a<redacted>b".utf8))
    #expect(redactor.redacted("a=cl%E9%2f7f3a&") == "a=<redacted>&")
    #expect(redactor.redacted("a \(base64(latin1)) b") == "a <redacted> b")
    // A field with such a byte elsewhere is decoded as Latin-1.
    #expect(redactor.redacted(String(wireBytes: Array("ü clé/7f3a ".utf8) + [0xFF])) == "Ã¼ <redacted> ÿ")
    for secret in ["clé/7f3a", "7f3a/clé", "éééé", "7f3a"] {
      let redactor = Redactor([Secret(secret)])
      for isBig in [false, true] {
        let bytes = { (text: String) in
          text.utf16.flatMap { unit -> [UInt8] in
            let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
            return isBig ? [high, low] : [low, high]
          }
        }
        #expect(redactor.redacted(bytes("a \(secret) b")) == bytes("a <redacted> b"), "\(secret)")
        let utf32 = { (text: String) in
          text.unicodeScalars.flatMap { scalar -> [UInt8] in
            let bytes = (0..<4).map { UInt8(truncatingIfNeeded: scalar.value >> (8 * $0)) }
            return isBig ? bytes.reversed() : bytes
          }
        }
        #expect(redactor.redacted(utf32("a \(secret) b")) == utf32("a <redacted> b"), "\(secret)")
      }
    }
  }

  @Test func overlappingMatchesAreMerged() {
    let redactor = Redactor(["abcdef", "efgh", "bcde"].map { Secret($0) })
    #expect(redactor.redacted("xabcdefghx") == "x<redacted>x")
    #expect(redactor.redacted("abcdefabcdef") == "<redacted><redacted>")
    #expect(redactor.redacted("xbcdefgh") == "x<redacted>")
    #expect(Redactor([Secret("aaaa")]).redacted("xaaaaaaax") == "x<redacted>x")
  }

  @Test func aPartialSecretAtTheEndIsRedacted() {
    #expect(redactor.redacted("found pass wo") == "found <redacted>")
    #expect(redactor.redacted("found pas") == "found pas")
    #expect(redactor.redacted("found pass\n") == "found pass\n")
    #expect(redactor.redacted("pass wo and more") == "pass wo and more")
    // An excerpt is marked with an ellipsis.
    #expect(redactor.redacted("found \"pass wo…\", not") == "found \"<redacted>…\", not")
    for form in [
      "pass%2", "pass%", "pass%252", "pass&", "pass&#3", "pass&#x0", "pass\\u00", "pass\\", "pass+wor",
      "pass\\0000",
    ] {
      #expect(redactor.redacted("found \(form)") == "found <redacted>", "\(form)")
      #expect(redactor.redacted("found \(form)… not") == "found <redacted>… not", "\(form)")
    }
    #expect(redactor.redacted("pass%41 pass&amp; pass%2 pass&#3 ") == "pass%41 pass&amp; pass%2 pass&#3 ")
  }

  @Test func textWithoutSecretsIsUnchanged() throws {
    let text = "nothing to see"
    #expect(redactor.redacted(text) == text)
    #expect(redactor.redacted([0xFF, 0]) == [0xFF, 0])
    let url = try ProbeURL("https://h.test/a?b")
    #expect(redactor.redacted(url) == url)
    #expect(Redactor([Secret("abc"), Secret("")]).isEmpty)
  }

  @Test func urlsStayURLs() throws {
    #expect(
      redactor.redacted(try ProbeURL("https://h.test/pass%20word%26%3C7f3a%3E?x=1")).string
        == "https://h.test/redacted?x=1")
    #expect(
      redactor.redacted(try ProbeURL("https://h.test/?x=pass+word%26%3c7f3a%3e&y=1")).string
        == "https://h.test/?x=redacted&y=1")
    #expect(Redactor([Secret("secret")]).redacted(try ProbeURL("https://secret/")).host == "redacted")
  }

  @Test func theSchemeIsNotRedacted() throws {
    let redactor = Redactor([Secret("http")])
    #expect(redactor.redacted(try ProbeURL("http://h.test/")).string == "http://redacted.invalid")
    #expect(redactor.redacted(try ProbeURL("https://h.test/")).scheme == .https)
  }

  @Test func hexadecimalAndLowercaseHostsAreFound() throws {
    let redactor = Redactor([Secret("Pass-7F3a")])
    for digits in ["0123456789abcdef", "0123456789ABCDEF"].map(Array.init) {
      let hex = "Pass-7F3a".utf8.map { "\(digits[Int($0 >> 4)])\(digits[Int($0 & 15)])" }.joined()
      #expect(redactor.redacted("a \(hex) b") == "a <redacted> b")
    }
    #expect(redactor.redacted(try ProbeURL("http://Pass-7F3a.h.test/")).host == "redacted.h.test")
  }

  /// Programs change the case of what they echo: of host names, of names in headings, of tokens in logs.
  @Test(arguments: ["Pass-7F3a", "pass-7f3a", "PASS-7F3A", "Clé-Größe"]) func theCaseDoesNotMatter(
    _ secret: String
  ) {
    let redactor = Redactor([Secret(secret)])
    let mixed = secret.prefix(4).uppercased() + secret.dropFirst(4).lowercased()
    let isASCII = secret.utf8.allSatisfy { $0 < 0x80 }
    for changed in [secret, secret.uppercased(), secret.lowercased()] + (isASCII ? [mixed] : []) {
      for form in [
        changed, Spellings.escaped(changed) { Spellings.percent($0) }, base64(changed.utf8),
        Spellings.escaped(changed) { "&#x\(Spellings.hex($0.value, 2, uppercase: true));" },
      ] where form != base64(changed.utf8) || changed == secret {
        #expect(redactor.redacted("a \(form) b") == "a <redacted> b", "\(form)")
      }
    }
  }

  @Test func theSecretsOfARequestAreRedacted() throws {
    var request = ProbeRequest(try ProbeURL("https://h.test/"))
    #expect(request.redactor == nil)
    request.http.headers = ["Accept": "text/plain"]
    #expect(request.redactor == nil)
    request.http.headers = ["X-Api-Key": "key-canary", "Authorization": "Token token-canary"]
    request.http.credentials = .basic(user: "me", password: Secret("password-canary"))
    request.proxy = try ProbeProxy("http://h.test:1", user: "you", password: Secret("proxy-canary"))
    request.tls.clientCertificate = .init(certificateFile: "c", passphrase: Secret("phrase-canary"))
    let redactor = try #require(request.redactor)
    for text in [
      "key-canary", "token-canary", "password-canary", "proxy-canary", "phrase-canary",
      base64("me:password-canary".utf8), base64("you:proxy-canary".utf8),
    ] {
      #expect(redactor.redacted("say \(text)!").contains("<redacted>"), "\(text)")
      #expect(!redactor.redacted("say \(text)!").contains("canary"))
    }
    request.http.headers = [
      "Cookie": "a=long-canary; b=no", "Authorization": "Basic \(base64("me:by-hand-canary".utf8))",
    ]
    let byHand = try #require(request.redactor)
    #expect(byHand.redacted("long-canary, no, me and by-hand-canary") == "<redacted>, no, me and <redacted>")
    var dumped = ""
    dump(request, to: &dumped)
    dump(redactor, to: &dumped)
    for text in [dumped, String(reflecting: request), String(describing: redactor)] {
      #expect(!text.contains("canary"))
    }
  }

  @Test func failuresAreRedactedWithTheirResponse() throws {
    let redactor = Redactor([Secret("canary")])
    let url = try ProbeURL("https://h.test/?q=canary")
    let head = HTTPResponseHead(
      status: 302, reasonPhrase: "canary", fields: ["Location": "/canary", "X-canary": "1"])
    let response = ProbeResponse(
      url: url, head: head, body: Array("<p>canary</p>".utf8),
      redirects: RedirectHop(of: head, from: url).map { [$0] } ?? [])
    let failure = redactor.redacted(ProbeFailure(.bodyShort, "canary", partial: response))
    #expect(failure.reason == .bodyShort && failure.detail == "<redacted>")
    let shown = try #require(failure.partial)
    #expect(shown.status == 302)
    #expect(shown.url.string == "https://h.test/?q=redacted")
    #expect(shown.redirects.map(\.target?.string) == ["https://h.test/redacted"])
    #expect(String(decoding: shown.body, as: UTF8.self) == "<p><redacted></p>")
    #expect(!String(reflecting: shown).contains("canary"))
  }
}

@Suite struct SensitiveHeaderTests {
  @Test(arguments: [
    "Accept", "Host", "User-Agent", "Content-Type", "Content-Digest", "Digest", "ETag", "If-None-Match",
    "Origin",
    "X-Request-Id", "Max-Author", "X-Author", "Authority", "Public-Key-Pins", "Zip-Code", "Key-Code",
    "Strict-Transport-Security",
    "Via",
    "X-Forwarded-For", "Traceparent", "Cache-Control",
  ])
  func otherValuesAreShown(_ name: String) {
    #expect(!HeaderFields.isSensitive(name))
    let fields: HeaderFields = [name: "plain"]
    #expect("\(fields)" == "[\(name): plain]")
  }

  /// Keys of files: those of secrets, misspelled ones, and others.
  @Test(arguments: [
    ("password", true), ("passwort", true), ("pasword", true), ("Pass_Word", true), ("baerer_token", true),
    ("bearertokn", true), ("autorization", true), ("authorisation", true), ("crendentials", true),
    ("secert", true),
    ("coockie", true), ("clientSecret", true), ("api-kye", true), ("apikye", true), ("basic_auth", true),
    ("passphrse", true), ("session", false), ("sessions", false), ("timeout", false), ("path", false),
    ("text", false),
    ("passes", false), ("keyBits", false), ("method", false), ("", false),
    (String(repeating: "p", count: 5000), false),
  ])
  func misspelledKeysOfSecretsAreRecognized(_ name: String, _ isSecret: Bool) {
    #expect(SecretNames.mayBeSecretKey(name) == isSecret)
  }

  @Test(arguments: [
    "Authorization", "cookie", "X-API-Key", "X-Auth-Token", "Client-Secret", "WWW-Authenticate", "Set-Cookie",
    "Proxy-Authorization", "XApiKey", "X-ApiKey", "api_key", "PRIVATE-TOKEN", "X-Vault-Token", "X-Session",
    "X-Session-Id", "X-CSRF", "X-Amz-Security-Token", "Ocp-Apim-Subscription-Key", "X-Functions-Key",
    "DD-API-KEY",
    "X-Jwt-Assertion", "X-GitHub-OTP", "X-Auth-User", "X-Access-Code", "Passwd",
    "X-Authentication", "Authentication", "X-AuthKey", "x-authkey", "X-Authenticated-User", "X-Auth-Foo",
  ])
  func sensitiveValuesAreNotPrinted(_ name: String) {
    let fields: HeaderFields = ["Accept": "text/plain", name: "canary"]
    var dumped = ""
    dump(fields, to: &dumped)
    dump(fields[1], to: &dumped)
    for text in ["\(fields)", String(reflecting: fields), String(reflecting: fields[1]), dumped] {
      #expect(text.contains("<redacted>") && !text.contains("canary"), "\(text)")
    }
    #expect("\(fields)" == "[Accept: text/plain, \(name): <redacted>]")
  }
}
