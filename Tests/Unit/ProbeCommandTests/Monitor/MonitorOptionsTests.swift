import ConnectivityMonitor
import ProbeBase
import ProbePipeline
import TestSupport
import Testing

@testable import ProbeCommand
@testable import CommandKit

/// The command line of `probekit monitor`.
@Suite struct MonitorOptionsTests {
  @Test func theHelp() async throws {
    let run = try await MonitorRun(["--help"])
    #expect(run.code == .success)
    #expect(try run.output == Snapshot("help-monitor", is: run.output).text)
    #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test func theDefaults() async throws {
    let settings = try await settings([])
    #expect(settings == MonitorSettings())
  }

  @Test func everySetting() async throws {
    let given = try await settings([
      "--interval", "30s", "--jitter", "25%", "--settle", "0s", "--backoff", "1.5", "--longest-interval",
      "10m",
      "--offline-only", "--portal-interval=800ms", "--rise", "2", "--fall", "5", "--slow", "3s",
      "--allow-no-route",
    ])
    var expected = MonitorSettings()
    expected.polling.interval = .seconds(30)
    expected.polling.jitter = 0.25
    expected.polling.backoff = 1.5
    expected.polling.maximumInterval = .seconds(600)
    expected.polling.whileOfflineOnly = true
    expected.polling.portalInterval = .milliseconds(800)
    expected.settleTime = .zero
    expected.rise = 2
    expected.fall = 5
    expected.slowLatency = .seconds(3)
    expected.requiresRoute = false
    #expect(given == expected)
    let quiet = try await settings(["--no-poll", "--slow", "off"])
    #expect(!quiet.polling.isEnabled)
    #expect(quiet.slowLatency == nil)
  }

  static let wrong: [(arguments: [String], mistakes: [String])] = [
    (["--interval", "1ms"], ["--interval: "]),
    (["--interval", "soon"], [#"--interval: "soon" is not a time"#]),
    (["--jitter", "0.1"], [#"--jitter: "0.1" is not a percentage: write it as 10%, at most 100%"#]),
    (["--jitter", "101%"], [#"--jitter: "101%" is not a percentage"#]),
    (["--backoff", "0.5"], [#"--backoff: "0.5" cannot be used: give a number from 1 to 100"#]),
    (["--backoff", "nan"], [#"--backoff: "nan" cannot be used"#]),
    (["--rise", "0", "--fall", "x"], [#"--rise: "0""#, #"--fall: "x""#]),
    (["--on-change", ""], ["--on-change: the command is empty"]),
    (["--profile", "andriod"], [#"--profile: "andriod" is not a profile: did you mean android?"#]),
    (
      ["--profile", "android", "office.yaml"],
      ["--profile cannot be combined with a pipeline file: omit one of them"]
    ),
    (
      ["--interval", "10m"],
      ["--interval 600s is longer than --longest-interval 300s: decrease --interval"]
    ),
    (
      ["--no-poll", "--interval", "5s", "--offline-only"],
      ["--interval has no effect with --no-poll", "--offline-only has no effect with --no-poll"]
    ),
    (
      ["--allow-http"],
      ["unknown option --allow-http: set policy: { https: optional } in the pipeline file"]
    ),
    (["a.yaml", "b.yaml"], ["unexpected argument \"b.yaml\""]),
    (["--format", "html"], ["--format: \"html\" is not a format"]),
  ]

  @Test(arguments: wrong)
  func errorsAreReportedAndNothingStarts(_ arguments: [String], mistakes: [String]) async throws {
    let run = try await MonitorRun(arguments) { await $0.ended() }
    #expect(run.code == .usage)
    #expect(run.plans.isEmpty)
    let lines = run.errors.split(separator: "\n").map(String.init)
    #expect(lines.count == mistakes.count, "\(run.errors)")
    for (line, mistake) in zip(lines, mistakes) {
      #expect(line.hasPrefix("probekit monitor: \(mistake)"), "\(line)")
    }
  }

  @Test func invalidFilesAreReported() async throws {
    let folder = try TemporaryFolder(["a.yaml": "version: 1\nname: a\nsets: 3\n"])
    for (arguments, error) in [
      (["DIR/a.yaml"], "DIR/a.yaml:3:"), (["DIR/gone.yaml"], "DIR/gone.yaml"), (["-"], "-:1:"),
      (["--cacert", "DIR/gone.pem"], "probekit monitor: --cacert: DIR/gone.pem"),
    ] {
      let run = try await MonitorRun(arguments, in: folder, input: "version: 2\n") { await $0.ended() }
      #expect(run.code == .badInput, "\(arguments)")
      #expect(run.errors.hasPrefix(error), "\(run.errors)")
      #expect(run.output.isEmpty)
      #expect(run.plans.isEmpty)
    }
  }

  @Test func theRequestedProfileIsUsed() async throws {
    for (arguments, name) in [([], "default"), (["--profile", "android"], "android")] {
      let run = try await MonitorRun(arguments) {
        $0.send(.changed(MonitorSamples.online))
        await $0.output(contains: "online")
      }
      #expect(run.plans.map(\.name) == [name])
    }
  }

  @Test func everythingIsProbedOnlyOnRequest() async throws {
    let folder = try TemporaryFolder([
      "p.yaml": "version: 1\nname: p\nsets: [{ name: s, urls: [https://h.example/] }]\n"
    ])
    for path in [[], ["DIR/p.yaml"]] {
      for (options, stopsEarly) in [([], true), (["--all"], false)] {
        let run = try await MonitorRun(path + options, in: folder) {
          $0.send(.changed(MonitorSamples.online))
          await $0.output(contains: "online")
        }
        #expect(run.plans.map(\.stopsEarly) == [stopsEarly])
      }
    }
  }

  private func settings(_ arguments: [String]) async throws -> MonitorSettings {
    let kept = Kept()
    _ = try await MonitorRun(arguments) { monitor in
      monitor.send(.changed(MonitorSamples.online))
      await monitor.output(contains: "online")
      kept.settings = monitor.settings.withLock(\.self)
    }
    return kept.settings
  }

  private final class Kept {
    var settings = MonitorSettings()
  }
}
