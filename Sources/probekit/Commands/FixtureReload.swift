import ProbeFiles
import FixtureReplay
import SourceDocuments

/// Reloads fixtures when their files change, while the server continues.
struct FixtureReload: Sendable {
  /// The interval of polling: it is cheap, and works on every file system.
  static let interval = Duration.milliseconds(250)

  private let paths: [String]
  private let start: [String: FileSignature?]
  private let clock: any Clock<Duration>

  /// Starts to detect changes.
  ///
  /// - Parameters:
  ///   - paths: The paths to load from.
  ///   - loaded: The fixtures that were just loaded.
  ///   - clock: The clock that measures the interval.
  init(paths: [String], loaded: [LoadedFixture], clock: any Clock<Duration>) {
    self.paths = paths
    self.clock = clock
    start = Self.signatures(loaded.flatMap(\.files))
  }

  /// Reloads until the task is cancelled.
  ///
  /// - Parameters:
  ///   - server: The server.
  ///   - tell: Called for each change, with the errors in the fixtures.
  func keepUpToDate(
    _ server: ReplayServer, tell: @Sendable (_ message: String, _ findings: [SourceFinding]) -> Void
  ) async {
    var known = start
    while (try? await clock.sleep(for: Self.interval)) != nil {
      let seen = Self.signatures(known.keys)
      guard seen != known else { continue }
      let anew = FixtureLoader().load(paths)
      // Includes the signatures of newly named files.
      known = Self.signatures(anew.flatMap(\.files)).merging(seen) { new, _ in new }
      let findings = anew.flatMap(\.findings)
      guard findings.isEmpty else {
        tell("the fixtures have changed and cannot be used; what was loaded before goes on", findings)
        continue
      }
      do throws(ReplayError) {
        try server.replace(with: anew.compactMap(\.fixture))
        tell("the fixtures have changed and were loaded anew", [])
      } catch {
        tell("the fixtures have changed: \(error)", [])
      }
    }
  }

  private static func signatures(_ paths: some Sequence<String>) -> [String: FileSignature?] {
    Dictionary(paths.map { ($0, FileSignature(of: $0)) }) { first, _ in first }
  }
}
