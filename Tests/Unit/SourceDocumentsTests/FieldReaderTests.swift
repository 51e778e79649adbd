import ProbeCore
import SourceDocuments
import TestSupport
import Testing

@Suite struct FieldReaderTests {
  enum Colour: String, CaseIterable { case red, green, darkBlue = "dark-blue" }

  /// Fields of every type.
  struct Everything {
    var name: String?
    var count: Int?
    var wait: Duration?
    var size: Int?
    var isOn: Bool?
    var colour: Colour?
    var colours: [Colour]?
    var tags: [String]?
    var inner: String?
    var url: String?

    static var reader: FieldReader<Everything> {
      .mapping { reader in
        var all = Everything()
        all.name = reader.required("name", .line, example: "x")
        all.count = reader.optional("count", .integer(in: 1...10))
        all.wait = reader.optional("wait", .duration(in: .seconds(1) ... .seconds(60)))
        all.size = reader.optional("size", .byteCount(in: 1...4096))
        all.isOn = reader.optional("isOn", .boolean)
        all.colour = reader.optional("colour", FieldReader<Colour>.choice)
        all.colours = reader.optional("colours", .oneOrMore(of: FieldReader<Colour>.choice))
        all.tags = reader.optional("tags", .list(of: .nonEmptyText))
        all.inner = reader.optional("inner", .mapping { $0.required("deep", .text, example: "y") })
        all.url = reader.optional(
          "url", .text("a URL") { (text) throws(InvalidInput) in try ProbeURL(text).string })
        return all
      }
    }
  }

  /// Fields with default values.
  struct Limits: Hashable {
    var name = ""
    var count = 3

    static var reader: FieldReader<Limits> {
      .mapping(into: Limits()) { limits, reader in
        reader.required(into: &limits.name, "name", .line, example: "x")
        reader.read(into: &limits.count, "count", .integer(in: 1...10), default: "\(limits.count)")
      }
    }
  }

  static let limits: [(text: String, limits: Limits?)] = [
    ("name: x", Limits(name: "x")), ("{ name: x, count: 4 }", Limits(name: "x", count: 4)),
    ("{ name: x, count: 11 }", Limits(name: "x")), ("count: 4", nil), ("name: []", nil),
  ]

  @Test(arguments: limits) func keysAreReadIntoProperties(text: String, limits: Limits?) {
    let findings = SourceFindings(SourceFile(path: "f.yaml", bytes: Array(text.utf8)))
    let value = SourceDocument.read(findings).flatMap {
      Limits.reader.value(of: $0, field: "limits", findings)
    }
    #expect(value == limits)
  }

  private func read(_ text: String) -> (value: Everything?, findings: [SourceFinding]) {
    let findings = SourceFindings(SourceFile(path: "f.yaml", bytes: Array(text.utf8)))
    let value = SourceDocument.read(findings).flatMap {
      Everything.reader.value(of: $0, field: "a thing", findings)
    }
    return (value, findings.all)
  }

  @Test func everyFieldIsReadAsItsType() throws {
    let (value, findings) = read(
      """
      name: no
      count: 7
      wait: 1.5s
      size: 1KiB
      isOn: true
      colour: dark-blue
      colours: red
      tags: [yes, 1.10, "null"]
      inner: { deep: 2026-11-21 }
      url: https://a.example/
      """)
    let all = try #require(value)
    #expect(findings.isEmpty)
    #expect(all.name == "no")
    #expect(all.count == 7)
    #expect(all.wait == .milliseconds(1500))
    #expect(all.size == 1024)
    #expect(all.isOn == true)
    #expect(all.colour == .darkBlue)
    #expect(all.colours == [.red])
    #expect(all.tags == ["yes", "1.10", "null"])
    #expect(all.inner == "2026-11-21")
    #expect(all.url == "https://a.example/")
  }

  static let bad: [String: String] = [
    "1 types": """
    name: [x]
    count: "7"
    wait: [5s]
    size: {}
    isOn: no
    colour: [red]
    colours: { red: 1 }
    tags: x
    inner: x
    url: []
    """,
    "2 values": """
    name: ""
    count: 11
    wait: 5
    size: 5KiB
    isOn: "true"
    colour: gren
    colours: [red, blue, Red]
    tags: [a, "", b, ""]
    inner: { dep: x }
    url: https://a.example/x y
    """,
    "3 nothing": "name:\ncount: ~\nwait: null\ntags: [null]\ncolours: []\ninner:\n",
    "4 keys": "nmae: x\ncuont: 1\nxyzzy: 2\n\"a\\u001bb\": 3\n\"\": 4\n",
    "5 no mapping": "- name: x\n",
    "6 numbers": "name: x\ncount: 1_0\n",
    "7 more numbers": "name: \"a\\nb\"\ncount: 99999999999999999999\n",
    "8 place inside of a quoted text": "name: x\nurl: \"https://a.example/x y\"\n",
    "9 syntax hides what is missing": "count: 1\nwait: x: y\n",
  ]

  @Test func everyErrorIsReported() throws {
    let text = Self.bad.sorted { $0.key < $1.key }.map { name, text in
      "# \(name)\n" + read(text).findings.map { "\($0)\n" }.joined()
    }.joined(separator: "\n")
    #expect(try text == Snapshot("fields", is: text).text)
  }

  @Test func everyErrorIsReportedOnce() {
    let (_, findings) = read("name: x\ninner: &i { dep: 1 }\ncolour: red\ntags: [*i, *i]\n")
    #expect(findings.map(\.message).count { $0.contains("tags must be") } == 1)
  }
}
