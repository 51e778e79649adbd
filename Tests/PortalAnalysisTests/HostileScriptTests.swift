import ProbeCore
import Testing

@testable import PortalAnalysis

/// Scripts that are made to cost: reading them takes bounded time, memory and stack, and what stands in front of them is
/// found all the same.
@Suite struct HostileScriptTests {
  @Test(arguments: [
    "+", "-", "!", "(", "[", "{", ")", "]", "}", "/", "/[", "`", "`${", "`${(", "}${", "'", "\"", "\\",
    "\\u{", "<!--", "-->",
    "/*", "//", "=", "=>", "a=>", "()=>", "a=", "a=a+", "a+=a;", "a+='x';", "a?", "a?a:", "a,", "a.", "a?.",
    "a[", "a(", "a(a)(",
    "new ", "typeof ", "function", "function(", "function(){", "function f(){f();", "function f(){f()}",
    "class{", "class a{f(){",
    "if(a)", "if(a){}else ", "for(;;)", "while(1)", "do ", "switch(a){case 1:", "try{", "try{}catch(e){",
    "a:", "var a=",
    "var a,", "({a:", "[{", "return ", "async ", "await ", "a&&", "a||", "a??=", "a==", "$(",
    "setTimeout('a',1);",
    "eval('eval(\"a\")');", "document.write('<script>');", "location=", "location='/'+", "a='x'+a+a;",
    "\u{0}", "\u{FFFD}", "é",
    "setTimeout(function(){", "a.replace('a','b').", "escape(", "{a}", "a\n", "if(a)a+='x';", "...", "#a",
    "0x", "1e", "0.",
  ])
  func repetitionCostsNoMoreThanItsLength(_ piece: String) throws {
    // Debug builds are some ten times slower than what is promised.
    let length = 3_000
    let script =
      Array("location='/a';".utf8)
      + Array(repeatElement(Array(piece.utf8), count: length / piece.utf8.count).joined())
    let page = try ProbeURL("http://probe.example/")
    var found: [ScriptRedirect] = []
    let time = ContinuousClock().measure { found = ScriptRedirect.redirects(in: script[...], page: page) }
    #expect(found.first?.reference == "/a")
    #expect(found.count <= 32)
    #expect(time < .seconds(5))
  }

  @Test func nestingIsBounded() throws {
    let page = try ProbeURL("http://probe.example/")
    let count = 2_000
    for (open, close) in [
      ("(", ")"), ("[", "]"), ("{", "}"), ("f(", ")"), ("(function(){", "})()"), ("`${", "}`"),
    ] {
      let script =
        "\(String(repeating: open, count: count))location='/b'\(String(repeating: close, count: count));location='/a'"
      let found = ScriptRedirect.redirects(in: Array(script.utf8)[...], page: page)
      #expect(found.last?.reference == "/a", "\(open)")
    }
  }

  /// Each function calls the next one twice.
  @Test func callsDoNotMultiply() throws {
    let page = try ProbeURL("http://probe.example/")
    let functions = (0..<500).map { "function f\($0)(){f\($0 + 1)();f\($0 + 1)()}" }.joined(separator: "\n")
    let found = ScriptRedirect.redirects(in: Array("\(functions)\nf0();location='/a'".utf8)[...], page: page)
    #expect(found.count <= 1)
  }

  @Test func textsDoNotGrowWithoutBounds() throws {
    let page = try ProbeURL("http://probe.example/")
    let script = "u='/0123456789';\(String(repeating: "u=u+u;", count: 1_000))location=u;location='/a'"
    #expect(ScriptRedirect.redirects(in: Array(script.utf8)[...], page: page).map(\.reference) == ["/a"])
  }

  @Test func aLongReferenceIsLeftOut() throws {
    let page = try ProbeURL("http://probe.example/")
    for (count, isKept) in [(8192, true), (8193, false)] {
      let script = "location='\(String(repeating: "a", count: count))'"
      #expect(ScriptRedirect.redirects(in: Array(script.utf8)[...], page: page).isEmpty == !isKept)
    }
  }

  @Test func onlySoManyAreTold() throws {
    let page = try ProbeURL("http://probe.example/")
    let script = (0..<1000).map { "location='/\($0)';" }.joined()
    let found = ScriptRedirect.redirects(in: Array(script.utf8)[...], page: page)
    #expect(found.map(\.reference) == (0..<32).map { "/\($0)" })
  }

  @Test func scriptsTooManyAreLeftOut() throws {
    var reader = ScriptReader(page: try ProbeURL("http://probe.example/"))
    let filler = Array(repeatElement(UInt8(ascii: " "), count: ScriptReader.maximumLength - 13))
    reader.read(filler[...])
    reader.read(Array("location='/a'".utf8)[...])
    reader.read(Array("location='/b'".utf8)[...])
    #expect(reader.finish().redirects.map(\.reference) == ["/a"])
  }

  /// Dangerous schemes are for the caller to refuse; here they are only what a script says.
  @Test(arguments: [
    "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "http://\u{202E}a/", "//a\u{0}b/",
  ])
  func schemesAreNotJudged(_ reference: String) throws {
    let page = try ProbeURL("http://probe.example/")
    let script = Array("location = '\(reference)'".utf8)
    #expect(ScriptRedirect.redirects(in: script[...], page: page).map(\.reference) == [reference])
  }
}
