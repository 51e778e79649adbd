import ProbeCore
import ProbeBase

/// A host that runs no programs; a closure returns the result of each run.
final class FakeProgramHost: ProgramHost {
  /// A run that was requested.
  struct Order: Sendable {
    let program: Program
    let input: [UInt8]
    let limit: Duration
  }

  private let result: @Sendable (Order) async -> ProgramRun
  private let orders = Guarded<[Order]>([])

  init(_ result: @escaping @Sendable (Order) async -> ProgramRun) {
    self.result = result
  }

  /// A host whose programs all end in the same way.
  convenience init(_ end: ProgramRun.End, _ output: String = "", errors: String = "") {
    self.init { _ in ProgramRun(end, output: Array(output.utf8), errors: Array(errors.utf8)) }
  }

  /// The runs so far.
  var requested: [Order] { orders.withLock { $0 } }

  func run(_ program: Program, input: [UInt8], within limit: Duration) async -> ProgramRun {
    let order = Order(program: program, input: input, limit: limit)
    orders.withLock { $0.append(order) }
    return await result(order)
  }

  func query(_ plugin: PluginProgram, _ message: [UInt8], within limit: Duration) async -> PluginResponse {
    .none(.pluginFailed, "there are no plugins")
  }
}
