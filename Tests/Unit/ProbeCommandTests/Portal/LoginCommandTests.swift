import BundledPlugins
import Foundation
@testable import PortalSurvey
import ProbeCore
import ProbeBase
import TestSupport
import Testing

@testable import ProbeCommand
@testable import CommandKit
@testable import ProbeSystem

/// `probekit login` in memory.
struct LoginCommandTests {
  /// Runs the command in a network where `respond` determines the result of every request.
  private static func run(
    _ arguments: [String], machine: MachineFacts = MachineFacts(), opened: Guarded<[String]> = Guarded([]),
    isFailing: Bool = false, respond: @escaping @Sendable (ProbeRequest) throws -> ProbeResponse
  ) async throws -> (code: ExitCode, output: String, errors: String) {
    var plugins = try PluginRegistry.bundled
    plugins.transports = plugins.transports.wrapping { RespondingTransport($0, respond) }
    var command = LoginCommand(plugins: plugins, machine: { _ in (machine, []) })
    command.open = { url, _ throws(InvalidInput) in
      if isFailing { throw InvalidInput("there is no xdg-open", remedy: "install it") }
      opened.withLock { $0.append(url.string) }
    }
    let (output, errors) = (MemoryOutput(), MemoryOutput())
    let code = await CommandLineTool(commands: [command]).run(
      arguments: (["login"] + arguments).map { Array($0.utf8) }, output: output.sink(), errors: errors.sink())
    return (code, output.text, errors.text)
  }

  private static let portal: @Sendable (ProbeRequest) throws -> ProbeResponse = { request in
    guard request.url.scheme == .http else { throw ProbeFailure(.connectRefused, "refused") }
    let fields: HeaderFields = ["Location": "http://login.example/hotel"]
    return ProbeResponse(url: request.url, head: HTTPResponseHead(status: 302, fields: fields))
  }

  @Test func onlyTheLoginURLIsPrinted() async throws {
    let run = try await Self.run([], respond: Self.portal)
    #expect(run.code == .captivePortal)
    #expect(run.output == "http://login.example/hotel\n")
    #expect(run.errors.isEmpty)
    let json = try await Self.run(["--format", "json"], respond: Self.portal)
    #expect(
      json.output
        == "{\"loginURL\":\"http://login.example/hotel\",\"schema\":1,\"verdict\":\"captivePortal\"}\n")
  }

  @Test func theLoginURLIsOpenedOnlyOnRequest() async throws {
    let opened = Guarded<[String]>([])
    _ = try await Self.run([], opened: opened, respond: Self.portal)
    #expect(opened.withLock(\.self).isEmpty)
    let run = try await Self.run(["--open"], opened: opened, respond: Self.portal)
    #expect(run.code == .captivePortal)
    #expect(opened.withLock(\.self) == ["http://login.example/hotel"])
    let failed = try await Self.run(["--open"], isFailing: true, respond: Self.portal)
    #expect(failed.code == .unavailable)
    #expect(failed.output == "http://login.example/hotel\n")
    #expect(failed.errors == "probekit login: there is no xdg-open: install it\n")
  }

  /// Opens a URL with a program instead of xdg-open, and returns the output of that program.
  private static func opened(by program: String?, _ url: String) async throws -> String {
    let folder = try TemporaryFolder()
    if let program { try folder.write(program: "bin/xdg-open", program) }
    // Without the program, the path excludes any xdg-open of this machine.
    let path = folder.path(of: "bin") + (program == nil ? "" : ":/usr/bin:/bin")
    let environment = ["PATH": path, "OUT": folder.path(of: "out")]
    let context = CommandContext(
      of: ToolName(version: probeKitVersion),
      output: MemoryOutput().sink(), errors: MemoryOutput().sink(), input: InputSource(""),
      environment: environment)
    try await LoginCommand.openInBrowser(ProbeURL(url), context)
    return try String(contentsOfFile: folder.path(of: "out"), encoding: .utf8)
  }

  @Test func xdgOpenReceivesTheURLAsOneArgument() async throws {
    let url = "http://login.example/hotel?a=$(id)&b='x';%20c"
    let program = "#!/bin/sh\nprintf '%s\\n' \"$#\" \"$1\" >\"$OUT\"\n"
    #expect(try await Self.opened(by: program, url) == "1\n\(try ProbeURL(url).string)\n")
  }

  @Test func aBrowserThatCannotBeOpenedIsReported() async throws {
    await #expect { try await Self.opened(by: "#!/bin/sh\nexit 3\n", "http://login.example/") } throws: {
      "\($0)".contains("xdg-open could not open the login URL")
    }
    await #expect { try await Self.opened(by: nil, "http://login.example/") } throws: {
      "\($0)".contains("there is no xdg-open: install the package xdg-utils")
    }
  }

  @Test func withoutAPortalPossibleCausesAreReported() async throws {
    var machine = MachineFacts()
    machine.tunnel = "wg0"
    machine.proxies = ["https_proxy"]
    let run = try await Self.run([], machine: machine) { _ in
      throw ProbeFailure(.connectTimeout, "no response")
    }
    #expect(run.code == .notOnline)
    #expect(run.output.isEmpty)
    let lines = run.errors.split(separator: "\n")
    #expect(lines.count == 3, "\(run.errors)")
    #expect(lines[0] == "probekit login: no login URL was found: offline")
    #expect(lines[1].contains("wg0") && lines[1].contains("Disconnect the VPN"))
    #expect(lines[2].contains("https_proxy"))
  }

  @Test func anOpenNetworkNeedsNoLogin() async throws {
    let folder = try TemporaryFolder()
    let path = try #require(Self.fixtures)
    let run = try await FolderRun("login", ["--replay", "\(path)/worlds/open"], in: folder)
    #expect(run.code == .success, "\(run.errors)")
    #expect(run.output.isEmpty)
    #expect(run.errors == "probekit login: no login is required: the network is open\n")
    let wrong = try await FolderRun(
      "login", ["--open", "--replay", "\(path)/worlds/open"], in: folder)
    #expect(wrong.code == .usage)
  }

  /// In an open network, a login to which a single operator leads may be its own.
  @Test func aSuggestedLoginIsNotPrinted() async throws {
    let folder = try TemporaryFolder()
    let world = "\(try #require(Self.fixtures))/worlds/mixed-site-moved"
    let run = try await FolderRun("login", ["--replay", world], in: folder)
    #expect(run.code == .success, "\(run.errors)")
    #expect(run.output.isEmpty)
    #expect(run.errors == "probekit login: no login is required: the network is open\n")
    let json = try await FolderRun("login", ["--format", "json", "--replay", world], in: folder)
    #expect(json.output == "{\"loginURL\":null,\"schema\":1,\"verdict\":\"online\"}\n")
  }

  private static let fixtures: String? = projectFile("fixtures").path
}
