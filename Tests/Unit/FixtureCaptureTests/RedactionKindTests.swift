@testable import FixtureCapture
import Testing

/// Which values are private, in every spelling, and which are not.
@Suite struct RedactionKindTests {
  @Test func allPatternsCompile() {
    let patterns =
      HardwareAddresses.patterns + MailAddresses.patterns + InternetAddresses.patterns + NamedFields.patterns
      + URLPaths.patterns + HeaderLines.patterns
    #expect(patterns.count > 15)
    #expect(patterns.allSatisfy { $0.pattern != nil })
  }

  @Test(
    arguments: [
      // Hardware addresses.
      ("a8:66:7f:12:34:56", "00:00:5e:00:53:00"), ("A8-66-7F-12-34-56", "00-00-5E-00-53-00"),
      ("a866.7f12.3456", "0000.5e00.5300"),
      ("mac=x&a=A8%3A66%3A7f%3a12%3A34%3a56", "mac=x&a=00%3A00%3A5E%3a00%3A53%3a00"),
      ("a8%3A66%3A7F%3A12%3A34%3A56", "00%3A00%3A5E%3A00%3A53%3A00"),
      ("a8%2d66%2d7f%2d12%2d34%2d56", "00%2d00%2d5e%2d00%2d53%2d00"),
      ("u=x%3Fm%3Da8%253A66%253A7f%253A12%253A34%253A56", "u=x%3Fm%3D00%253A00%253A5e%253A00%253A53%253A00"),
      ("?client_mac=a8667f123456", "?client_mac=00005e005300"),
      ("?ClientMAC=A8667F123456&", "?ClientMAC=00005E005300&"),
      ("?called=12-34-56-78-90-12", "?called=00-00-5E-00-53-00"),
      ("<ap_mac>a8667f123456</ap_mac>", "<ap_mac>00005e005300</ap_mac>"),
      ("{\"umac\": \"a8667f123456\"}", "{\"umac\": \"00005e005300\"}"),
      // Not hardware addresses.
      ("00-00-5E-00-53-42", nil), ("ff:ff:ff:ff:ff:ff", nil), ("00:00:00:00:00:00", nil),
      ("at 12:34:56 o'clock", nil),
      ("a8:66:7f:12:34:56:78:9a:bc:de:f0:12:34:56:78:90:12:34:56:78", nil), ("2026-11-22-10-11-12", nil),
      ("1234.5678.9012", nil), ("?build=a8667f123456", nil), ("10.20.30.40", nil),
      // E-mail addresses.
      ("mailto:jo@inn.org", "mailto:xx1@x.test"), ("Jo.Doe+a@hotel.example.de", "xxxxxxxxxxxx1@example.com"),
      ("?email=jo.doe%40hotel-inn.com&", "?email=xxxxxxx1%40example.com&"),
      ("&quot;jo.doe&#64;hotel-inn.com", "&quot;xxxxxxx1&#64;example.com"),
      ("a@b.co", "xxxxxx"), ("d%3Djo@hotel.de", "d%3Dxxx1@x.test"),
      // Not e-mail addresses.
      ("<img src=logo@2x.png>", nil), ("@media print{}", nil), ("npm@1.2.3", nil),
      ("jquery@3.6.0.min.js", nil),
      ("help@example.com", nil), ("help@wifi.example", nil), ("it@works.test", nil), ("a@b", nil),
      ("https://user@cdn.hotel.com/x", nil),
      // The client's addresses.
      ("Your IP is 10.9.8.77.", "Your IP is 192.0.2.1."),
      ("?ip=172.16.31.4&uamip=172.16.31.1", "?ip=192.0.2.100&uamip=172.16.31.1"),
      ("?uip=1.2.3.4", "?uip=0.0.0.1"), ("?userip=100.100.200.201", "?userip=240.100.100.100"),
      ("{\"client_ip\":\"172.16.31.114\"}", "{\"client_ip\":\"203.0.113.100\"}"),
      ("<ClientIP>172.16.31.4</ClientIP>", "<ClientIP>192.0.2.100</ClientIP>"),
      ("?client_ip=fd00:1:2::7:8", "?client_ip=100::00:0:0:1"),
      ("?clientip=fd00%3A1%3A2%3A%3A7%3A8", "?clientip=100%3A%3A00%3A0%3A0%3A1"),
      ("Client IP: <b>172.16.31.4</b>", "Client IP: <b>192.0.2.100</b>"),
      // Not the client's addresses.
      ("see 172.16.31.4", nil), ("?ip=10.9.8.1", nil), ("?ip=192.0.2.7", nil), ("?ip=127.0.0.1", nil),
      ("110.9.8.77", nil),
      ("http://172.16.31.1/?ip=172.16.31.1", nil),
    ] as [(String, String?)])
  func addresses(_ text: String, _ expected: String?) throws {
    #expect(try redactedPage(text) == expected ?? text)
  }

