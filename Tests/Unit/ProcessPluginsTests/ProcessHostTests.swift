import Glibc
import LoopbackServer
import ProbeCore
import TestRequirements
import TestSupport
import Testing

@testable import Transports

/// Plugins as real processes.
@Suite(.patience(minutes: 2)) struct ProcessHostTests {
  private let host = ProcessHost(environment: ["PATH": "/usr/bin:/bin"])

  private func query(
    _ plugin: TestPlugin, _ action: String, _ name: String = "", within limit: Duration = .seconds(100)
  )
    async -> PluginResponse
  {
    await host.query(plugin.program, Array(#""do":"\#(action)","name":"\#(name)""#.utf8), within: limit)
  }

  /// The process that accepts a message.
  private func process(of plugin: TestPlugin) async throws -> pid_t {
    let response = await query(plugin, "accept")
    guard case .accepted(let captures) = response else { throw Unexpected(response: response) }
    return try #require(captures["process"].flatMap { pid_t($0) })
  }

  private struct Unexpected: Error {
    let response: PluginResponse
  }

  @Test func itAcceptsRejectsAndFails() async throws {
    let plugin = try TestPlugin()
    let process = try await process(of: plugin)
    #expect(await query(plugin, "reject") == .rejected(ReasonCode(rawValue: "shop.closed"), "until Monday"))
    guard case .none(.pluginFailed, let detail) = await query(plugin, "fail") else {
      Issue.record("an error is no failure")
      return
    }
    #expect(detail.contains("no idea"))
    // The process is still the same.
    #expect(try await self.process(of: plugin) == process)
    await host.end()
    #expect(kill(process, 0) == -1)
  }

  @Test func outOfOrderResponsesReachTheirMessages() async throws {
    let plugin = try TestPlugin()
    await withTaskGroup(of: (String, PluginResponse).self) { group in
      for name in ["a", "b", "c"] { group.addTask { (name, await query(plugin, "hold", name)) } }
      for name in ["a", "b", "c"] { await plugin.sees("\"name\":\"\(name)\"") }
      #expect(await query(plugin, "release") == .accepted([:]))
      for await (name, response) in group { #expect(response == .accepted(["name": name])) }
    }
    await host.end()
  }

  @Test func theEndOfAProcessFailsOnlyPendingRequests() async throws {
    let plugin = try TestPlugin()
    let process = try await process(of: plugin)
    async let held = query(plugin, "hold", "a")
    await plugin.sees("\"hold\"")
    let words = "it exited with code 3; its last error output: out of luck"
    #expect(await query(plugin, "die") == .none(.pluginFailed, words))
    #expect(await held == .none(.pluginFailed, words))
    #expect(try await self.process(of: plugin) != process)
    await host.end()
  }

  @Test func aHangingPluginIsRestarted() async throws {
    let plugin = try TestPlugin()
    let process = try await process(of: plugin)
    let response = await query(plugin, "stop", within: .milliseconds(200))
    guard case .none(.pluginTimeout, _) = response else { throw Unexpected(response: response) }
    #expect(try await self.process(of: plugin) != process)
    #expect(kill(process, 0) == -1)
    await host.end()
  }

  @Test func cancellationReachesThePlugin() async throws {
    let plugin = try TestPlugin()
    let process = try await process(of: plugin)
    let task = Task { await query(plugin, "hold", "a") }
    await plugin.sees("\"hold\"")
    task.cancel()
    guard case .none(.cancelled, _) = await task.value else { throw Unexpected(response: await task.value) }
    await plugin.sees("{\"cancel\":2}")
    // A response that arrives nevertheless is ignored.
    #expect(await query(plugin, "release") == .accepted([:]))
    #expect(try await self.process(of: plugin) == process)
    await host.end()
  }

  @Test func severalProcessesShareTheMessages() async throws {
    var plugin = try TestPlugin()
    plugin.program.processes = 2
    let first = try await process(of: plugin)
    let held = Task { [plugin] in await query(plugin, "hold", "a") }
    await plugin.sees("\"hold\"")
    #expect(try await process(of: plugin) != first)
    held.cancel()
    _ = await held.value
    await host.end()
  }

  @Test func oneMessageAtATime() async throws {
    var plugin = try TestPlugin()
    plugin.program.inFlight = 1
    await withTaskGroup(of: PluginResponse.self) { [plugin] group in
      for _ in 0..<50 { group.addTask { await query(plugin, "alone") } }
      for await response in group { #expect(response == .accepted(["alone": "True"])) }
    }
    await host.end()
  }

  @Test(arguments: [("transport", "it is a transport, not a validator"), ("other", "it has no kind")])
  func aHelloOfTheWrongKindIsAFailure(_ kind: String, _ words: String) async throws {
    let plugin = try TestPlugin(says: kind)
    let response = await query(plugin, "accept")
    guard case .none(.pluginFailed, let detail) = response else { throw Unexpected(response: response) }
    #expect(detail.hasPrefix(words))
    await host.end()
  }

  @Test func aMissingProgramIsAFailure() async throws {
    var plugin = try TestPlugin()
    plugin.program.program.arguments = ["./missing"]
    let path = plugin.folder.path(of: "missing")
    #expect(
      await query(plugin, "accept")
        == .none(
          .pluginFailed, "it could not be started: there is no program \(path); correct the path"))
    await host.end()
  }

  @Test func aPluginThatDoesNotEndIsKilled() async throws {
    let folder = try TemporaryFolder()
    let script = """
      trap '' TERM
      echo $$ >number
      echo '{"hello":1,"kind":"validator"}'
      read -r line
      echo '{"id":1,"accepted":true}'
      while :; do sleep 1000; done
      """
    let program = PluginProgram("stays", .validator, Program(["/bin/sh", "-c", script], in: folder.path))
    #expect(await host.query(program, Array("\"x\":1".utf8), within: .seconds(100)) == .accepted([:]))
    let process = try #require(pid_t(readText(folder.path(of: "number")).dropLast()))
    await host.end()
    #expect(kill(process, 0) == -1)
    guard case .none(.pluginFailed, _) = await host.query(program, [], within: .seconds(100)) else {
      Issue.record("a host that has ended starts a plugin")
      return
    }
  }

  @Test func aPluginWithoutMessagesEndsAndStartsAgain() async throws {
    let plugin = try TestPlugin()
    let host = ProcessHost(environment: ["PATH": "/usr/bin:/bin"], maximumIdleTime: .milliseconds(20))
    let message = Array(#""do":"accept""#.utf8)
    let first = await host.query(plugin.program, message, within: .seconds(100))
    await plugin.sees("end of input")
    let second = await host.query(plugin.program, message, within: .seconds(100))
    guard case .accepted(let one) = first, case .accepted(let other) = second else {
      Issue.record("\(first), \(second)")
      return
    }
    #expect(one["process"] != other["process"])
    await host.end()
  }

  @Test func nothingRemainsAfterTheEnd() async throws {
    _ = try TestPlugin()
    await #expect(processExitsWith: .success) {
      let plugin = try TestPlugin()
      let first = ProcessHost(environment: ["PATH": "/usr/bin:/bin"])
      _ = await first.query(plugin.program, Array("\"do\":\"accept\"".utf8), within: .seconds(100))
      await first.end()
      // The shell that ends the programs of a killed process stays, with one descriptor.
      let before = ProcessUse.now
      do {
        let host = ProcessHost(environment: ["PATH": "/usr/bin:/bin"])
        for action in ["accept", "die", "accept", "reject", "fail"] {
          _ = await host.query(plugin.program, Array("\"do\":\"\(action)\"".utf8), within: .seconds(100))
        }
        _ = await host.query(plugin.program, Array("\"do\":\"stop\"".utf8), within: .milliseconds(50))
        await host.end()
      }
      var facts = unsafe siginfo_t()
      try #require(unsafe waitid(P_ALL, 0, &facts, WEXITED | WNOHANG | WNOWAIT) == -1)
      try #require(await ProcessUse.settles { $0.addsNothing(to: before) })
    }
  }
}
