import EngineProfiles
import Foundation
import ProbeCore
import TestSupport
import Testing

@testable import ProbeCommand

/// `probekit profiles`.
@Suite struct ProfilesCommandTests {
  private static func run(_ arguments: String...) async throws -> (
    code: ExitCode, output: String, errors: String
  ) {
    let (output, errors) = (MemoryOutput(), MemoryOutput())
    let code = await CommandLineTool(commands: [ProfilesCommand()]).run(
      arguments: (["profiles"] + arguments).map { Array($0.utf8) }, output: output.sink(),
      errors: errors.sink())
    return (code, output.text, errors.text)
  }

  private struct List: Decodable {
    struct Profile: Decodable {
      let name: String
      let description: String
      let file: String?
    }

    let schema: Int
    let profiles: [Profile]
  }

  private static func list(_ text: String) throws -> List {
    try JSONDecoder().decode(List.self, from: Data(text.utf8))
  }

  @Test func allProfilesAreListed() async throws {
    let run = try await Self.run()
    #expect(run.code == .success)
    #expect(run.errors.isEmpty)
    let names = run.output.split(separator: "\n").filter { !$0.hasPrefix(" ") }
    #expect(names == EngineProfile.all.map { $0.name[...] })
    #expect(run.output.contains("\nandroid\n    Android's NetworkMonitor."))
    let json = try Self.list(try await Self.run("--format=json").output)
    #expect(json.schema == 1)
    #expect(json.profiles.map(\.name) == EngineProfile.all.map(\.name))
    #expect(json.profiles.map(\.description) == EngineProfile.all.map(\.description))
    #expect(json.profiles.allSatisfy { $0.file == nil })
  }

  @Test(arguments: EngineProfile.all.map(\.name))
  func aProfileIsPrintedAsItsFile(_ name: String) async throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/EngineProfiles/Profiles/\(name).yaml").standardizedFileURL
    let run = try await Self.run(name)
    #expect(run.code == .success)
    #expect(try Data(run.output.utf8) == Data(contentsOf: file))
    let json = try Self.list(try await Self.run(name, "--format=json").output)
    #expect(json.profiles.map(\.name) == [name])
    #expect(json.profiles.map(\.file) == [run.output])
  }

  private static let names = EngineProfile.all.map(\.name).alternatives

  @Test func anUnknownNameIsAnError() async throws {
    let near = try await Self.run("appel")
    #expect(near.code == .usage)
    #expect(near.output.isEmpty)
    #expect(near.errors == "probekit profiles: \"appel\": there is no such profile: did you mean apple?\n")
    #expect(try await Self.run("zzzzzz").errors.hasSuffix(": use \(Self.names)\n"))
    #expect(try await Self.run("apple", "default").code == .usage)
  }

  @Test func help() async throws {
    let help = try await Self.run("--help")
    #expect(try help.output == Snapshot("help-profiles", is: help.output).text)
    #expect(help.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }
}
