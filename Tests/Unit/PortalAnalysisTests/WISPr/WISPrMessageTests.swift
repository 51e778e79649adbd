import PortalAnalysis
import ProbeCore
import TestSupport
import Testing

@Suite struct WISPrMessageTests {
  private func message(_ content: String) -> WISPrMessage? {
    let found = messages("<WISPAccessGatewayParam>\(content)</WISPAccessGatewayParam>")
    return found.count == 1 ? found[0] : nil
  }

  private func messages(_ text: String) -> [WISPrMessage] {
    WISPrMessage.messages(in: Array(text.utf8).span)
  }

  @Test func everyElementIsRead() {
    var expected = WISPrMessage()
    expected.messageType = .redirect
    expected.responseCode = .noError
    expected.loginURL = "https://login.example/in?a=1&b=2"
    expected.abortLoginURL = "http://login.example/abort"
    expected.logoffURL = "http://login.example/off"
    expected.loginResultsURL = "http://login.example/poll"
    expected.nextURL = "http://next.example/"
    expected.redirectionURL = "http://start.example/"
    expected.accessProcedure = "1.0"
    expected.accessLocation = "isocc=de,cc=49,ac=30,network=ACME"
    expected.locationName = "Café <One>"
    expected.replyMessage = "Hello"
    let read = message(
      """
      <Redirect>
        <AccessProcedure>1.0</AccessProcedure>
        <AccessLocation>isocc=de,cc=49,ac=30,network=ACME</AccessLocation>
        <LocationName> Caf&#xE9; &lt;One&gt;\n</LocationName>
        <LoginURL>https://login.example/in?a=1&amp;b=2</LoginURL>
        <AbortLoginURL>http://login.example/abort</AbortLoginURL>
        <LogoffURL>http://login.example/off</LogoffURL>
        <LoginResultsURL>http://login.example/poll</LoginResultsURL>
        <NextURL>http://next.example/</NextURL><RedirectionURL>http://start.example/</RedirectionURL>
        <ReplyMessage>Hello</ReplyMessage>
        <MessageType>100</MessageType><ResponseCode>0</ResponseCode><Unknown>x</Unknown>
      </Redirect>
      """)
    #expect(read == expected)
    #expect(read?.isLoginRedirect == true)
  }

  @Test(arguments: [
    (100, WISPrMessage.MessageType.redirect, "redirect to a login"), (110, .proxy, "notice of a proxy"),
    (120, .authentication, "reply to a login"), (130, .logoff, "reply to a logoff"),
    (140, .poll, "reply to a login that was pending"), (150, .abort, "reply to a login that was given up"),
    (77, .init(rawValue: 77), "message type 77"),
  ])
  func typesAreRecognized(_ number: Int, _ type: WISPrMessage.MessageType, _ words: String) {
    let read = message("<MessageType>\(number)</MessageType><LoginURL>http://a/</LoginURL>")
    #expect(read?.messageType == type)
    #expect(type.description == words)
    // An authentication reply may contain a URL for another attempt, which is not the initial login URL.
    #expect(read?.isLoginRedirect == (number == 100))
  }

  @Test(arguments: [
    (0, WISPrMessage.ResponseCode.noError, "no error", true), (50, .loginSucceeded, "logged in", false),
    (100, .loginFailed, "login refused", false), (102, .serverError, "error of the login server", false),
    (105, .notEnabled, "logins are not set up", false), (150, .logoffSucceeded, "logged off", false),
    (151, .loginAborted, "login given up", false), (200, .proxyDetected, "proxy found", false),
    (201, .pending, "login pending", false), (255, .gatewayError, "error of the gateway", false),
    (7, .init(rawValue: 7), "response code 7", false),
  ])
  func codesAreRecognized(_ number: Int, _ code: WISPrMessage.ResponseCode, _ words: String, _ isLogin: Bool)
  {
    let read = message(
      "<Redirect><MessageType>100</MessageType><ResponseCode>\(number)</ResponseCode>"
        + "<LoginURL>http://a/</LoginURL></Redirect>")
    #expect(read?.responseCode == code)
    #expect(code.description == words)
    #expect(read?.isLoginRedirect == isLogin)
  }

