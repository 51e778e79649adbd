import CommandKit
import FixtureReplay
import ProbeCore
import ProbeReporting
import ProbeServer
import ReplayControl
import ReplayNetwork

/// The addresses of a replay server.
struct ReplayReport: Sendable {
  /// The address of the control interface.
  struct Control: Encodable, Sendable {
    let address: String
    /// The token, or nil if it is from the user's file.
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
  let listeners: [(name: String, address: String)]
  /// The file with the authority's certificate.
  let authority: String
  /// The address of the control interface, or nil if there is none.
  var control: Control?
  /// The gateway, or nil if there is none.
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
    if let control {
      text += "  control: \(control.address)\n"
      if let token = control.token { text += "  control token: \(token)\n" }
    }
    if let gateway {
      let (first, last) = gateway.network.clients
      text +=
        "  gateway: \(gateway.network.address) on \(gateway.interface.name), clients \(first) to \(last)\n"
      if let announcement = gateway.announcement { text += "  captive-portal API: \(announcement)\n" }
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
      let gateway: GatewayRecord?
    }
    let pairs = listeners.map { ($0.name, $0.address) }
    let record = Record(
      fixtures: fixtures, listeners: Dictionary(uniqueKeysWithValues: pairs), ca: authority,
      control: control, gateway: gateway.map(GatewayRecord.init))
    return try JSONLine.text(record)
  }
}

private struct GatewayRecord: Encodable {
  let interface: String
  let address: String
  let clients: [String]
  let capport: String?

  init(_ gateway: Gateway) {
    let (first, last) = gateway.network.clients
    interface = gateway.interface.name
    address = "\(gateway.network)"
    clients = ["\(first)", "\(last)"]
    capport = gateway.announcement
  }
}

/// The service of `--control` while a server runs.
struct RunningControl: Sendable {
  /// The service, which its owner must stop.
  let service: HTTPService
  /// The facts to print.
  let announced: ReplayReport.Control

  /// Starts the service, or returns nil without `--control`.
  ///
  /// - Parameters:
  ///   - options: The options of the command.
  ///   - server: The server to control.
  ///   - context: The context of the command, for the warning that other machines can reach the service.
  /// - Throws: ``InvalidInput`` if the token cannot be read, or the address is not available.
  init?(
    _ options: ReplayCommand.Options, of server: ReplayServer, in context: CommandContext
  ) throws(InvalidInput) {
    guard let address = options.controlAddress else { return nil }
    let token = try options.controlTokenFile.map { file throws(InvalidInput) in try ControlToken(file: file) }
    let used = token ?? ControlToken()
    do throws(InvalidInput) {
      service = try ControlService(server: server, token: used).start(on: address)
    } catch {
      throw InvalidInput("--control: \(error.message)", remedy: error.remedy)
    }
    announced = ReplayReport.Control(address: "\(service.address)", token: token == nil ? used.text : nil)
    if service.address.isReachable {
      context.report("--control \(service.address): other machines can reach the control, and see its token")
    }
  }
}
