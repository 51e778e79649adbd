import ProbeCore
import TestRequirements
import Testing

@testable import PortalScripts

/// Conditions in scripts on known texts, and the known part of texts that depend on unknown conditions.
@Suite struct ScriptConditionTests {
  /// Ways to append a parameter to the text `u`, with the right separator.
  static let separators = [
    "u + (u.indexOf('?') >= 0 ? '&' : '?') + 'mac=1'", "u + (u.indexOf('?') > -1 ? '&' : '?') + 'mac=1'",
    "u + (u.indexOf('?') == -1 ? '?' : '&') + 'mac=1'", "u + (u.indexOf('?') !== -1 ? '&' : '?') + 'mac=1'",
    "u + (u.indexOf('?') < 0 ? '?' : '&') + 'mac=1'", "u + (-1 < u.indexOf('?') ? '&' : '?') + 'mac=1'",
    "u + (0 <= u.indexOf('?') ? '&' : '?') + 'mac=1'", "u + (~u.indexOf('?') ? '&' : '?') + 'mac=1'",
    "u + (!~u.indexOf('?') ? '?' : '&') + 'mac=1'",
    "u + (!(u.indexOf('?') + '' == '-1') ? '&' : '?') + 'mac=1'",
    "u + (u.lastIndexOf('?') >= 0 ? '&' : '?') + 'mac=1'", "u + (u.includes('?') ? '&' : '?') + 'mac=1'",
    "u + (!u.includes('?') ? '?' : '&') + 'mac=1'", "u + (u.match(/\\?/) ? '&' : '?') + 'mac=1'",
    "u + (u.match(/[?]/) == null ? '?' : '&') + 'mac=1'",
    "u + (u.match('\\\\?') !== null ? '&' : '?') + 'mac=1'",
    "u + (/\\?/.test(u) ? '&' : '?') + 'mac=1'", "u + (/[\\?]/g.test(u) === false ? '?' : '&') + 'mac=1'",
    "u + (u.search(/\\?/) >= 0 ? '&' : '?') + 'mac=1'", "u + (u.search('[?]') === -1 ? '?' : '&') + 'mac=1'",
    "u + (u.split('?').length > 1 ? '&' : '?') + 'mac=1'",
    "u + (u.split('?').length === 1 ? '?' : '&') + 'mac=1'",
    "u + (u.length > 2 ? '&' : '?') + 'mac=1'", "u.concat(u.includes('?') ? '&' : '?', 'mac=1')",
    "`${u}${u.includes('?') ? '&' : '?'}mac=1`", "u + ((u.indexOf('?') >= 0 && '&') || '?') + 'mac=1'",
  ]

  @Test(arguments: separators)
  func theSeparatorFitsTheText(_ expression: String) throws {
    for (text, whole) in [("/p", "/p?mac=1"), ("/p?a=1", "/p?a=1&mac=1")] {
      #expect(try targets("var u = '\(text)'; location = \(expression)") == [whole])
      // The result is the same inside a handler. There, the truth value of a text or of null is not trusted:
      // a result that depends on it may be unknown but never wrong.
      let isTrusted = !["''", "&& '&'", "match"].contains { expression.contains($0) }
      let handled = try targets("b.onclick = function () { var u = '\(text)'; location = \(expression) }")
        .filter { !$0.hasSuffix("…") }
      #expect(handled == ["~\(whole)"] || handled.isEmpty && !isTrusted, "\(handled)")
    }
  }

