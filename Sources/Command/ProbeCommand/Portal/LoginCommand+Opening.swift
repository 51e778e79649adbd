import ProbeCore
import ProbeBase
import ProbeSystem
import CommandKit
import PortalSurvey

extension LoginCommand {
  /// Opens a URL with xdg-open, which ends when the browser has received it; the browser outlives this
  /// command.
  ///
  /// - Parameters:
  ///   - url: The URL, whose scheme is http or https.
  ///   - context: The context of the command, whose environment names the display.
  /// - Throws: `InvalidInput` if the URL cannot be opened.
  static func openInBrowser(_ url: ProbeURL, _ context: CommandContext) async throws(InvalidInput) {
    let end = Guarded<ProcessEnd?>(nil)
    var environment = context.environment
    // The URL is not part of the shell's command line, so that the shell does not interpret it.
    environment["LOGIN_URL"] = url.string
    do {
      let process = try ChildProcess(
        shell: "command -v xdg-open >/dev/null || exit 127; exec setsid --wait xdg-open \"$LOGIN_URL\"",
        environment: environment.map { "\($0.key)=\($0.value)" }, output: 2
      ) { ended in end.withLock { $0 = ended } }
      await process.waitForEnd()
    } catch {
      throw InvalidInput("the login URL could not be opened: \(error)", remedy: "open it in a browser")
    }
    // The stream ends shortly before the closure is called.
    while end.withLock({ $0 == nil }), !Task.isCancelled { await Task.yield() }
    switch end.withLock({ $0 }) {
    case .code(0): return
    case .code(127):
      throw InvalidInput(
        "there is no xdg-open", remedy: "install the package xdg-utils, or open the login URL in a browser")
    default:
      throw InvalidInput("xdg-open could not open the login URL", remedy: "open it in a browser")
    }
  }
}
