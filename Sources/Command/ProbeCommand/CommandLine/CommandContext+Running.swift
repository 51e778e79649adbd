import CommandKit
import ProbeBase
import ProbeCore
import ProbePipeline
import ProbeSystem
import Transports

extension CommandContext {
  /// The context in which pipelines read secrets, with the permission to start programs.
  ///
  /// - Parameter folders: The folders, besides that of a pipeline, whose files it may send.
  /// - Returns: The context.
  func requestContext(secretFolders folders: [String] = []) -> RequestContext {
    let context = RequestContext.environment(environment).allowingSecrets(in: folders)
    return self[ProcessHost.self].map { context.allowingPrograms($0) } ?? context
  }

  /// Runs a command with permission to start the programs that pipelines name, and ends plugins afterwards.
  ///
  /// - Parameters:
  ///   - isAllowed: Whether there is permission.
  ///   - body: The command.
  /// - Returns: Its exit code.
  func allowingPrograms(_ isAllowed: Bool, _ body: (CommandContext) async -> ExitCode) async -> ExitCode {
    guard isAllowed else { return await body(self) }
    let host = ProcessHost(environment: environment)
    var context = self
    context[ProcessHost.self] = host
    let code = await body(context)
    await host.end()
    return code
  }
}

/// Ends a command after the reason has been reported.
struct Stop: Error {
  let code: ExitCode
}

extension CommandContext {
  /// Writes a result; an error of its encoder is reported.
  ///
  /// - Parameters:
  ///   - what: What is written, for the error.
  ///   - code: The exit code for the result.
  ///   - text: Makes the text.
  /// - Returns: The exit code.
  func write(_ what: String, _ code: ExitCode = .success, text: () throws -> String) -> ExitCode {
    do {
      output.write(try text())
      return code
    } catch {
      return ended(.internalError, because: "\(what) could not be written as \(format): \(error)")
    }
  }
}

extension OptionSpec {
  /// Whether pipelines may start programs.
  static func programs(_ property: any WritableKeyPath<Options, Bool> & Sendable) -> OptionSpec {
    .flag(
      "--allow-commands", property,
      help:
        "start the programs that pipelines name: plugins, commands and checks; only with files that you trust"
    )
  }
}

extension CommandContext {
  /// Reports that the command was interrupted, with its progress, unless the reader has closed the output.
  ///
  /// - Returns: The exit code.
  func interrupted(_ progress: String) -> ExitCode {
    if output.failure?.readerHasGone != true { report("interrupted: \(progress)") }
    return .notOnline
  }
}

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
