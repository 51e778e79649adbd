import ProbeCore
import SourceDocuments

/// A shop as a file describes it.
struct Shop: Decodable, SchemaProviding {
  static let schema = ValueSchema.mapping([
    .key("name", .text, required: true, summary: "what it is called"),
    .key("opens", .duration, required: true, summary: "when it opens, from midnight"),
  ])
  var name: String
  var opens: Duration
}

/// Reads a shop from a file in YAML or JSON, with everything that is wrong with it.
func shop(path: String, bytes: [UInt8]) -> (Shop?, [SourceFinding]) {
  let findings = SourceFindings(SourceFile(path: path, bytes: bytes))
  let shop = SourceDocument.read(findings).flatMap {
    SourceDecoding.value(Shop.self, of: $0, field: "the shop", findings)
  }
  return (shop, findings.all)
}
