import ProbeCore
import SourceDocuments
import Testing

/// A type with a schema of its own is decoded from a file, with every mistake at its location.
struct OwnFileTests {
  /// A shop as a file describes it.
  struct Shop: Decodable, SchemaProviding {
    static let schema = ValueSchema.mapping([
      .key("name", .text, required: true, summary: "what it is called"),
      .key("opens", .duration, required: true, summary: "when it opens, from midnight"),
    ])
    var name: String
    var opens: Duration
  }

  private static func shop(_ text: String) -> (Shop?, [SourceFinding]) {
    let findings = SourceFindings(SourceFile(path: "shop.yaml", bytes: Array(text.utf8)))
    let shop = SourceDocument.read(findings).flatMap {
      SourceDecoding.value(Shop.self, of: $0, field: "the shop", findings)
    }
    return (shop, findings.all)
  }

  @Test func aFileOfAnotherFormatIsRead() {
    let (good, none) = Self.shop("name: Mill\nopens: 8h\n")
    #expect(good?.opens == .seconds(8 * 3600))
    #expect(none.isEmpty)
    let (bad, findings) = Self.shop("nmae: Mill\nopens: late\n")
    #expect(bad == nil)
    #expect(findings.map(\.location?.line) == [1, 2], "\(findings)")
  }
}
