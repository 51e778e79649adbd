import CommandKit
import ProbeBase
import ProbeSystem

extension CommandContext {
  /// The service manager that started the process, or nil if there is none; a command works without one, so an invalid
  /// setting is only reported.
  func serviceManager() -> ServiceManager? {
    do throws(InvalidInput) { return try ServiceManager(environment) } catch {
      report("\(error)")
      return nil
    }
  }
}
