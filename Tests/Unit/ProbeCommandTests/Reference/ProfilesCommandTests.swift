import EngineProfiles
import Foundation
import ProbeCore
import TestSupport
import Testing

@testable import ProbeCommand
@testable import CommandKit
@testable import ProbeSystem

/// `probekit profiles`.
@Suite struct ProfilesCommandTests {
  /// A day on which no source is old: that of the last one.
  private static let recent = EngineProfile.all.map(\.source.date).max() ?? ""

  private static func run(_ arguments: String..., on day: String = recent) async throws -> (
    code: ExitCode, output: String, errors: String
  ) {
    let (output, errors) = (MemoryOutput(), MemoryOutput())
    let time = try Date("\(day)T12:00:00Z", strategy: .iso8601)
    let code = await CommandLineTool(commands: [ProfilesCommand(now: { time })]).run(
      arguments: (["profiles"] + arguments).map { Array($0.utf8) }, output: output.sink(),
      errors: errors.sink())
    return (code, output.text, errors.text)
  }

  private struct List: Decodable {
    struct Profile: Decodable {
      let name: String
      let description: String
      let version: String
      let source: String
      let date: String
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
    #expect(json.profiles.map(\.version) == EngineProfile.all.map(\.version))
    #expect(json.profiles.map(\.source) == EngineProfile.all.map(\.source.text))
    #expect(json.profiles.map(\.date) == EngineProfile.all.map(\.source.date))
    #expect(json.profiles.allSatisfy { $0.file == nil })
  }

  @Test func eachProfileIsListedWithItsVersionAndSource() async throws {
    let lines = try await Self.run().output.split(separator: "\n").map(String.init)
    let entries = lines.split { !$0.hasPrefix(" ") }.map { lines in
      lines.map { $0.drop { $0 == " " } }.joined(separator: " ")
    }
    for (entry, profile) in zip(entries, EngineProfile.all) {
      let origin =
        " Version: \(profile.version) Source: \(profile.source.text), \(profile.source.date)"
      #expect(entry.hasSuffix(origin), "\(entry)")
    }
  }

  @Test func aProfileWithAnOldSourceIsNamed() async throws {
    let run = try await Self.run(on: "2099-01-01")
    #expect(run.code == .success)
    let all = try await Self.run()
    #expect(run.output == all.output)
    #expect(run.errors.split(separator: "\n").count == EngineProfile.all.count)
    let date = try #require(EngineProfile.named("apple")).source.date
    let warning =
      "probekit profiles: warning: apple: the source is from \(date), more than a year ago, so the system may behave "
      + "differently now: use a newer version of probekit\n"
    #expect(run.errors.contains(warning))
    for arguments in [["apple"], ["apple", "--format=json"]] {
      let one = try await Self.run(
        arguments[0], arguments.count > 1 ? arguments[1] : "--no-color", on: "2099-01-01")
      #expect(one.code == .success)
      #expect(one.errors == warning)
      #expect(!one.output.contains("more than a year"))
    }
  }

  @Test(arguments: EngineProfile.all.map(\.name))
  func aProfileIsPrintedAsItsFile(_ name: String) async throws {
    let run = try await Self.run(name)
    #expect(run.code == .success)
    #expect(run.errors.isEmpty)
    #expect(run.output == EngineProfile.named(name)?.text)
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
