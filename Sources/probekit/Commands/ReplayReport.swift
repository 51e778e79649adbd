import FoundationEssentials
import ProbeCore

/// The addresses of a replay server.
struct ReplayReport: Sendable {
  /// The place of the control.
  struct Control: Encodable, Sendable {
    let address: String
    /// The token, or nil if the user has it in a file.
    let token: String?

    private enum Key: CodingKey { case address, token }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(address, forKey: .address)
      try container.encode(token, forKey: .token)
    }
  }

  /// The names of the fixtures.
  let fixtures: [String]
  /// The listeners and their addresses.
  let listeners: [(name: String, address: String)]
  /// The file with the authority's certificate.
  let authority: String
  /// The place of the control, or nil if there is none.
  var control: Control?

  /// The report for people.
  var text: String {
    var text = "replaying \(fixtures.joined(separator: ", "))\n"
    let width = listeners.map(\.name.count).max() ?? 0
    for listener in listeners {
      text +=
        "  \(listener.name)\(String(repeating: " ", count: width - listener.name.count))  \(listener.address)\n"
    }
    text += "  CA certificate: \(authority)\n"
    if let control {
      text += "  control: \(control.address)\n"
      if let token = control.token { text += "  control token: \(token)\n" }
    }
    return text
  }

  /// The report for programs: one line.
  func json() throws -> String {
    struct Record: Encodable {
      let schema = 1
      let fixtures: [String]
      let listeners: [String: String]
      let ca: String
      let control: Control?
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let pairs = listeners.map { ($0.name, $0.address) }
    let record = Record(
      fixtures: fixtures, listeners: Dictionary(uniqueKeysWithValues: pairs), ca: authority,
      control: control)
    return String(jsonForDisplay: try encoder.encode(record)) + "\n"
  }
}
