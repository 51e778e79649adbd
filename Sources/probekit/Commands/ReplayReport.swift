import FoundationEssentials
import ProbeCore

/// The addresses of a replay server.
struct ReplayReport: Sendable {
  /// The names of the fixtures.
  let fixtures: [String]
  /// The listeners and their addresses.
  let listeners: [(name: String, address: String)]
  /// The file with the authority's certificate.
  let authority: String

  /// The report for people.
  var text: String {
    var text = "replaying \(fixtures.joined(separator: ", "))\n"
    let width = listeners.map(\.name.count).max() ?? 0
    for listener in listeners {
      text +=
        "  \(listener.name)\(String(repeating: " ", count: width - listener.name.count))  \(listener.address)\n"
    }
    return text + "  CA certificate: \(authority)\n"
  }

  /// The report for programs: one line.
  func json() throws -> String {
    struct Record: Encodable {
      let schema = 1
      let fixtures: [String]
      let listeners: [String: String]
      let ca: String
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let pairs = listeners.map { ($0.name, $0.address) }
    let record = Record(
      fixtures: fixtures, listeners: Dictionary(uniqueKeysWithValues: pairs), ca: authority)
    return String(jsonForDisplay: try encoder.encode(record)) + "\n"
  }
}