  @Test(arguments: [
    "if (u.indexOf('?') >= 0) u += '&'; else u += '?'; u += 'mac=1'",
    "if (u.indexOf('?') == -1) { u += '?' } else { u += '&' } u += 'mac=1'",
    "var i = u.indexOf('?'); if (i < 0) { u = u + '?mac=1' } else { u = u + '&mac=1' }",
    "var has = u.includes('?'); u += has ? '&' : '?'; u += 'mac=1'",
    "u += u.match(/\\?/) ? '&mac=1' : '?mac=1'", "u.includes('?') ? u += '&mac=1' : u += '?mac=1'",
    "u.includes('?') && (u += '&mac=1'); u.includes('?') || (u += '?mac=1')",
    "function add(a, b) { return a + (a.indexOf('?') < 0 ? '?' : '&') + b } u = add(u, 'mac=1')",
    "function add(a, b) { if (/\\?/.test(a)) return a + '&' + b; return a + '?' + b } u = add(u, 'mac=1')",
    "var o = { u: u }; o.u += o.u.split('?').length > 1 ? '&' : '?'; u = o.u + 'mac=1'",
  ])
  func statementsChooseTheSeparator(_ statements: String) throws {
    for (text, whole) in [("/p", "/p?mac=1"), ("/p?a=1", "/p?a=1&mac=1")] {
      #expect(try targets("var u = '\(text)'; \(statements); location = u") == [whole])
    }
  }

  @Test(arguments: [
    ("http://probe.example/", "/p?mac=1"), ("http://probe.example/?q=1", "/p?q=1&mac=1"),
  ])
  func theQueryOfThePageIsKnown(_ page: String, _ whole: String) throws {
    let script = "location = '/p' + location.search + (location.search ? '&' : '?') + 'mac=1'"
    #expect(try targets(script, page: page) == [whole])
    #expect(try targets(script.replacing("? '&'", with: "!= '' ? '&'"), page: page) == [whole])
    #expect(try targets(script.replacing("? '&'", with: ".length > 0 ? '&'"), page: page) == [whole])
  }

  /// A text that depends on an unknown condition is unknown.
  @Test(arguments: [
    "location = x ? '/a' : '/b'", "location = '/p' + (x ? '&' : '?') + 'mac=1'", "location = x || '/a'",
    "location = x && '/a'", "u = '/a'; if (x) u = '/b'; location = u",
    "u = '/a?'; if (x) u += 'b'; location = u",
    "u = '/p'; if (x.y()) u += '&'; else u += '?'; u += 'mac=1'; location = u",
    "var u; if (x) u = '/a'; else u = '/b'; location = u", "u = '/a'; x && (u = '/b'); location = u",
    "u = '/a'; x ? u = '/b' : u = '/c'; location = u", "u = '/a?'; for (k in x) u += k + '=1'; location = u",
    "u = '/a?'; while (x()) { u += 'b' } location = u",
    "u = '/a'; switch (x) { case 1: u = '/b' } location = u",
    "switch (x) { case 1: u = '/b'; break; default: u = '/c' } location = u",
    "function f() { if (x) return '/a'; return '/b' } location = f()",
    "o = { u: '/a' }; if (x) o.u = '/b'; location = o.u",
    "u = '/a'; if (x) { if (y) { u = '/b' } } location = u",
    "u = '/p'; location = u + (x.indexOf('?') >= 0 ? '&' : '?') + 'mac=1'",
    "u = '/p'; location = u + (/[?&]$/.test(u) ? '' : '?') + 'mac=1'",
    "u = '/p'; location = u + (new RegExp('[?]').test(u) ? '&' : '?') + 'mac=1'",
    "u = 'http://' + x + '/p'; location = u + (u.indexOf('?') >= 0 ? '&' : '?') + 'mac=1'",
  ])
  func aTextChosenByAnUnknownConditionIsUnknown(_ script: String) throws {
    #expect(try targets(script).filter { !$0.hasSuffix("…") } == [])
  }

  /// Each use of a long text costs its length.
  ///
  /// Once the budget of the page is spent, no texts are joined.
  @Test(.heavy, arguments: ["a.length;", "/a/.test(a);"])
  func eachUseOfAKnownValueHasACost(_ piece: String) throws {
    let start = "location='/a';var a='\(String(repeating: "7", count: 64 << 10))';"
    let end = "location='/'+'b'"
    #expect(try targets(start + piece + end) == ["/a", "/b"])
    #expect(try targets(start + String(repeating: piece, count: 600) + end) == ["/a"])
  }

