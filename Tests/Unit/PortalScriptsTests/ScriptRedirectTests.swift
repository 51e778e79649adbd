import ProbeCore
import Testing

@testable import PortalScripts

/// The redirects of single scripts.
///
/// `~` marks a reference that is not automatic.
@Suite struct ScriptRedirectTests {
  private let page = "http://probe.example:81/x/check?q=1"

  @Test(arguments: [
    "location = 'http://a/'", "location='http://a/';", "window.location = \"http://a/\"",
    "location.href = 'http://a/'", "window.location.href='http://a/'", "top.location = 'http://a/'",
    "top.location.href = 'http://a/'", "self.location = 'http://a/'", "parent.location.href = 'http://a/'",
    "document.location = 'http://a/'", "document.location.href = 'http://a/'", "this.location = 'http://a/'",
    "globalThis.location = 'http://a/'", "window.top.location = 'http://a/'",
    "window.top.document.location.href = 'http://a/'", "window['location']['href'] = 'http://a/'",
    "window[\"location\"] = 'http://a/'", "document.defaultView.location = 'http://a/'",
    "location.replace('http://a/')", "window.location.replace(\"http://a/\");",
    "location.assign('http://a/')", "window.navigate('http://a/')", "location['replace']('http://a/')",
    "location?.assign?.('http://a/')", "window . location\n.\nhref\n=\n'http://a/'",
    "var w = window; w.location = 'http://a/'", "var d = document; d.location.href = 'http://a/'",
    "var go = location; go.href = 'http://a/'", "$(location).attr('href', 'http://a/')",
    "jQuery(window.location).prop('href', 'http://a/')", "$(window).attr('location', 'http://a/')",
    "window.open('http://a/')", "open('http://a/', '_self')", "eval(\"location = 'http://a/'\")",
    "\\u006cocation = 'http://a/'", "l\\u{6f}cation = 'http://a/'",
  ])
  func allFormsOfARedirectAreFound(_ script: String) throws {
    #expect(try findings(script, page: page).marked == ["http://a/"])
  }

  /// A letter with an accent can be one character or two: the texts are equal in Swift, and the URLs differ.
  @Test func equivalentTextsAreDifferentURLs() throws {
    let (one, two) = ("/caf\u{E9}", "/cafe\u{301}")
    func redirects(_ script: String, _ page: String) throws -> [[UInt8]] {
      try findings(script, page: page).redirects.map { Array($0.reference.utf8) }
    }
    let script = "if (x) location = '\(one)'; if (y) location = '\(two)'"
    #expect(try redirects(script, "http://probe.example/caf%C3%A9") == [Array(two.utf8)])
    #expect(try redirects(script, "http://probe.example/cafe%CC%81") == [Array(one.utf8)])
    #expect(try redirects(script, "http://probe.example/") == [Array(one.utf8), Array(two.utf8)])
  }

  @Test(arguments: [
    ("'http:\\/\\/a\\/'", "http://a/"), ("'\\x68ttp://a/'", "http://a/"),
    ("'\\u0068ttp://a/\\u{62}'", "http://a/b"), ("'\\150ttp://a/'", "http://a/"),
    ("'/\\ud83d\\ude00'", "/\u{1F600}"), ("'/a\\\nb'", "/ab"), ("'/\\q\\'\\\"'", "/q'\""),
    ("`http://a/`", "http://a/"), ("`http://${'a'}/${`b${1}`}`", "http://a/b1"),
    ("'http://' + 'a' + '/'", "http://a/"), ("'http://'.concat('a', '/', 8)", "http://a/8"),
    ("('http://' + ('a')) + '/'", "http://a/"), ("'http://a:' + 8080 + '/'", "http://a:8080/"),
    ("location.protocol + '//a/'", "http://a/"),
    ("'//a/?u=' + location.href", "//a/?u=http://probe.example:81/x/check?q=1"),
    (
      "'//a/?u=' + encodeURIComponent(document.URL)",
      "//a/?u=http%3A%2F%2Fprobe.example%3A81%2Fx%2Fcheck%3Fq%3D1"
    ),
    ("'//a/?' + escape('a b/ä')", "//a/?a%20b/%C3%A4"), ("'//a/?' + encodeURI('ä b')", "//a/?%C3%A4%20b"),
    ("'//' + location.hostname + ':8080/'", "//probe.example:8080/"),
    ("'//' + location.host + '/login'", "//probe.example:81/login"),
    ("location.origin + '/login'", "http://probe.example:81/login"),
    ("'/login' + location.search", "/login?q=1"), ("'/login' + location.search.substring(1)", "/loginq=1"),
    ("'//a' + location.pathname", "//a/x/check"), ("'//a:1' + location.port", "//a:181"),
    ("unescape('%68ttp%3A//a/%u00e4')", "http://a/\u{e4}"),
    ("decodeURIComponent('http%3A%2F%2Fa')", "http://a"),
    ("atob('aHR0cDovL2EvYg==')", "http://a/b"), ("'//a/?' + btoa('abcd')", "//a/?YWJjZA=="),
    ("String.fromCharCode(47, 97)", "/a"), ("'//A/'.toLowerCase()", "//a/"),
    ("'http://b/'.replace('b', 'a')", "http://a/"), ("' http://a/ '.trim()", " http://a/ "),
    ("String(location).replace('http:', 'https:')", "https://probe.example:81/x/check?q=1"),
    ("true ? 'http://a/' : 'http://b/'", "http://a/"), ("null ?? 'http://a/'", "http://a/"),
    ("(1, 'http://a/')", "http://a/"), ("function(){ return 'http://a/' }()", "http://a/"),
    ("{ url: 'http://a/' }.url", "http://a/"), ("{ 'url': 'http://a/' }['url']", "http://a/"),
    // If the host is known, only the unknown parts are omitted.
    ("'http://a/?m=' + mac", "http://a/?m=…"),
    ("'http://a/?m=' + mac + '&u=' + u + '&x=1'", "http://a/?m=&u=&x=1…"),
    ("'http://a/login/' + id", "http://a/login/…"), ("'http://a/' + lang + '/login'", "http://a/…"),
    ("'login?m=' + mac", "login?m=…"), ("'/login/' + mac", "/login/…"),
    ("`http://a/?m=${mac}`", "http://a/?m=…"),
    ("'http://a/?u=' + encodeURIComponent(document.referrer)", "http://a/?u=…"),
  ])
  func referenceExpressionsAreEvaluated(_ expression: String, _ reference: String) throws {
    #expect(try findings("location.href = \(expression)", page: page).marked == [reference])
  }

