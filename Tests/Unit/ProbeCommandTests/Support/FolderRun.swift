import BundledPlugins
import Foundation
import ProbeCore
import TestSupport

@testable import ProbeCommand
@testable import CommandKit
@testable import ProbeSystem

/// A command run in memory on the files of a folder.
struct FolderRun {
  let code: ExitCode
  let output: String
  let errors: String

  /// Runs the command; `DIR` in the arguments and in the output represents the folder.
  init(
    _ command: String, _ arguments: [String], in folder: TemporaryFolder, input: String = "",
    isTerminal: Bool = false, plugins: PluginRegistry? = nil
  ) async throws {
    let (output, errors) = (MemoryOutput(), MemoryOutput())
    // Long enough for a busy machine; the default is not.
    let hasNetwork = ["--connect-to", "--replay"].contains(where: arguments.contains)
    let isPatient =
      ["capture", "login", "portal"].contains(command) && hasNetwork
      && !arguments.contains { $0.hasPrefix("--timeout") }
    let patience = isPatient ? ["--timeout=60s"] : []
    let bytes = ([command] + patience + arguments).map { Array($0.replacing("DIR", with: folder.path).utf8) }
    code = await CommandLineTool(plugins: try plugins ?? .bundled).run(
      arguments: bytes, environment: ["LANG": "C.UTF-8"], input: InputSource(input),
      output: output.sink(isTerminal: isTerminal),
      errors: errors.sink(isTerminal: isTerminal))
    self.output = output.text.replacing(folder.path, with: "DIR")
    self.errors = errors.text.replacing(folder.path, with: "DIR")
  }

  /// The output as JSON.
  func json() throws -> Any { try JSONSerialization.jsonObject(with: Data(output.utf8)) }
}

extension String {
  /// The report without times and ports, which differ from run to run.
  var withoutTimesAndPorts: String {
    replacing(/\x20{2,}\d+(\.\d+)? m?s/) { _ in "  TIME" }
      .replacing(/, \d+(\.\d+)? m?s/) { _ in ", TIME" }
      .replacing(/127\.0\.0\.1:\d+/) { _ in "127.0.0.1:PORT" }
  }
}
