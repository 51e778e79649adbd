import BundledPlugins
import Foundation
import ProbeCommand
import ProbeCore
import TestTransports
@testable import CommandKit
@testable import ProbeSystem

/// `probekit scan` run in memory, with the bundled plugins or others.
struct Scan {
  let code: ExitCode
  let output: String
  let errors: String

  init(
    _ arguments: [String], input: String = "", environment: [String: String] = [:],
    plugins: PluginRegistry? = nil, output sink: OutputSink? = nil
  ) async throws {
    let (output, errors) = (MemoryOutput(), MemoryOutput())
    code = await CommandLineTool(plugins: try plugins ?? .bundled).run(
      arguments: [Array("scan".utf8)] + arguments.map { Array($0.utf8) }, environment: environment.inUTF8,
      input: InputSource(input), output: sink ?? output.sink(), errors: errors.sink())
    self.output = output.text
    self.errors = errors.text
  }

  /// The lines of the output as objects.
  func lines() throws -> [[String: Any]] { try Self.lines(of: output) }

  /// The results, by the number of their line.
  func results() throws -> [[String: Any]] {
    try lines().filter { $0["type"] as? String == "probe" }
      .sorted { ($0["line"] as? Int ?? 0) < ($1["line"] as? Int ?? 0) }
  }

  /// One field of each result, in the order of the lines.
  func texts(_ field: String) throws -> [String?] { try results().map { $0[field] as? String } }

  /// The last line, if it is an end line.
  func end() throws -> [String: Any]? {
    try lines().last.flatMap { $0["type"] as? String == "end" ? $0 : nil }
  }

  /// The lines of a text as JSON objects.
  static func lines(of text: String) throws -> [[String: Any]] {
    try text.split(separator: "\n").map { line in
      guard let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] else {
        throw InvalidInput("not an object: \(line)")
      }
      return object
    }
  }
}

extension PluginRegistry {
  /// The bundled validators, and one transport.
  static func bundled(over transport: any ProbeTransport) throws -> PluginRegistry {
    var plugins = try PluginRegistry.bundled
    plugins.transports = try .only(transport)
    return plugins
  }
}