  @Test(arguments: [
    ("Redirect", WISPrMessage.MessageType.redirect), ("Proxy", .proxy),
    ("AuthenticationReply", .authentication),
    ("LogoffReply", .logoff), ("AuthenticationPollReply", .poll), ("AbortLoginReply", .abort),
  ])
  func withoutANumberTheElementDeterminesTheType(_ element: String, _ type: WISPrMessage.MessageType) {
    #expect(message("<\(element)><ResponseCode>0</ResponseCode></\(element)>")?.messageType == type)
  }

  @Test(arguments: [
    "<LoginURL>http://a/?b&c</LoginURL>", "<LOGINURL>http://a/?b&amp;c</loginurl>",
    "<LoginURL>\r\n\t http://a/?b&c \u{0}</LoginURL>", "<LoginURL a='x>y'>http://a/?b&c",
    "<LoginURL><![CDATA[http://a/?b&c]]></LoginURL>", "<LoginURL> <![CDATA[[http://a/?b&c]]]> </LoginURL>",
    "<LoginURL>CDATA[[http://a/?b&c]]</LoginURL>", "<LoginURL>CDATA[[http://a/?b&amp;c]]></LoginURL>",
    "<LoginURL><![CDATA[http://a/?b&c", "<LoginURL><![CDATA[http://a/]]>?b&#38;c</LoginURL>",
    "<LoginURL>http://a/?b&c<MessageType>100</MessageType>",
    "<w:LoginURL xml:lang=”en”>http://a/?b&c</w:LoginURL>",
    "<LoginURL>http://a/?b&c</LoginURL><LoginURL>http://second/</LoginURL>",
    "<LoginURL/><LoginURL></LoginURL><LoginURL>http://a/?b&c</LoginURL>",
    "<!-- x --><?xml?><LoginURL>http://a/?b&#x26;c</LoginURL>",
    "< <LoginURL<LoginURL>http://a/?b&c</LoginURL>",
  ])
  func aURLIsReadInEveryNotation(_ content: String) {
    let expected = content.contains("a='x>y'") ? "y'>http://a/?b&c" : "http://a/?b&c"
    #expect(message(content)?.loginURL == expected)
  }

  @Test(arguments: [
    "<!--\n<WISPAccessGatewayParam xmlns:x=\"y\" x:noNamespaceSchemaLocation=\"http://a/WISPAccessGatewayParam.xsd\">@-->",
    "<WISPAccessGatewayParam>@", "<wispaccessgatewayparam>@</WISPACCESSGATEWAYPARAM>",
    "<ns1:WISPAccessGatewayParam>@</ns1:WISPAccessGatewayParam>",
    "<html><![CDATA[<WISPAccessGatewayParam>@</WISPAccessGatewayParam>]]>", "<WISPAccessGatewayParam x=”y”>@",
    "<?xml version=\"1.0\"?>\u{0}<WISPAccessGatewayParam\n>@</WISPAccessGatewayParam\n>",
    "WISPAccessGatewayParam <WISPAccessGatewayParam>@</WISPAccessGatewayParam> WISPAccessGatewayParam",
  ])
  func aMessageIsFoundAnywhereInAPage(_ frame: String) {
    let content = "<Redirect><MessageType>100</MessageType><LoginURL>http://a/</LoginURL></Redirect>"
    let found = messages(frame.replacing("@", with: content))
    #expect(found.map(\.loginURL) == ["http://a/"])
    #expect(found.first?.isLoginRedirect == true)
  }

