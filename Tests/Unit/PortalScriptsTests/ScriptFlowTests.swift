import ProbeCore
import Testing

@testable import PortalScripts

/// The redirects of scripts through variables, conditions and functions.
///
/// `~` marks a reference that is not automatic.
@Suite struct ScriptFlowTests {
  @Test(arguments: [
    ("var u = '/a'; location = u", ["/a"]), ("let u = '/a', v = u + 'b'; location = v", ["/ab"]),
    ("u = '/a'; u += '?b'; u += '=' + 1; location.href = u", ["/a?b=1"]),
    ("var u = '/a'; u = '/b'; location = u", ["/b"]), ("var c = {}; c.u = '/a'; location = c.u", ["/a"]),
    ("var c = { u: '/a', f() { location = '/m' } }; location = c.u", ["~/m", "/a"]),
    ("window.u = '/a'; location = u", ["/a"]), ("a = b = '/a'; location = a", ["/a"]),
    ("var u; u ||= '/a'; location = u", ["/a"]), ("const {a} = {}; location = '/b'", ["/b"]),
    // Conditions.
    ("var u = '/a?'; var x; if (x) { u += 'x=' + x } location = u", ["/a?"]),
    ("var u = ''; if (x) { u = '/b'; location = u }", ["/b"]),
    ("if (x) location = '/a'; else location = '/b'", ["/a", "/b"]),
    (
      "if (x) { location = '/a' } else if (y) { location = '/b' } else { location = '/c' }",
      ["/a", "/b", "/c"]
    ),
    ("var l = false; if (l) { location = '/a' } else { location = '/b' }", ["/b"]),
    ("var l = false; if (!l) location = '/a'", ["/a"]), ("if (top == self) location = '/a'", ["/a"]),
    ("x && (location = '/a')", ["/a"]), ("x ? location = '/a' : location.replace('/b')", ["/a", "/b"]),
    ("switch (x) { case 1: u = '/a'; location = u; break; default: location = '/b' }", ["/a", "/b"]),
    ("try { location = '/a' } catch (e) { location = '/b' } finally { x() }", ["/a", "/b"]),
    ("for (var i = 0; i < 3; i++) { if (x[i]) location = '/a' }", ["/a"]),
    ("while (x) { y() } do { location = '/a' } while (x)", ["/a"]),
    ("if (location.protocol == 'http:') location = '/a'", ["/a"]),
    ("if (location.protocol != 'http:') location = '/a'; else location = '/b'", ["/b"]),
    ("var n = 5; if (n == 0) location = '/a'; n--", ["/a"]),
    // Functions.
    ("function go() { location = '/a' }", ["~/a"]), ("function go() { location = '/a' } go()", ["/a"]),
    ("go(); function go() { location = '/a' }", ["/a"]),
    ("var go = function () { location = '/a' }; go()", ["/a"]),
    ("const go = () => location = '/a'\ngo()", ["/a"]),
    ("const go = () => { location = '/a' }; x(go)", ["~/a"]),
    ("const go = u => { location = u }; go('/a')", ["/a"]),
    ("function go(u, v) { location = u + v } go('/a', 'b')", ["/ab"]),
    ("function go(u) { location = u } go('/a'); go('/b')", ["/a", "/b"]),
    ("go = async () => { location = '/a' }; go()", ["/a"]),
    ("function u() { return '/a' } location = u()", ["/a"]), ("(function () { location = '/a' })()", ["/a"]),
    ("(() => { location = '/a' })()", ["/a"]), ("!function (w) { w.location = '/a' }(window)", ["/a"]),
    ("(function (w) { w.location = '/a' }).call(this, window)", ["/a"]),
    ("class A { go() { location = '/a' } }", ["~/a"]),
    ("var u = '/a'; function f() { var u = '/b' } f(); location = u", ["/a"]),
    ("function f() { u = '/b' } f(); location = u", ["/b"]),
    ("function f() { f(); location = '/a' } f()", ["/a"]),
    ("b.onclick = function () { location = '/a' }", ["~/a"]),
    ("b.addEventListener('click', () => { location = '/a' })", ["~/a"]),
    ("fetch('/x').then(r => { location = '/a' })", ["~/a"]),
    ("$('#b').click(function () { location.href = '/a' })", ["~/a"]),
    // Code that runs automatically, later.
    ("setTimeout(\"location = '/a'\", 10)", ["/a"]),
    ("setTimeout('go()', 1); function go() { location = '/a' }", ["/a"]),
    ("setTimeout(go, 1); function go() { location = u } var u = '/a'", ["/a"]),
    ("window.setTimeout(function () { window.location.href = '/a' }, 3000)", ["/a"]),
    ("setTimeout(() => location.replace('/a'), 3000)", ["/a"]),
    ("setInterval(function () { if (--n == 0) location = '/a' }, 1000)", ["/a"]),
    ("window.onload = function () { location = '/a' }", ["/a"]),
    ("onload = go; function go() { location = '/a' }", ["/a"]),
    ("document.body.onload = () => { location = '/a' }", ["/a"]),
    ("window.addEventListener('load', function () { location = '/a' })", ["/a"]),
    ("document.addEventListener(\"DOMContentLoaded\", () => { location = '/a' }, false)", ["/a"]),
    ("window.attachEvent('onload', go); function go() { location = '/a' }", ["/a"]),
    ("$(function () { location = '/a' })", ["/a"]),
    ("$(document).ready(function () { location = '/a' })", ["/a"]),
    ("jQuery(window).on('load', function () { location = '/a' })", ["/a"]),
    ("function f() { setTimeout(() => { location = '/a' }, 1) }", ["~/a"]),
    ("function f() { location = '/a' } function g() { location = '/b' } g()", ["~/a", "/b"]),
    ("function f() { location = '/a' } location = '/a'", ["/a"]),
    // Written markup.
    ("document.write('<meta http-equiv=refresh content=\"0;url=/a\">')", ["/a"]),
    ("document.write(\"<META HTTP-EQUIV='Refresh' CONTENT='0; URL=/a?b&amp;c'>\")", ["/a?b&c"]),
    (
      "document.write('<meta http-equiv=\"refresh\" '); document.writeln('content=\"1;url=' + '/a', '\" />')",
      ["/a"]
    ),
    ("document.write('<meta http-equiv=refresh content=\"0;url=/a?m=' + mac + '&x=1\">')", ["/a?m=&x=1…"]),
    ("document.write('<scr' + 'ipt>location = \"/a\"<\\/script>')", ["/a"]),
    ("document.write(unescape('%3Cscript%3Elocation%3D%27/a%27%3C/script%3E'))", ["/a"]),
    ("document.write('<body onload=\"location=&quot;/a&quot;\">')", ["/a"]),
    ("document.write('<iframe src=\"/a\"></iframe>')", ["/a"]),
    ("function w() { document.write('<meta http-equiv=refresh content=0;url=/a>') }", ["~/a"]),
    ("document.write('<meta name=\"x\" content=\"0;url=/a\"><a href=\"/b\">')", []),
  ])
  func redirectsAreFoundInControlFlow(_ script: String, _ references: [String]) throws {
    #expect(try findings(script).marked == references)
  }

