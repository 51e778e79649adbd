import BundledPlugins
import Foundation
import ProbeCommand
import ProbeCore
import ProbeBase
@testable import CommandKit
@testable import ProbeSystem

/// `probekit check` run in memory, with the bundled or other plugins, and with real sockets.
struct Check {
  let code: ExitCode
  let output: String
  let errors: String

  init(
    _ arguments: [String], environment: [String: String] = [:], input: [UInt8] = [],
    plugins: PluginRegistry? = nil
  ) async throws {
    // Long enough for a busy machine; the default is not.
    let usesServer = arguments.contains { $0.contains("://127.0.0.1:") || $0.contains("://localhost:") }
    // `-m` may follow other letters, as in `-sm2.5`.
    let isTimed = arguments.contains { $0.hasPrefix("--timeout") || $0.contains(/^-[^-]*m/) }
    let patience = usesServer && !isTimed ? ["--timeout=60s"] : []
    try await self.init(
      bytes: (patience + arguments).map { Array($0.utf8) }, environment: environment, input: input,
      plugins: plugins)
  }

  init(
    bytes arguments: [[UInt8]], environment: [String: String] = [:], input: [UInt8] = [],
    plugins: PluginRegistry? = nil
  ) async throws {
    let (output, errors) = (MemoryOutput(), MemoryOutput())
    let unread = Guarded(input)
    let source = InputSource { () throws(InvalidInput) in
      unread.withLock { bytes in
        defer { bytes = [] }
        return bytes
      }
    }
    code = await CommandLineTool(plugins: try plugins ?? .bundled).run(
      arguments: [Array("check".utf8)] + arguments, environment: environment.inUTF8, input: source,
      output: output.sink(),
      errors: errors.sink())
    self.output = output.text
    self.errors = errors.text
  }

  /// The report, for output in JSON.
  func json() throws -> [String: Any] {
    let value = try JSONSerialization.jsonObject(with: Data(output.utf8))
    guard let report = value as? [String: Any] else {
      throw InvalidInput("the report is no object: \(output)")
    }
    return report
  }

  /// The probes of all sets, for output in JSON.
  func probes() throws -> [[String: Any]] {
    let sets = try json()["sets"] as? [[String: Any]] ?? []
    return sets.flatMap { $0["probes"] as? [[String: Any]] ?? [] }
  }

  /// The reason of the first probe, for output in JSON.
  func reason() throws -> String? {
    try probes().first?["reason"] as? String
  }
}

extension [String: String] {
  /// The environment, with a UTF-8 locale unless it names another one.
  var inUTF8: [String: String] { merging(["LANG": "C.UTF-8"]) { mine, _ in mine } }
}