  @Test(
    arguments: [
      ("?token=5a1cf0e2b7d94386&x", "?token=0000000000000001&x"),
      ("&amp;sessionid=65FA01B200000001\"", "&amp;sessionid=0000000000000001\""),
      ("?tok=89db8dfe", "?tok=00000001"),
      (
        "?u=http%3A%2F%2Fx.example%2F%3Fsid%3Da1b2c3d4%26b=1",
        "?u=http%3A%2F%2Fx.example%2F%3Fsid%3D00000001%26b=1"
      ),
      ("u%3Da%253Fsid%253Da1b2c3d4%2526", "u%3Da%253Fsid%253D00000001%2526"),
      ("/p;jsessionid=9F8E7D6C5B4A3928?x", "/p;jsessionid=0000000000000001?x"),
      (
        "<input type=hidden name=magic value=0f1e2d3c4b5a>",
        "<input type=hidden name=magic value=000000000001>"
      ),
      ("<input value='k7Hq2' name='csrf'>", "<input value='g0Gg1' name='csrf'>"),
      (
        "<input type=\"hidden\" name=\"x\" value=\"f47ac10b-58cc-4372-a567-0e02b2c3d479\">",
        "<input type=\"hidden\" name=\"x\" value=\"00000000-0000-0000-0000-000000000001\">"
      ),
      (
        "<input name=\\\"challenge\\\" value=\\\"5b1d296db782\\\">",
        "<input name=\\\"challenge\\\" value=\\\"000000000001\\\">"
      ),
      ("<meta name=\"csrf-token\" content=\"Zx81abQ\">", "<meta name=\"csrf-token\" content=\"Gg00ggH\">"),
      ("{\"sessionId\":\"a1-b2-c3\"}", "{\"sessionId\":\"g0-g0-g1\"}"),
      ("{\\\"token\\\":\\\"q8w9e0r1\\\"}", "{\\\"token\\\":\\\"g0g0g0g1\\\"}"),
      ("var authToken = 'q8w9e0r1';", "var authToken = 'g0g0g0g1';"),
      ("setItem('token','q8w9e0r1')", "setItem('token','g0g0g0g1')"),
      ("{\"session\": 9876543210}", "{\"session\": 0000000001}"),
      ("<SessionID>q8w9e0r1</SessionID>", "<SessionID>g0g0g0g1</SessionID>"),
      ("document.cookie=\"seen=q8w9e0r1; path=/\"", "document.cookie=\"seen=g0g0g0g1; path=/\""),
      ("?x=aB3dE5gH7jK9mN1pQ3sT", "?x=gG0gG0gG0gG0gG0gG0gH"),
      ("href=\"/s/aB3dE5gH7jK9mN1pQ3sT/go\"", "href=\"/s/gG0gG0gG0gG0gG0gG0gH/go\""),
      ("http://h.example/fgtauth?0f1e2d3c4b5a6978\"", "http://h.example/fgtauth?0000000000000001\""),
      ("?password=letmein", "?password=ggggggh"), ("?key=ab%2Bcd3%3D%3D&", "?key=gg%2Bgg1%3D%3D&"),
      ("?token=%D0%BF%D0%B0%D1%80%D0%BE%D0%BB%D1%8C7", "?token=%C3%A4%C3%A4%C3%A4%C3%A4%C3%A4%C3%A40"),
      ("#access_token=q8w9e0r1", "#access_token=g0g0g0g1"),
      ("u=%2Fp%3Bjsessionid%3D9F8E7D6C%3Fa", "u=%2Fp%3Bjsessionid%3D00000001%3Fa"),
      ("ok=1\ntok=89db8dfe\nx", "ok=1\ntok=00000001\nx"),
      ("?client_mac=ENC8f3a0c5e9d2b", "?client_mac=GGG0g0g0g0g0g0h"),
      ("?uip=9f3a0c5e9d2b11", "?uip=00000000000001"),
      (
        "href=\"/v/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.q1W2e3\"",
        "href=\"/v/ggGggGggGgGGGgG0GgG0.ggGggGGgGgGgGg0.g0G0g1\""
      ),
      ("href=\"/go/f47ac10b58cc4372.html\"", "href=\"/go/0000000000000001.html\""),
      // Not tokens.
      ("?mac=unknown&ip=dynamic", nil), ("token = {\n", nil), ("mode=session\n", nil),
      ("?redirect=http%3A%2F%2Fexample.com%2F", nil), ("?dst=http://example.com/a", nil),
      ("?ssid=Lobby2024Guest", nil),
      ("?res=notyet&nasid=lobby-1&uamport=3990", nil), ("?auth=radius", nil), ("?token=true", nil),
      ("?sid=1", nil),
      ("<script src=\"/a/app.3f2a9c1b7d5e4f60.js\">", nil), ("var keyCode = '12345678';", nil),
      ("{\"code\": \"es\"}", nil),
      ("session_timeout: '86400'", nil), ("{\"can-extend-session\": true, \"seconds-remaining\": 3600}", nil),
      ("<ResponseCode>1000</ResponseCode>", nil), ("{\"password\": \"Passwort\"}", nil),
      ("?token={{token}}", nil),
      ("<a href=\"/Terms_And_Conditions_For_Guests_2024\">", nil),
      ("?v=TermsAndConditionsForGuests2024", nil),
      ("<input name=token value=\"\">", nil), ("if(a&&token==b1c2d3){}", nil), ("<code>abc12345</code>", nil),
      ("integrity=\"sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC\"", nil),
    ] as [(String, String?)])
  func tokens(_ text: String, _ expected: String?) throws {
    #expect(try redactedPage(text) == expected ?? text)
  }

