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
  /// The gateway, or nil.
  var gateway: Gateway?

  /// The report for people.
  var text: String {
    var text = "replaying \(fixtures.joined(separator: ", "))\n"
    let width = listeners.map(\.name.count).max() ?? 0
    for listener in listeners {
      text +=
        "  \(listener.name)\(String(repeating: " ", count: width - listener.name.count))  \(listener.address)\n"
    }
    text += "  CA certificate: \(authority)\n"
    guard let gateway else { return text }
    let (first, last) = gateway.network.clients
    text +=
      "  gateway: \(gateway.network.address) on \(gateway.interface.name), clients \(first) to \(last)\n"
    return text + (gateway.announcement.map { "  captive-portal API: \($0)\n" } ?? "")
  }

  /// The report for programs: one line.
  func json() throws -> String {
    struct Record: Encodable {
      let schema = 1
      let fixtures: [String]
      let listeners: [String: String]
      let ca: String
      let gateway: GatewayRecord?
    }
    struct GatewayRecord: Encodable {
      let interface: String
      let address: String
      let clients: [String]
      let capport: String?
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let pairs = listeners.map { ($0.name, $0.address) }
    let record = Record(
      fixtures: fixtures, listeners: Dictionary(uniqueKeysWithValues: pairs), ca: authority,
      gateway: gateway.map {
        GatewayRecord(
          interface: $0.interface.name, address: "\($0.network)",
          clients: ["\($0.network.clients.first)", "\($0.network.clients.last)"], capport: $0.announcement)
      })
    return String(jsonForDisplay: try encoder.encode(record)) + "\n"
  }
}
