/// Runs the programs that pipeline files name.
///
/// A request has a host only if its user allowed programs.
package protocol ProgramHost: AnyObject, Sendable {
  /// Runs a program once, to its end.
  ///
  /// If the task is cancelled, the program is terminated with its process group.
  ///
  /// - Parameters:
  ///   - program: The program.
  ///   - input: Its standard input.
  ///   - limit: The timeout, after which the program is terminated with its process group.
  /// - Returns: The end of the run, with the output.
  func run(_ program: Program, input: [UInt8], within limit: Duration) async -> ProgramRun

  /// Sends a message to a plugin, starting it if it is not running, and waits for its response.
  ///
  /// - Parameters:
  ///   - plugin: The plugin.
  ///   - message: The members of the message besides `id` and `deadlineMs`, as JSON without the braces.
  ///   - limit: The timeout.
  /// - Returns: The response, or the reason why there is none.
  func ask(_ plugin: PluginProgram, _ message: [UInt8], within limit: Duration) async -> PluginResponse
}

/// A long-running program that responds to messages: a plugin in another process.
package struct PluginProgram: Hashable, Sendable {
  /// The role of a plugin.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// It judges responses.
    case validator
    /// It performs probes.
    case transport
  }

  /// Its name in the pipeline file.
  package var name: String
  /// Its role.
  package var kind: Kind
  /// The program.
  package var program: Program
  /// The maximum number of messages of each process without a response; further ones wait.
  package var inFlight = 64
  /// The number of its processes that run concurrently.
  package var processes = 1
  /// The timeout for a response.
  package var timeout = Duration.seconds(5)

  /// Creates a plugin with the default limits.
  package init(_ name: String, _ kind: Kind, _ program: Program) {
    (self.name, self.kind, self.program) = (name, kind, program)
  }
}

/// The response of a plugin to a message.
package enum PluginResponse: Hashable, Sendable {
  /// The response is accepted; the values are captures.
  case accepted([String: String])
  /// The response is rejected, for a reason if it gave one, with a text.
  case rejected(ReasonCode?, String)
  /// The response of a probe.
  case response(ProbeResponse)
  /// The probe failed.
  case failed(ProbeFailure)
  /// There is no response: the plugin reports an error, ended, broke the protocol, or took too long.
  case none(ReasonCode, String)
}

extension PluginResponse: CustomStringConvertible {
  /// The response in words, such as `rejected: status is down`.
  package var description: String {
    switch self {
    case .accepted(let captures): captures.isEmpty ? "accepted" : "accepted, with captures"
    case .rejected(let reason, let detail):
      "rejected" + (reason.map { " with \($0)" } ?? "") + (detail.isEmpty ? "" : ": \(detail)")
    case .response: "a response"
    case .failed(let failure): "a failure, \(failure)"
    case .none(_, let detail): "no judgement: \(detail)"
    }
  }
}

/// The program host of a request, and the folder of its pipeline file.
package struct ProgramContext: Sendable {
  /// Runs the programs.
  package let host: any ProgramHost
  /// The folder of the pipeline file; empty for the current directory.
  package let folder: String

  /// Creates a context.
  package init(_ host: any ProgramHost, folder: String) {
    (self.host, self.folder) = (host, folder)
  }
}

/// A transport whose probes are performed by a program; its requests have a ``ProgramContext``.
package protocol ProgramTransport: ProbeTransport {}
