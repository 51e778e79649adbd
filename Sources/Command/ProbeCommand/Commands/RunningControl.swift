import FixtureReplay
import ProbeServer
import ProbeCore
import CommandKit
import ReplayControl

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