  @Test(arguments: [
    ("u = '/a'; if (x) u = '/a'; location = u", ["/a"]), ("location = x ? '/a' : '/a'", ["/a"]),
    ("if (x) { u = '/a'; location = u } else { u = '/b'; location = u }", ["/a", "/b"]),
    ("u = '/a'; if (x) { u = '/b'; y(u) } else { location = u }", ["/a"]),
    ("u = '/a'; try { y() } catch (e) { u = '/b' } location = u", ["/a"]),
    ("var u; if (x) { u = '/b' } location = u", ["/b"]),
    ("var w = x ? window : self; w.location = '/a'", ["/a"]),
    ("var A = A || {}; A.u = '/a'; location = A.u", ["/a"]),
    // A function's local variables are separate.
    ("function f(u) { var top = 10; y(u) } if (x) { f('/a') } top.location.href = '/b'", ["/b"]),
    ("if (x) { (function ($) { y($) })(z) } $(document).ready(function () { location = '/b' })", ["/b"]),
    ("function f(location) { y(location) } for (i = 0; i < x; i++) f('/a'); location = '/b'", ["/b"]),
    ("var i = '/b'; function f(i) { y(i) } if (x) f('/a'); location = i", ["/b"]),
  ])
  func valuesEqualOnAllPathsAreKnown(_ script: String, _ references: [String]) throws {
    #expect(try targets(script) == references)
  }

  /// A reference with unknown parts ends in `…` here: it shows the destination but cannot be opened.
  @Test(arguments: [
    ("location = '/p?' + new URLSearchParams({ mac: m }).toString()", "/p?mac=…"),
    ("location = '/p?mac=' + m", "/p?mac=…"),
    ("location = 'http://a/' + m", "http://a/…"), ("location = `http://a/?m=${m}&x=1`", "http://a/?m=&x=1…"),
    ("u = '/p?a=1'; if (x) u += '&b=2'; location = 'http://a/?u=' + u", "http://a/?u=…"),
  ])
  func valuesWithUnknownPartsAreIncomplete(_ script: String, _ reference: String) throws {
    #expect(try targets(script) == [reference])
  }

  @Test(arguments: [
    ("location = x", true), ("location.replace(x + '/')", true), ("location = y ? x : z", true),
    ("setTimeout(function () { location = x }, 9)", true), ("if (y) location = x; else location = z", true),
    ("switch (y) { case 1: location = x; break; default: location = z }", true),
    ("try { location = x } catch (e) { y() }", true),
    ("document.write('<meta http-equiv=refresh content=0;url=' + x)", true),
    // Not certain.
    ("if (y) location = x", false), ("y && (location = x)", false), ("function f() { location = x }", false),
    ("function f() { if (y) return; location = x } f()", false), ("while (y) location = x", false),
    ("if (y) setTimeout(function () { location = x }, 9)", false),
    ("try { y() } catch (e) { location = x }", false),
    ("if (y) document.write('<meta http-equiv=refresh content=0;url=' + x)", false),
    ("switch (y) { case 1: location = x }", false), ("b.onclick = function () { location = x }", false),
    // Another window, a reload, or a known address.
    ("open(x)", false), ("location.reload()", false), ("location = location.href", false),
    ("location = '/a'; location = x", false), ("location = 'http://a/?' + x", false),
  ])
  func certainNavigationToAnUnknownURLIsDetected(_ script: String, _ isCertain: Bool) throws {
    #expect(try findings(script).hasUnknownTarget == isCertain)
  }

  private func targets(_ script: String, page: String = "http://probe.example/") throws -> [String] {
    try findings(script, page: page).marked
  }
}
