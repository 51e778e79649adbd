import ProbeFiles
import FixtureReplay
import SourceDocuments

/// Loads fixtures anew when their files change, for a server that goes on meanwhile.
struct FixtureReload: Sendable {
  /// How often the files are looked at: asking for changes is cheap, and works on every file system.
  static let interval = Duration.milliseconds(250)

  private let paths: [String]
  private let start: [String: FileSignature?]
  private let clock: any Clock<Duration>

  /// Whatever changes from now on is noticed.
  ///
  /// - Parameters:
  ///   - paths: What was asked to be replayed.
  ///   - loaded: What was just loaded.
  ///   - clock: What measures the pauses.
  init(paths: [String], loaded: [LoadedFixture], clock: any Clock<Duration>) {
    self.paths = paths
    self.clock = clock
    start = Self.signatures(loaded.flatMap(\.files))
  }

  /// Goes on until the task is cancelled.
  ///
  /// - Parameters:
  ///   - server: The server.
  ///   - tell: Told what happened, and everything that is wrong with the fixtures then.
  func keepUpToDate(
    _ server: ReplayServer, tell: @Sendable (_ message: String, _ findings: [SourceFinding]) -> Void
  ) async {
    var known = start
    while (try? await clock.sleep(for: Self.interval)) != nil {
      let seen = Self.signatures(known.keys)
      guard seen != known else { continue }
      let anew = FixtureLoader().load(paths)
      // Also the signatures of files that are named for the first time.
      known = Self.signatures(anew.flatMap(\.files)).merging(seen) { new, _ in new }
      let findings = anew.flatMap(\.findings)
      guard findings.isEmpty else {
        tell("the changed fixtures are invalid; the previous version stays in use", findings)
        continue
      }
      do throws(ReplayError) {
        try server.replace(with: anew.compactMap(\.fixture))
        tell("the changed fixtures were reloaded", [])
      } catch {
        tell("the fixtures have changed: \(error)", [])
      }
    }
  }

  private static func signatures(_ paths: some Sequence<String>) -> [String: FileSignature?] {
    Dictionary(paths.map { ($0, FileSignature(of: $0)) }) { first, _ in first }
  }
}
