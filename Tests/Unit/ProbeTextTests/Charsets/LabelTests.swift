import ProbeText
import Testing

@Suite
struct LabelTests {
  @Test(arguments: [
    ("utf-8", "utf-8"), ("UTF8", "utf-8"), (" \tUtf-8\r\n", "utf-8"), ("unicode11utf8", "utf-8"),
    ("latin1", "windows-1252"), ("ISO-8859-1", "windows-1252"), ("us-ascii", "windows-1252"),
    ("gb2312", "gbk"), ("GBK", "gbk"), ("gb18030", "gb18030"), ("big5-hkscs", "big5"), ("sjis", "shift_jis"),
    ("windows-31j", "shift_jis"), ("ks_c_5601-1987", "euc-kr"), ("utf-16", "utf-16le"), ("ucs-2", "utf-16le"),
    ("unicodefffe", "utf-16be"), ("tis-620", "windows-874"), ("iso-8859-9", "windows-1254"),
    ("logical", "iso-8859-8-i"), ("x-user-defined", "x-user-defined"), ("iso-2022-kr", "replacement"),
    ("ISO-2022-CN-EXT", "replacement"), ("x-mac-ukrainian", "x-mac-cyrillic"), ("koi8-ru", "koi8-u"),
  ])
  func `have the meaning of the standard`(label: String, name: String) {
    #expect(Charset(label: label.utf8)?.name == name)
  }

  @Test(arguments: [
    "", " ", "utf-7", "utf8mb4", "utf-32", "ibm1364", "iso-2022-jp-3", "windows-1251//TRANSLIT", "utf-8\0",
    "\u{A0}utf-8", "windows 1251", "../../tmp/evil", String(repeating: "a", count: 100_000),
  ])
  func `unknown labels name no charset`(label: String) {
    #expect(Charset(label: label.utf8) == nil)
  }

  @Test func `are the standard's, each once`() {
    #expect(Charset.all.count == 40)
    let labels = Charset.all.flatMap(\.labels)
    #expect(labels.count == 228)
    #expect(Set(labels).count == labels.count)
    for charset in Charset.all {
      #expect(charset.labels.contains(charset.name))
      for label in charset.labels { #expect(Charset(label: label.utf8) == charset) }
    }
  }

  @Test func `this machine converts from all charsets but the refused ones`() {
    let bytes: [UInt8] = [0x80]
    for charset in Charset.all {
      #expect((charset.decode(bytes[...]) == nil) == (charset.name == "replacement"), "\(charset)")
    }
  }
}