  @Test(arguments: [
    "&lt;WISPAccessGatewayParam&gt;&lt;LoginURL&gt;http://a/?b&amp;amp;c&lt;/LoginURL&gt;&lt;/WISPAccessGatewayParam&gt;",
    "&#60;WISPAccessGatewayParam>&#60;LoginURL>http://a/?b&amp;c&#60;/LoginURL>",
    "&LT;x:WISPAccessGatewayParam&gt;&#x3C;LoginURL&#x3e;http://a/?b&c",
  ])
  func escapedTagsAreRead(_ text: String) {
    #expect(messages(text).map(\.loginURL) == ["http://a/?b&c"])
  }

  @Test(arguments: [
    "", "<Redirect><LoginURL>http://a/</LoginURL></Redirect>", "WISPAccessGatewayParam",
    "/WISPAccessGatewayParam>",
    "</WISPAccessGatewayParam>", "x:WISPAccessGatewayParam", "<WISPAccessGatewayPara",
    "<WISPAccess GatewayParam>",
  ])
  func otherTextIsNotAMessage(_ text: String) {
    #expect(messages(text) == [])
  }

  @Test(arguments: [
    "", "<", "<LoginURL", "<LoginURL>", "<LoginURL></LoginURL>", "<LoginURL> \n </LoginURL>", "<a>x</a>",
  ])
  func aMessageMayBeEmpty(_ content: String) {
    #expect(message(content) == WISPrMessage())
  }

  @Test(arguments: ["-1", "+100", "1 00", "x", "", "0x64", "12345678901234567890", "１００"])
  func invalidNumbersAreNotReported(_ number: String) {
    let read = message("<MessageType>\(number)</MessageType><ResponseCode>\(number)</ResponseCode>")
    #expect(read == WISPrMessage())
  }

  @Test func severalMessagesAreReadUpToALimit() {
    let text = (1...40).map { "<WISPAccessGatewayParam><LoginURL>http://\($0)/</LoginURL>" }.joined()
    #expect(messages(text).map(\.loginURL) == (1...16).map { "http://\($0)/" })
  }

  @Test(arguments: [
    "<WISPAccessGatewayParamx:WISPAccessGatewayParam>",
    "&lt;WISPAccessGatewayParamx:WISPAccessGatewayParam&gt;",
    "<a:WISPAccessGatewayParam:WISPAccessGatewayParam>", "<WISPAccessGatewayParam/WISPAccessGatewayParam>",
  ])
  func aPrefixDoesNotExtendIntoThePrecedingName(_ tag: String) {
    #expect(messages("\(tag)<LoginURL>http://a/</LoginURL>").map(\.loginURL) == ["http://a/"])
  }

  @Test func textLengthsAreLimited() {
    let long = String(repeating: "a", count: 8193)
    #expect(message("<LoginURL>\(long)</LoginURL><ReplyMessage>b</ReplyMessage>")?.loginURL == nil)
    #expect(message("<LoginURL>\(long.dropLast())</LoginURL>")?.loginURL?.utf8.count == 8192)
    // Elements far after the start of a message are not read.
    let far = String(repeating: "<a>", count: 25_000) + "<LoginURL>http://a/</LoginURL>"
    #expect(message(far)?.loginURL == nil)
  }

  @Test(arguments: [
    "<WISPAccessGatewayParam", "<WISPAccessGatewayParam><![CDATA[", "&lt;WISPAccessGatewayParam&",
    "WISPAccess", "<",
    "</WISPAccessGatewayParam>", "<WISPAccessGatewayParam><LoginURL><![CDATA[]]", ":WISPAccessGatewayParam",
  ])
  func theCostOfRepetitionIsLinear(_ piece: String) {
    let bytes = Array(repeatElement(Array(piece.utf8), count: 50_000 / piece.utf8.count).joined())
    let start = threadTime()
    _ = WISPrMessage.messages(in: bytes.span)
    #expect(threadTime() - start < 2)
  }

  @Test func bytesThatAreNotUTF8AreRead() {
    let bytes =
      Array("<WISPAccessGatewayParam><LocationName>Caf".utf8) + [0xE9] + Array("</LocationName>".utf8)
    #expect(WISPrMessage.messages(in: bytes.span).map(\.locationName) == ["Café"])
  }
}