  @Test(arguments: [
    ("go()", ScriptReader.Moment.loaded, ["/a"]), ("return go();", .loaded, ["/a"]),
    ("go()", .event, ["~/a"]),
    ("javascript:go()", .event, ["~/a"]), ("window.location.href='/b'", .event, ["~/b", "~/a"]),
    ("setTimeout('go()', 100)", .loaded, ["/a"]), ("no()", .loaded, ["~/a"]),
  ])
  func handlersUseTheScriptsOfThePage(
    _ handler: String, _ moment: ScriptReader.Moment, _ references: [String]
  ) throws {
    #expect(
      try findings([
        ("var u = '/a'", .loading), (handler, moment), ("function go() { location = u }", .loading),
      ]).marked
        == references)
  }

  @Test(arguments: [
    ("document.forms[0].submit()", true), ("document.getElementById('f').submit();", true),
    ("$(function () { $('#f').submit() })", true),
    ("window.onload = () => document.login.requestSubmit()", true),
    ("function send() { document.f.submit() }", false), ("$('#f').submit(function () { check() })", false),
    ("document.f.onsubmit = check", false),
  ])
  func automaticFormSubmissionIsDetected(_ script: String, _ submits: Bool) throws {
    #expect(try findings(script) == ScriptFindings(submitsForm: submits))
  }

  @Test func theMannerOfEachRedirectIsReported() throws {
    let found = try findings([
      ("location = '/a'; location.replace('/b'); open('/c')", .loading),
      ("document.write('<meta http-equiv=refresh content=0;url=/d><iframe src=/e>')", .loading),
    ])
    #expect(found.redirects.map(\.manner) == [.assignment, .call, .window, .refresh, .frame])
    #expect(found.redirects.map(\.reference) == ["/a", "/b", "/c", "/d", "/e"])
  }

  /// The page of a gateway that sets only some of its variables and redirects in another script.
  @Test func unsetVariablesAreOmitted() throws {
    let first = """
      var Site, Group, Kind, target, action, extra;
      action = "http://198.51.100.1:8000/&err=";
      // Group = "g";
      /* Kind = "k"; */
      target = "http://portal.example/in.php?";
        target += "pa=" + action;
      if (Kind){
        target += "&" + "kind=" + Kind;
      }
      if (Group) {
        target += "&" + "group=" + Group;
      }
      """
    let second = """
      document.write('<meta http-equiv="REFRESH" content="0;url=' + target + '">');
      """
    #expect(
      try findings([(first, .loading), (second, .loading)]).marked
        == ["http://portal.example/in.php?pa=http://198.51.100.1:8000/&err="])
  }
}
