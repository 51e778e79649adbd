import Testing

@testable import PortalAnalysis
import PortalScripts

@Suite struct MetaRefreshTests {
  @Test(arguments: [
    ("0;url=http://192.0.2.1/", "http://192.0.2.1/"),
    ("0; URL=/login", "/login"),
    ("1; URL=http://a/?switch_url=b&ap_mac=c", "http://a/?switch_url=b&ap_mac=c"),
    (" \t5 ; url = 'http://a/ b' trailing", "http://a/ b"),
    ("0;url=\"http://a/\"", "http://a/"),
    ("0;url='http://a/", "http://a/"),
    ("0,http://a/", "http://a/"),
    ("0 http://a/", "http://a/"),
    ("0.5;url=x", "x"),
    (".;url=x", "x"),
    ("0; url/x", "url/x"),
    ("0; url=x  ", "x"),
  ])
  func aRefreshNamesItsTarget(_ content: String, _ url: String) {
    #expect(MetaRefresh(content)?.url == url)
  }

  @Test(arguments: [
    ("5", 5), ("5;", 5), (" 30; url=", 30), ("5;url=''", 5), ("0.9", 0), ("99999999999", 999_999),
  ])
  func aRefreshWithoutATargetOnlyReloads(_ content: String, _ seconds: Int) throws {
    let refresh = try #require(MetaRefresh(content))
    #expect(refresh.url == nil)
    #expect(refresh.seconds == seconds)
  }

  @Test(arguments: ["", "url=http://a/", "0x;url=a", "x", " "])
  func aRefreshWithoutATimeIsIgnored(_ content: String) {
    #expect(MetaRefresh(content) == nil)
  }
}
