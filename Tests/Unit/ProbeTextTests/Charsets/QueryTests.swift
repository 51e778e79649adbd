import ProbeText
import Testing

@Suite
struct QueryTests {
  /// As browsers send the query of a link in a page of the charset; bytes as text, those above 0x7E and escapes as `%XX`.
  static let queries: [(charset: String, text: String, query: String)] = [
    ("windows-1251", "q=Вход№&x", "q=%C2%F5%EE%E4%B9&x"), ("koi8-u", "ї", "%A7"),
    ("windows-1252", "é€", "%E9%80"),
    ("iso-8859-1", "ї", "%26%231111%3B"), ("windows-1251", "日", "%26%2326085%3B"),
    ("gbk", "登€", "%B5%C7%80"), ("gbk", "💩", "%26%23128169%3B"),
    ("gb18030", "登€💩", "%B5%C7%A2%E3%949%DA3"),
    // The selected code of a character that has several.
    ("big5", "登═十", "%B5n%F9%F9%A4Q"), ("shift_jis", "ｱ日−Ⅰ∵纊¥", "%B1%93%FA%81|%87T%81%E6%FA\\\\"),
    ("euc-jp", "ｱ日−纊‾", "%8E%B1%C6%FC%A1%DD%F9%A1~"), ("euc-kr", "로똠", "%B7%CE%8Cc"),
    ("iso-2022-jp", "日a", "%1B$BF|%1B(Ba"), ("iso-2022-jp", "¥a\\日", "%1B(J\\a%1B(B\\%1B$BF|%1B(B"),
    ("iso-2022-jp", "日ї", "%1B$BF|%1B(B%26%231111%3B"), ("iso-2022-jp", "ｱ", "%1B$B%\"%1B(B"),
    ("x-user-defined", "a\u{F7FF}", "a%FF"),
    // The queries of pages in these charsets are in UTF-8.
    ("utf-8", "ї", "%D1%97"), ("utf-16le", "ї", "%D1%97"), ("replacement", "ї", "%D1%97"),
  ]

  @Test(arguments: queries)
  func `is in the charset of the page`(charset: String, text: String, query: String) throws {
    let bytes = try #require(Charset(label: charset.utf8)).encodedForQuery(Array(text.utf8)[...])
    let digits = Array("0123456789ABCDEF")
    let shown = bytes.map { byte in
      byte >= 0x7F || byte < 0x20
        ? "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
        : String(Unicode.Scalar(byte))
    }
    #expect(shown.joined() == query)
  }

  @Test(arguments: Charset.all)
  func `is read back`(charset: Charset) throws {
    let text = Array("a=1&b".utf8)
    #expect(charset.encodedForQuery(text[...]) == text)
    // The character of a byte is encoded as that byte, or as one with the same meaning.
    for byte in UInt8(0x80)...0xFF where charset.name != "replacement" {
      guard let read = charset.decode([byte][...]), !read.contains(0xEF) else { continue }
      let written = charset.encodedForQuery(read)
      #expect(try #require(charset.decode(written[...])).elementsEqual(read))
    }
  }
}
