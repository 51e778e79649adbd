import ExampleCommand
import ProbeBase
import ProbeSystem

@testable import CommandKit
@testable import ProbeCommand

/// A command line run in memory.
struct Run {
  var code: ExitCode
  var output: String
  var errors: String

  init(
    _ arguments: [String], environment: [String: String] = [:], input: String = "",
    commands: [any Subcommand] = [ExampleCommand()], outputFails: Bool = false
  ) async {
    await self.init(
      bytes: arguments.map { Array($0.utf8) }, environment: environment, input: input, commands: commands,
      outputFails: outputFails)
  }

  init(
    bytes: [[UInt8]], environment: [String: String] = [:], input: String = "",
    commands: [any Subcommand] = [ExampleCommand()], outputFails: Bool = false
  ) async {
    let (output, errors) = (MemoryOutput(), MemoryOutput())
    let broken = OutputSink(bufferSize: 8) { _ throws(OutputSink.Failure) in
      throw OutputSink.Failure("No space left on device")
    }
    code = await CommandLineTool(commands: commands).run(
      arguments: bytes, environment: environment.inUTF8, input: InputSource(input),
      output: outputFails ? broken : output.sink(), errors: errors.sink())
    self.output = output.text
    self.errors = errors.text
  }
}
