import SourceDocuments
import TestSupport
import Testing

@Suite struct SourceDocumentTests {
  static let good: [(text: String, value: String)] = [
    ("a: no\nb: ~\nc:\nd: 0x10\n", "{a=no b=~ c= d=0x10}"),
    ("a: \"x\\ty\"\nb: 'it''s'\n", "{a=\"x\ty\" b=\"it's\"}"),
    ("a: &x [1, 2]\nb: *x\nc: { d: *x }\n", "{a=[1 2] b=[1 2] c={d=[1 2]}}"),
    ("a: &x 1\nb: &x 2\nc: *x\n", "{a=1 b=2 c=2}"),
    ("--- !!map\na: !!str 1\n...\n", "{a=1}"),
    ("u: [https://a.example:80/?x=1, http://b/#f]", "{u=[https://a.example:80/?x=1 http://b/#f]}"),
    ("{\"a\":1,\"b\":[true,false,null,-1.5e3],\"c\":{}}", "{a=1 b=[true false null -1.5e3] c={}}"),
    ("{\n\t\"a\": [\n\t\t1,\n\t\t2\n\t]\n}\n", "{a=[1 2]}"),
    ("a: x # a\tcomment\nb: |\n  1\t2\nc: \"\t\"\n", "{a=x b=\"1\t2\n\" c=\"\t\"}"),
    ("a: one\n  two\nb: [x,\n  y]\n", "{a=one two b=[x y]}"),
    ("{ a: , b: 1 }", "{a= b=1}"),
    ("? a\n: b\n", "{a=b}"),
    ("\u{FEFF}a: ü\r\nb: 𝄞\r\n", "{a=ü b=𝄞}"),
    ("x", "x"),
  ]

  @Test(arguments: good)
  func valuesAreReadAsWritten(_ text: String, value: String) {
    let reading = Reading(text)
    #expect(reading.value == value)
    #expect(reading.findings.isEmpty)
  }

  /// Syntax errors, by their names in the snapshot.
  static let bad: [String: String] = [
    "01 empty": "# nothing\n",
    "02 duplicate keys": "a: 1\nb: 2\n\"a\": 3\nb: 4\n",
    "03 tab as indentation": "a:\n\tb: 1\n",
    "04 tabs between values": "a:\t1\nb: 2\t# why\nc: x\ty\n",
    "05 cycle": "a: &x [1, *x]\nb: &y { c: *y }\n",
    "06 no such anchor": "a: &base 1\nb: *bsae\nc: *\n",
    "07 second document": "a: 1\n---\nb: 2\n",
    "08 keys that are no text": "[1]: a\n{b: c}: d\n? - e\n: f\n: g\n<<: h\n",
    "09 tags": "a: !!binary x\nb: !foo [1]\nc: !!int 1\nd: !!seq {}\n",
    "10 comma in an item": "urls: [https://a.example/?x=1,2, https://b.example/]\n",
    "11 comma in a value": "{ body: hello, world, n: a,b }\n",
    "12 colon in an item": "headers: [Location: http://a/, \"ok\"]\n",
    "13 colon in a value": "a: { body: x: y }\nb: 1\n",
    "14 colon without a space": "when: {host:a, b: 1}\n",
    "15 colon in a block": "a: 1\nb: x: y\n",
    "16 unclosed list": "a: [1, 2\nb: 3\n",
    "17 unclosed mapping": "a: { b: 1\n",
    "18 unclosed quote": "a: \"x\nb: 1\n",
    "19 line without a colon": "a: 1\nb\nc: 2\n",
    "20 wrong indentation": "a:\n  b: 1\n   c: 2\n d: 3\n",
    "21 reserved start": "a: @x\n",
    "22 percent": "a: 1\nb: %x\n",
    "23 unknown escape": "a: \"\\q\"\n",
    "24 short escape": "a: \"\\u12\"\n",
    "25 half a pair": "{\"a\": \"x\\ud83d!\"}\n",
    "26 no character": "a: \"\\UFFFFFFFF\"\n",
    "27 control character": "a: \u{1B}[31m\n",
    "28 nothing between commas": "a: [1,,2]\n",
    "29 text behind": "[a] b\n",
    "30 list in a line": "a: - b\n",
    "31 item among keys": "a: 1\n- b\n",
    "32 wide characters": "\"世界\": 1\n\"世界\": 2\n",
    "33 long line":
      "{ a: \"\(String(repeating: "é", count: 200))\", a: \"\(String(repeating: "x", count: 200))\" }\n",
    "34 trailing quote": "a: \"x\" y\n",
    "35 directive": "%YAML 3.0\n---\na: 1\n",
    "36 undefined handle": "a: !x!y 1\n",
    "37 colon in another line": "{ a: 1,\n  b: x: y }\n",
    "38 single quotes inside": "a: 'x'y'\n",
  ]

  @Test func everySyntaxErrorIsReported() throws {
    let text = Self.bad.sorted { $0.key < $1.key }.map { name, text in
      let findings = Reading(text).findings
      #expect(!findings.isEmpty, "\(name)")
      return "# \(name)\n" + findings.map { "\($0)\n" }.joined()
    }.joined(separator: "\n")
    #expect(try text == Snapshot("mistakes", is: text).text)
  }

  @Test func contentBeforeAnErrorIsRead() {
    #expect(Reading("a: 1\nb: { c: 2, d: x: y }\n").value == "{a=1 b={c=2 d=!}}")
    #expect(Reading("a: 1\nb: 2: 3\n").value == "{a=1 b=!}")
    #expect(Reading("a: 1\nb: \"\\q\"\n").root?.isComplete == false)
    #expect(Reading("u: [https://a/?x=1,2]").value == "{u=[! !]}")
    #expect(Reading("{ body: a,b }").value == "{body=!}")
  }

  @Test func invalidUTF8IsReported() {
    let reading = Reading([0x61, 0x3A, 0x20, 0xFF, 0x0A])
    #expect(
      reading.findings.map(\.description) == [
        "f.yaml:1:4: the text is not UTF-8: save the file as UTF-8\n  a: �\n     ^"
      ])
    #expect(reading.root == nil)
    #expect(Reading([0xFF, 0xFE, 0x61, 0x00]).messages == ["1:1 the text is UTF-16, not UTF-8"])
  }
}
