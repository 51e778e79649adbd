import Testing

@testable import PortalAnalysis

/// Inlined images and style sheets do not count against the limits.
@Suite struct CondensedPageTests {
  private static let data = "data:image/png;base64," + String(repeating: "AB+/", count: 100)
  private static let shortened = String(data.prefix(64))
  private static let sheet = String(repeating: "p { margin: 0 } a>b { color: red }", count: 20)

  private func condensed(_ page: String, upTo limit: Int = .max) -> String? {
    CondensedPage.bytes(of: Array(page.utf8).span, upTo: limit).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(arguments: [
    ("<img src=\"\(data)\" alt=x>", "<img src=\"\(shortened)\" alt=x>"),
    ("<img src='\(data)'>y", "<img src='\(shortened)'>y"),
    ("<img src=\(data)>y", "<img src=\(shortened)>y"),
    ("<IMG SRC = \" \(data.uppercased())\"/>", "<IMG SRC = \" \(shortened.uppercased())\"/>"),
    ("<a href=x><img src='\(data)'></a><p>z", "<a href=x><img src='\(shortened)'></a><p>z"),
    ("<style>\(sheet)</style>y", "<style></style>y"),
    ("<STYLE type=x>\(sheet)</Style >y", "<STYLE type=x></Style >y"),
    ("<style>\(sheet)", "<style>"),
    ("<style>\(sheet)</styles></style>y", "<style></style>y"),
    ("<p style='\(sheet)' id=x>", "<p style='' id=x>"),
    ("<svg><path d=\"\(sheet)\"/></svg>", "<svg><path d=\"\"/></svg>"),
    ("<!-- x --><style>\(sheet)</style>", "<!-- x --><style></style>"),
    ("<!--><style>\(sheet)</style>", "<!--><style></style>"),
    ("<title><style></title><style>\(sheet)</style>", "<title><style></title><style></style>"),
    ("a < b <style>\(sheet)</style>", "a < b <style></style>"),
    ("</p a='\(data)'>", "</p a='\(shortened)'>"),
  ])
  func areLeftOut(_ page: String, _ expected: String) {
    #expect(condensed(page) == expected)
  }

  @Test(arguments: [
    "", "<p>x</p>", "<img src='data:image/png;base64,AB'>", "<style></style>", "<a href='/\(data)'>",
    "<meta content='0; url=\(data)'>", "<!-- <style>\(sheet)</style> -->",
    "<script>var a = '<style>\(sheet)</style>'</script>", "<textarea><style>\(sheet)</style></textarea>",
    "<title><style>\(sheet)</style></title>", "<styles>\(sheet)</styles>", "<!-- <img src='\(data)'>",
    "<script>i.src = '\(data)'", "<p title='<style>\(sheet)</style>'>", "<p data=\(sheet)>",
  ])
  func everythingElseStays(_ page: String) {
    #expect(condensed(page) == nil)
  }

  @Test func aPageCutAnywhereIsRead() {
    let page = "<!-- x --><img src='\(Self.data)' a=b c><style>\(Self.sheet)</style><script>x</script><p>"
    let bytes = Array(page.utf8)
    for length in 0...bytes.count {
      let part = Array(bytes.prefix(length))
      #expect(CondensedPage.bytes(of: part.span, upTo: .max)?.count ?? part.count <= length)
    }
  }

  @Test func theRestIsLimited() throws {
    let page = "<style>\(Self.sheet)</style>" + String(repeating: "x", count: 1000)
    #expect(try #require(condensed(page, upTo: 100)).utf8.count == 100)
  }

  @Test func contentAfterAHundredImagesIsParsed() throws {
    let image = "<img src='data:image/png;base64,\(String(repeating: "A", count: 10_000))'>"
    let page = "<style>\(String(repeating: "<", count: 10_000))</style>" + String(repeating: image, count: 90)
    #expect(page.utf8.count > 3 * HTMLPage.maximumLength)
    let elements = try #require(ReadPage(page + "<form action=/log-in><input type=password></form>")).elements
    #expect(elements.count { $0.name == "img" } == 90)
    #expect(elements.contains { $0.name == "form" && $0["action"] == "/log-in" })
  }
}
