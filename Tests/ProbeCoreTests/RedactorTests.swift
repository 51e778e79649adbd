import FoundationEssentials
import ProbeCore
import Testing

@Suite struct RedactorTests {
  private static let secret = "pass word&<7f3a>"
  private let redactor = Redactor([Secret(secret)])

  @Test(arguments: [
    secret, "pass%20word%26%3C7f3a%3E", "pass word&amp;&lt;7f3a&gt;",
    "cGFzcyB3b3JkJjw3ZjNhPg==",
  ])
  func everyFormIsFound(_ form: String) {
    #expect(redactor.text("a \(form) b") == "a <redacted> b" || form.hasSuffix("=="))
    #expect(redactor.bytes(Array("\(form)\(form)".utf8)).count < 2 * form.utf8.count)
    for text in [redactor.text(form), String(decoding: redactor.bytes(Array(form.utf8)), as: UTF8.self)] {
      #expect(text.hasPrefix("<redacted>"))
      #expect(!text.contains("7f3a") && !text.contains("ZjNh"))
    }
  }

  @Test func aPartAtTheEndGoesToo() {
    #expect(redactor.text("found pass wo") == "found <redacted>")
    #expect(redactor.text("found pas") == "found pas")
    #expect(redactor.text("pass wo and more") == "pass wo and more")
  }

  @Test func whatHoldsNoSecretStays() throws {
    let text = "nothing to see"
    #expect(redactor.text(text) == text)
    #expect(redactor.bytes([0xFF, 0]) == [0xFF, 0])
    let url = try ProbeURL("https://h.test/a?b")
    #expect(redactor.url(url) == url)
    #expect(Redactor([Secret("abc"), Secret("")]).isEmpty)
  }

  @Test func urlsStayURLs() throws {
    #expect(
      redactor.url(try ProbeURL("https://h.test/pass%20word%26%3C7f3a%3E?x=1")).string
        == "https://h.test/redacted?x=1")
    #expect(Redactor([Secret("secret")]).url(try ProbeURL("https://secret/")).host == "redacted")
  }

  @Test func theSecretsOfARequestAreKnown() throws {
    var request = ProbeRequest(try ProbeURL("https://h.test/"))
    #expect(request.redactor == nil)
    request.http.headers = ["Accept": "text/plain"]
    #expect(request.redactor == nil)
    request.http.headers = ["X-Api-Key": "key-canary", "Authorization": "Token token-canary"]
    request.http.credentials = .basic(user: "me", password: Secret("password-canary"))
    request.proxy = try ProbeProxy("http://h.test:1", user: "you", password: Secret("proxy-canary"))
    request.tls.clientCertificate = .init(certificateFile: "c", passphrase: Secret("phrase-canary"))
    let redactor = try #require(request.redactor)
    func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
    for text in [
      "key-canary", "token-canary", "password-canary", "proxy-canary", "phrase-canary",
      base64("me:password-canary"), base64("you:proxy-canary"),
    ] {
      #expect(redactor.text("say \(text)!").contains("<redacted>"), "\(text)")
      #expect(!redactor.text("say \(text)!").contains("canary"))
    }
    var dumped = ""
    dump(request, to: &dumped)
    dump(redactor, to: &dumped)
    for text in [dumped, String(reflecting: request), String(describing: redactor)] {
      #expect(!text.contains("canary"))
    }
  }

  @Test func answersAreMadeFitToBeShown() throws {
    let redactor = Redactor([Secret("canary")])
    let url = try ProbeURL("https://h.test/?q=canary")
    let head = HTTPResponseHead(
      status: 302, reasonPhrase: "canary", fields: ["Location": "/canary", "X-canary": "1"])
    let answer = ProbeResponse(
      url: url, head: head, body: Array("<p>canary</p>".utf8),
      redirects: RedirectHop(of: head, from: url).map { [$0] } ?? [])
    let failure = redactor.failure(ProbeFailure(.bodyShort, "canary", partial: answer))
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
  @Test(arguments: ["Authorization", "cookie", "X-API-Key", "X-Auth-Token", "Client-Secret"])
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