  @Test(
    arguments: [
      ("Set-Cookie: sid=q8w9e0r1; Path=/; HttpOnly", "Set-Cookie: sid=g0g0g0g1; Path=/; HttpOnly"),
      ("set-cookie: theme=midnight; Max-Age=100", "set-cookie: theme=gggggggh; Max-Age=100"),
      ("Set-Cookie: gone=deleted", nil), ("Set-Cookie: back=http%3A%2F%2Fexample.com%2F", nil),
      (
        "WWW-Authenticate: Digest realm=\"q8w9e0r1\", nonce=\"0a1b2c3d4e5f\", opaque=\"f0e1\"",
        "WWW-Authenticate: Digest realm=\"q8w9e0r1\", nonce=\"000000000001\", opaque=\"0001\""
      ),
      ("Authorization: Bearer q8w9e0r1", "Authorization: Bearer g0g0g0g1"),
      ("X-CSRF-Token: q8w9e0r1", "X-CSRF-Token: g0g0g0g1"),
      ("X-Request-Id: f47ac10b58cc4372", "X-Request-Id: 0000000000000001"),
      ("X-Client-IP: 172.16.31.4", "X-Client-IP: 192.0.2.100"),
      ("Location: /s/f47ac10b58cc4372", "Location: /s/0000000000000001"), ("ETag: \"f47ac10b58cc4372\"", nil),
      ("X-Client-MAC: a8667f123456", "X-Client-MAC: 00005e005300"),
      ("Date: Sun, 22 Nov 2026 05:40:15 GMT", nil),
      ("Cookie: a=q8w9e0r1; b=r8w9e0r1", "Cookie: a=g0g0g0g1; b=g0g0g0g2"),
    ] as [(String, String?)])
  func headerFields(_ line: String, _ expected: String?) throws {
    let response = { (line: String) in "HTTP/1.1 302 Found\r\n\(line)\r\nContent-Length: 0\r\n\r\n" }
    #expect(try exchange(received: response(line)).redactedAlone.receivedText == response(expected ?? line))
  }
}
