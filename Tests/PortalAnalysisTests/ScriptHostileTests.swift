import ProbeCore
import Testing

@testable import PortalAnalysis

/// Scripts that are made to cost much: what is done again and again with a long text.
@Suite(.timeLimit(.minutes(1))) struct ScriptHostileTests {
  @Test(arguments: [
    "a==a;", "location=a;", "location=a+a;", "b[a];", "({[a]:1});", "f();", "a.toLowerCase();", "escape(a);",
    "atob(a);",
    "document.write(a);", "a.replace('y',a);", "location.replace(location+a);", "if(x)a=a+'';", "eval(a);",
    "setTimeout(a,1);",
  ])
  func aLongTextIsNotLookedAtTooOften(_ piece: String) throws {
    let text = String(repeating: "x", count: 30_000)
    let start = "var a='\(text)';function f(){return {'\(text)':1}==a}"
    let findings = try findings(start + String(repeating: piece, count: 5000))
    #expect(findings.redirects.count <= ScriptFindings.maximumCount)
    #expect(
      findings.redirects.allSatisfy { $0.reference.utf8.count <= ScriptFindings.maximumReferenceLength })
  }

  @Test(arguments: [
    "location='#';", "location='/a';", "location=location;", "location=b+='x';",
    "function a(){location='/b'}", "(", "[",
    "{", "}", "`${", "`", "/", "'", "a=>", "if(a)", "a?b:", "x=function(){", "!", "\\u", "//", "/*", "<!--",
    "switch(a){case 1:",
    "location.href=`a${", "open(", "document.write('<script>", "eval('", "\0", "\u{202E}",
  ])
  func thousandsOfAPieceAreRead(_ piece: String) throws {
    let findings = try findings("x=location;" + String(repeating: piece, count: 10_000))
    #expect(findings.redirects.count <= ScriptFindings.maximumCount)
  }

  @Test func theScriptsOfAPageAreReadToTheLimit() throws {
    var reader = ScriptReader(page: try ProbeURL("http://probe.example/"))
    let script = Array("/* \(String(repeating: "x", count: 200_000)) */ location = '/a';".utf8)
    for _ in 0..<10 { reader.read(script[...]) }
    reader.read(Array("location = '/b'".utf8)[...])
    #expect(reader.finish().redirects.map(\.reference) == ["/a"])
  }

  private func findings(_ script: String) throws -> ScriptFindings {
    var reader = ScriptReader(page: try ProbeURL("http://probe.example/"))
    reader.read(Array(script.utf8)[...])
    return reader.finish()
  }
}
