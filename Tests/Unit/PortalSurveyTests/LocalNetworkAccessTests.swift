import FixtureReplay
import PortalSurvey
import ProbeCore
import Testing

/// Login pages on public addresses that request something from private ones.
struct LocalNetworkAccessTests {
  private static func evidence(of page: String, dns: String = "") async throws -> [String]? {
    let report = try await TestPortal {
      $0.page += page
      $0.dns = dns
    }.report()
    return report.findings.first { $0.check.id == "login.localNetwork" }?.evidence
  }

  @Test(arguments: [
    ("<script>fetch('http://10.1.0.1:3990/json')</script>", "requests http://10.1.0.1:3990/json"),
    (
      "<script>var gw='http://192.168.4.1'; window.fetch(gw + '/status?mac=' + mac)</script>",
      "requests http://192.168.4.1/status?mac="
    ),
    (
      "<script>var x=new XMLHttpRequest(); x.open('GET','http://172.16.0.1/a')</script>",
      "requests http://172.16.0.1/a"
    ),
    (
      "<script>$.getJSON('http://100.64.0.1/api?callback=?', f)</script>",
      "requests http://100.64.0.1/api?callback=?"
    ),
    ("<script>$.ajax({ url: 'https://10.0.0.1/x', type: 'POST' })</script>", "requests https://10.0.0.1/x"),
    ("<script>new WebSocket('wss://10.0.0.1/socket')</script>", "opens wss://10.0.0.1/socket"),
    ("<script>new Image().src='http://10.0.0.1/seen.gif'</script>", "requests http://10.0.0.1/seen.gif"),
    ("<button onclick=\"fetch('http://10.0.0.1/go')\">Go</button>", "requests http://10.0.0.1/go"),
    (
      "<script>document.write('<iframe src=http://10.0.0.1/f></iframe>')</script>",
      "requests http://10.0.0.1/f"
    ),
    ("<script>function f(){ axios.get('http://[fd00::1]/x') }</script>", "requests http://[fd00::1]/x"),
    ("<iframe src='https://10.0.0.1/frame'></iframe>", "frames https://10.0.0.1/frame"),
    ("<img src='http://192.168.1.1/logo.png'>", "loads http://192.168.1.1/logo.png"),
    ("<link rel=stylesheet href='http://gateway.local/style.css'>", "loads http://gateway.local/style.css"),
    ("<script src='http://169.254.1.1/x.js'></script>", "loads http://169.254.1.1/x.js"),
    ("<script>fetch('http://127.0.0.1:8080/')</script>", "requests http://127.0.0.1:8080/"),
    (
      "<script>i = new Image(); i.setAttribute('src', 'http://10.0.0.1/i.png')</script>",
      "requests http://10.0.0.1/i.png"
    ),
    ("<script>$('#logo').attr('src', 'http://10.0.0.1/l.png')</script>", "requests http://10.0.0.1/l.png"),
    (
      "<script>document.body.innerHTML = '<img src=http://10.0.0.1/m.png>'</script>",
      "requests http://10.0.0.1/m.png"
    ),
    (
      "<script>b.insertAdjacentHTML('beforeend', '<iframe src=\"http://10.0.0.1/n\">')</script>",
      "requests http://10.0.0.1/n"
    ),
    ("<script>fetch(new Request('http://10.0.0.1/r'))</script>", "requests http://10.0.0.1/r"),
    ("<script>$.getScript('http://10.0.0.1/s.js')</script>", "requests http://10.0.0.1/s.js"),
    ("<video src='http://10.0.0.1/v.mp4'></video>", "loads http://10.0.0.1/v.mp4"),
    ("<object data='http://10.0.0.1/o'></object>", "loads http://10.0.0.1/o"),
    (
      "<base href='http://10.0.0.1/'><script>fetch('status/now')</script>",
      "requests http://10.0.0.1/status/now"
    ),
  ])
  func aRequestToAPrivateAddressIsNamed(_ page: String, _ line: String) async throws {
    #expect(try await Self.evidence(of: page) == [line])
  }

  /// Navigation and forms need no permission, nor does a public address.
  @Test(arguments: [
    "<script>location = 'http://10.1.0.1:3990/logon'</script>",
    "<form action='http://10.1.0.1/login' method=post></form>",
    "<a href='http://10.1.0.1/'>Log in</a>", "<meta http-equiv=refresh content='9;url=http://10.1.0.1/'>",
    "<script>window.open('http://10.1.0.1/')</script>", "<script>fetch('https://93.184.215.14/api')</script>",
    "<script>fetch('/api')</script>", "<script>fetch('https://api.example/x')</script>",
    "<script>var text='http://10.1.0.1/'</script>", "<template><img src='http://10.1.0.1/a.png'></template>",
    "<noscript><img src='http://10.1.0.1/a.png'></noscript>",
    "<script>function f(u) { document.forms[0].submit() } post('http://10.1.0.1/login', { a: 1 })</script>",
    "<script>db.open('login', 'http://10.1.0.1/')</script>",
    "<script>var o = {}; o.src = 'http://10.1.0.1/'; location = o.src</script>",
    "<img src='https://cdn.example/logo.png'>",
  ])
  func navigationAndPublicAddressesAreNot(_ page: String) async throws {
    #expect(try await Self.evidence(of: page) == nil)
  }

  @Test func aNameThatResolvesToAPrivateAddressIsNamed() async throws {
    let page =
      "<script src='https://gateway.example/x.js'></script><script>fetch('https://api.example/')</script>"
    #expect(
      try await Self.evidence(of: page, dns: "dns: { gateway.example: 10.1.0.1, api.example: 93.184.215.14 }")
        == ["loads https://gateway.example/x.js, which is 10.1.0.1"])
  }

  /// Scripts and frames are looked up first, however many files a page loads, and all at once.
  @Test func aNameBehindManyFilesIsFound() async throws {
    let files = (0..<40).map { "<script src='https://cdn\($0).example/a.js'></script>" }.joined()
    #expect(
      try await Self.evidence(
        of: files + "<script>fetch('https://gateway.example/x')</script>",
        dns: "dns: { gateway.example: 10.1.0.1 }")
        == ["requests https://gateway.example/x, which is 10.1.0.1"])
  }

  /// A page in the same local network may request from it.
  @Test func aPageOnAPrivateAddressIsExempt() async throws {
    let page = "<script>fetch('https://10.1.0.2/x')</script>"
    #expect(try await Self.evidence(of: page, dns: "dns: { portal.example: 10.1.0.1 }") == nil)
    #expect(try await Self.evidence(of: page, dns: "dns: { portal.example: 93.184.215.14 }") != nil)
  }
}