  @Test(arguments: [
    "x", "x + '/'", "'http://' + host", "'http://' + host + '/login?a'", "'/' + x + '/login'", "'page' + n",
    "getParameter('url')", "args.switch_url", "1 + 2", "x[0]", "document.referrer",
  ])
  func anUnknownDestinationIsReportedAsSuch(_ expression: String) throws {
    let found = try findings("location.href = \(expression)", page: page)
    #expect(found == ScriptFindings(hasUnknownTarget: true))
  }

  @Test(arguments: [
    "", "var a = 'http://a/'", "// location = 'http://a/'", "/* location = 'http://a/' */", "'location = 1'",
    "if (top != self) top.location = self.location",
    "if (parent.frames.length > 0) top.location.href = location",
    "if (top !== self) { top.location.href = 'http://a/' }", "location.reload()", "history.go(-1)",
    "location.href = location.href", "location = window.location", "location = '#top'", "location = ''",
    "location.hash = 'x'", "location.replace()", "var location = 'http://a/'",
    "function f(location) { location = 'http://a/' }", "var a = { location: 'http://a/' }",
    "a.location = 'http://a/'",
    "opener.location = 'http://a/'", "location == 'http://a/'", "/location='http:\\/\\/a\\/'/.test(x)",
    "x = /[/']/; y = /'/; '; location = 1;'", "if (false) location = 'http://a/'",
    "var x; if (x) location = 'http://a/'", "if (null) location = '/a'",
    "var u = ''; if (u != '') location = u",
    "function f() { return; location = 'http://a/' }", "location.protocol = 'https:'",
    "<!-- location = 'http://a/'", "\n--> location = 'http://a/'", "1\n/* */ --> location = '/a'",
    "w = `\\`; location = '/a'; \\``",
  ])
  func scriptsWithoutARedirectHaveNoFindings(_ script: String) throws {
    #expect(try findings(script, page: page) == ScriptFindings())
  }

  @Test(arguments: [
    ("<!--\nlocation = '/a'\n//-->", ["/a"]), ("//<![CDATA[\nlocation = '/a'\n//]]>", ["/a"]),
    ("<![CDATA[ location = '/a' ]]>", ["/a"]), ("x = a / b; location = '/a' / c; location = '/b'", ["/b"]),
    ("location = '/a'; location = '/b'", ["/a", "/b"]), ("location = '/a'\nlocation = '/b'", ["/a", "/b"]),
    ("x = /\"/; location = '/a'", ["/a"]), ("x = 4 / 2; location = '/a'; y = 1 / 2", ["/a"]),
    ("x = `${ {a: '}'} }`; location = '/a'", ["/a"]), ("x = 'never ends\nlocation = '/a'", ["/a"]),
    ("} ) ] location = '/a'", ["/a"]), ("{{ ( [ location = '/a'", ["/a"]), ("a(; location = '/a'", ["/a"]),
    ("label: location = '/a'", ["/a"]), ("location = '/a' /* never ends", ["/a"]),
  ])
  func commentsAndPunctuationAreTokenized(_ script: String, _ references: [String]) throws {
    #expect(try findings(script, page: page).marked == references)
  }
}
