import ProbeCore
import Testing

@testable import PortalAnalysis

@Suite struct IdentifierWordsTests {
  @Test(arguments: [
    ("login_form", WordTopic.login), ("frmLogin", .login), ("userName", .login), ("passwd", .login),
    ("voucher_code", .login), ("auth_user", .login), ("captive", .network), ("uamip", .network),
    ("client_mac", .network), ("clientMac", .network), ("ap-mac", .network), ("SSID2", .network),
    ("WiFiSettings", .network), ("hotspot1", .network), ("btnAccept", .terms), ("chkTerms", .terms),
    ("blocked_url", .blocked), ("blockpage", .blocked), ("accessDenied", .blocked),
    ("categoryName", .content),
    ("error-code", .failure),
  ])
  func aNameRevealsItsTopic(_ name: String, _ topic: WordTopic) {
    let tally = IdentifierWords.tally(Array(name.utf8).span)
    #expect(tally[topic].total == 1, "\(tally)")
  }

  @Test(arguments: [
    "cssBlock", "block-header", "wp-block-cover", "inline_block", "author", "guestbook", "cookie-accept",
    "macro", "apple", "container", "content", "acceptCharset", "determsine", "", "___", "\u{0}\u{1}",
  ])
  func otherNamesHaveNoTopic(_ name: String) {
    let tally = IdentifierWords.tally(Array(name.utf8).span)
    #expect(tally.total == 0, "\(tally)")
  }

  @Test(arguments: [
    ("clientMac", "client Mac"), ("HTMLForm", "HTML Form"), ("uamIP", "uam IP"), ("a1b", "a b"),
    ("ABC", "ABC"),
  ])
  func namesAreSplitAtCapitalsAndDigits(_ name: String, _ words: String) {
    #expect(String(decoding: IdentifierWords.split(Array(name.utf8).span), as: UTF8.self) == words)
  }

  @Test(arguments: [
    "http://192.0.2.1:3990/?res=notyet&uamip=192.0.2.1&uamport=3990&challenge=ab&mac=02-00",
    "https://login.hotel.example/guest/?client_mac=02:00&ap_mac=02:01&ssid=Lobby&url=http://blocked.example/",
    "http://captive.example/", "https://wifi.example/splash.html?redir=http%3a%2f%2fblock.example",
    "http://gw.example/cgi-bin/login?sessionId=1&userurl=x",
  ])
  func aPortalAddressIsRecognized(_ url: String) throws {
    let words = URLWords(try ProbeURL(url))
    #expect(words.portal > words.blockPage, "\(words)")
    #expect(words.blockPage == 0 || words.blockPageWord != nil)
    #expect(words.portalWord != nil)
  }

  @Test(arguments: [
    "http://block.isp.example/?url=http://login.example/&cat=gambling", "http://warning.example/",
    "http://filter.example/denied?reason=policy&rule=7", "https://www.isp.example/blocked.html?type=1",
    "http://isp.example/access-denied/?category=12&url=captive.example", "http://safeweb.example/blockpage",
    "http://isp.example/parental-control", "http://avertissement.fai.example/site-bloque",
    "http://internetsehat.penyedia.example/diblokir", "http://avviso.gestore.example/sito-bloccato",
    "http://melding.aanbieder.example/geblokkeerd", "http://komunikat.operator.example/zablokowana",
    "http://bloqueio.regulador.example/", "http://stopp.leverantor.example/blockerad",
    "http://uyari.saglayici.example/engellendi", "http://canhbao.nhamang.example/bichan",
    "http://mahjoob.isp.example/hajb", "http://sperrseite.anbieter.example/",
  ])
  func aBlockPageAddressIsRecognized(_ url: String) throws {
    let words = URLWords(try ProbeURL(url))
    #expect(words.blockPage > words.portal, "\(words)")
    #expect(words.blockPageWord != nil)
  }

  /// Many redirects contain the words of the requested URL.
  @Test func theRequestedHostAndPathAreIgnored() throws {
    let url = try ProbeURL("http://captive.apple.com/hotspot-detect.html?reason=blocked")
    let words = URLWords(url, hasHost: false, hasPath: false)
    #expect(words.portal == 0)
    #expect(words.blockPage > 0)
  }

  @Test(arguments: [
    "http://www.example/", "http://192.0.2.1/", "https://example/index.html?q=login+blocked",
    "http://example/a%20b?x=mac&y=category",
  ])
  func otherAddressesHaveNoTopic(_ url: String) throws {
    let words = URLWords(try ProbeURL(url))
    #expect(words.portal == 0 && words.blockPage == 0, "\(words)")
  }
}
