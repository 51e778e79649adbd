import ProbeCore
import TestRequirements
import TestSupport
import Testing

@testable import PortalScripts

/// Hostile scripts: reading them takes bounded time, memory and stack, and redirects before them are still
/// found.
@Suite(.heavy, .serialized, .patience(minutes: 1)) struct HostileScriptTests {
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
    "0x", "1e", "0.", "if(a){", "if(a){b='x';", "if(a)b='x';else b='y';", "a&&(b='x');", "a?b=1:",
    "u.split('?');",
    "u.indexOf('?')<", "switch(a){case 1:b=1;case 2:b=2}", "/[?]/.test(", "~-!",
    "[1,2];", "a=[1];a.push(1);", "var[a,b]=", "function f({a,", "function f(a=", "for(k in{a:1,b:2})",
    "for(k in{a:1,b:2}){", "for(i=0;i<999;i++)x+='x';", "for(i=0;i<999;i++){", "for(x of[1,2]){",
    "[1,2].forEach(f=>", "[1,2].map(function(){", "new URLSearchParams({a:1}).append('a',",
    "new URL('http://a/?a').searchParams.set('b',", "JSON.parse('[1]');", "'a,b'.split(',').join().",
    "delete ",
    "{let a=1;", "Object.keys({a:1}).map(k=>", "class a{constructor(){new a(", "(function(a){return()=>a})(",
    "function f(a){function g(){a}}f();",
    "document.write('<form id=a>');", "document.getElementById('a').submit();", "$('<a>').append(",
    "document.a.b=",
    "f=document.createElement('form');f.appendChild(f);f.action+=f.action;",
    "document.body.innerHTML+='<a id=a><b';",
  ])
  func theCostOfRepetitionIsLinear(_ piece: String) throws {
    // Debug builds are about ten times slower than the promised speed.
    let length = 3_000
    let script = "location='/a';" + String(repeating: piece, count: length / piece.utf8.count)
    let start = threadTime()
    let found = try findings(script).redirects
    let time = threadTime() - start
    #expect(found.first?.reference == "/a")
    #expect(found.count <= 32)
    #expect(time < 5)
  }

  @Test func nestingIsBounded() throws {
    let count = 2_000
    for (open, close) in [
      ("(", ")"), ("[", "]"), ("{", "}"), ("f(", ")"), ("(function(){", "})()"), ("`${", "}`"),
    ] {
      let script =
        "\(String(repeating: open, count: count))location='/b'\(String(repeating: close, count: count));location='/a'"
      let found = try findings(script).redirects
      #expect(found.last?.reference == "/a", "\(open)")
    }
  }

  /// Each function calls the next one twice.
  @Test func callsDoNotMultiply() throws {
    let functions = (0..<500).map { "function f\($0)(){f\($0 + 1)();f\($0 + 1)()}" }.joined(separator: "\n")
    let found = try findings("\(functions)\nf0();location='/a'").redirects
    #expect(found.count <= 1)
  }

  @Test func textsDoNotGrowWithoutBounds() throws {
    let script = "u='/0123456789';\(String(repeating: "u=u+u;", count: 1_000))location=u;location='/a'"
    #expect(try findings(script).redirects.map(\.reference) == ["/a"])
  }

  @Test func anOverlongReferenceIsOmitted() throws {
    for (count, isKept) in [(65_536, true), (65_537, false)] {
      let script = "location='\(String(repeating: "a", count: count))'"
      #expect(try findings(script).redirects.isEmpty == !isKept)
    }
  }

  @Test func theNumberOfReportedRedirectsIsLimited() throws {
    let script = (0..<1000).map { "location='/\($0)';" }.joined()
    let found = try findings(script).redirects
    #expect(found.map(\.reference) == (0..<32).map { "/\($0)" })
  }

  @Test func scriptsBeyondTheMaximumLengthAreSkipped() throws {
    var reader = ScriptReader(page: try ProbeURL("http://probe.example/"))
    let filler = Array(repeatElement(UInt8(ascii: " "), count: ScriptReader.maximumLength - 13))
    reader.read(filler[...])
    reader.read(Array("location='/a'".utf8)[...])
    reader.read(Array("location='/b'".utf8)[...])
    #expect(reader.finish().redirects.map(\.reference) == ["/a"])
  }

  /// Once the budget for texts is used up, names in quotes are unknown.
  @Test func quotedNamesAreHandledAfterTheBudgetIsSpent() throws {
    let text = String(repeating: "x", count: 60_000)
    let waste = String(repeating: "a==b;", count: 600)
    let script =
      "var a='\(text)',b='\(text)';\(waste)o={'k':1,length:'ab'.length,'m':2};Object.keys(o);location='/a'"
    #expect(try findings(script).redirects.count <= 1)
  }

  @Test func unknownPartsStayUnknown() throws {
    for expression in ["atob('L2Ev' + x)", "atob(x)", "btoa('a' + x)"] {
      #expect(try findings("location = \(expression)").redirects.isEmpty, "\(expression)")
    }
    #expect(try findings("location.search = x") == ScriptFindings())
  }

  /// The caller rejects dangerous schemes; here they are only reported.
  @Test(arguments: [
    "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "http://\u{202E}a/", "//a\u{0}b/",
  ])
  func dangerousSchemesAreReportedUnchanged(_ reference: String) throws {
    let script = "location = '\(reference)'"
    #expect(try findings(script).redirects.map(\.reference) == [reference])
  }

  @Test(arguments: [
    "a==a;", "location=a;", "location=a+a;", "b[a];", "({[a]:1});", "f();", "a.toLowerCase();", "escape(a);",
    "atob(a);",
    "document.write(a);", "a.replace('y',a);", "location.replace(location+a);", "if(x)a=a+'';", "eval(a);",
    "setTimeout(a,1);", "a.indexOf('?');", "a.split('x');", "/xy/.test(a);", "b=a+'';if(x)b=a+'';",
    "new URLSearchParams(a);", "new URL(a);", "new URL('/'+a,'http://a/').href;", "o={};o[a];",
    "o={};o[a]=1;",
    "[a,a].join(a);", "JSON.parse(a);", "p=new URLSearchParams();p.append(a,a);",
    "u=new URL('http://a/?'+a);u.href;",
    "p=new URLSearchParams(a);p.get('b')+p;", "a.split('x').map(x=>x);", "a.replace(/x/g,a);",
    "'a'.replace(/a/g,a);",
    "document.write('<form action='+a+'>');", "document.getElementById(a);", "$('<a href='+a+'>').click();",
    "e=document.createElement('a');e.href=a;e.href+e.href;e.click();",
    "$('#e').attr(a,a);$('#e').attr('a',a);",
  ])
  func findingsFromLongTextsAreBounded(_ piece: String) throws {
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
  func findingsFromRepeatedPiecesAreBounded(_ piece: String) throws {
    let findings = try findings("x=location;" + String(repeating: piece, count: 10_000))
    #expect(findings.redirects.count <= ScriptFindings.maximumCount)
  }

  @Test func theScriptsOfAPageAreReadUpToTheLimit() throws {
    var reader = ScriptReader(page: try ProbeURL("http://probe.example/"))
    let script = Array("/* \(String(repeating: "x", count: 200_000)) */ location = '/a';".utf8)
    for _ in 0..<10 { reader.read(script[...]) }
    reader.read(Array("location = '/b'".utf8)[...])
    #expect(reader.finish().redirects.map(\.reference) == ["/a"])
  }
}
