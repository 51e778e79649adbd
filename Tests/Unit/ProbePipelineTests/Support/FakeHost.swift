import ProbeCore
import ProbeBase
import TestTransports

/// A host without processes, whose responses come from a closure.
final class FakeHost: ProgramHost {
  private let log = Guarded<[String]>([])
  private let respond: @Sendable (_ message: String) async -> PluginResponse

  init(respond: @escaping @Sendable (_ message: String) async -> PluginResponse) {
    self.respond = respond
  }

  /// The messages sent to plugins, in order.
  var messages: [String] { log.withLock(\.self) }

  func run(_ program: Program, input: [UInt8], within limit: Duration) async -> ProgramRun {
    ProgramRun(.notStarted("this host starts none"))
  }

  func query(_ plugin: PluginProgram, _ message: [UInt8], within limit: Duration) async -> PluginResponse {
    let text = String(decoding: message, as: UTF8.self)
    log.withLock { $0.append(text) }
    return await respond(text)
  }
}
