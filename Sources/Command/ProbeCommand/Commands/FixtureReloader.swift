import ProbeSystem
import FixtureReplay
import SourceDocuments
import CommandKit

/// Reloads fixtures when their files change, while the server continues.
///
/// A fixture that was replaced through the control interface stays until its own files change.
struct FixtureReloader: Sendable {
  /// The polling interval; polling is cheap, and works on every file system.
  static let interval = Duration.milliseconds(250)

  private let paths: [String]
  /// The signatures of the files when the fixtures had been loaded.
  private let initialSignatures: [String: FileSignature?]
  private let clock: any Clock<Duration>

  /// Creates a reloader that detects changes from now on.
  ///
  /// - Parameters:
  ///   - paths: The paths to load from.
  ///   - loaded: The fixtures that were just loaded.
  ///   - clock: The clock that measures the interval.
  init(paths: [String], loaded: [LoadedFixture], clock: any Clock<Duration>) {
    self.paths = paths
    self.clock = clock
    initialSignatures = Self.signatures(loaded.flatMap(\.files))
  }

  /// Reloads until the task is cancelled.
  ///
  /// - Parameters:
  ///   - server: The server.
  ///   - report: Called for each change, with the errors in the fixtures.
  func keepUpToDate(
    _ server: ReplayServer, report: @Sendable (_ message: String, _ findings: [SourceFinding]) -> Void
  ) async {
    let rereading = FileRereading(clock: clock)
    var known = initialSignatures
    // The files that have changed since the last valid reload.
    var changed: Set<String> = []
    while (try? await clock.sleep(for: Self.interval)) != nil {
      let seen = Self.signatures(known.keys)
      guard seen != known else { continue }
      changed.formUnion(seen.filter { known[$0.key] != $0.value }.keys)
      let reloaded: [LoadedFixture]
      do {
        reloaded = try await rereading.read { [paths] in FixtureLoader().load(paths) }
      } catch {
        guard !Task.isCancelled else { return }
        known = seen
        report("\(error); the previous version of the fixtures stays in use", [])
        continue
      }
      // This includes the signatures of newly named files.
      known = Self.signatures(reloaded.flatMap(\.files)).merging(seen) { new, _ in new }
      let findings = reloaded.flatMap(\.findings)
      guard findings.isEmpty else {
        report("the changed fixtures are invalid; the previous version stays in use", findings)
        continue
      }
      do throws(ReplayError) {
        let isReplaced: (LoadedFixture) -> Bool = { !changed.isDisjoint(with: $0.files) }
        try server.replace(with: Self.fixtures(reloaded, of: server, isReplaced: isReplaced))
        changed = []
        report("the changed fixtures were reloaded", [])
      } catch {
        report("the fixtures have changed: \(error)", [])
      }
    }
  }

  /// The reloaded fixtures; those that are unchanged are the ones in use.
  private static func fixtures(
    _ reloaded: [LoadedFixture], of server: ReplayServer, isReplaced: (LoadedFixture) -> Bool
  ) -> [Fixture] {
    let used = server.fixtures
    return reloaded.compactMap { loaded in
      guard !isReplaced(loaded), let fixture = loaded.fixture else { return loaded.fixture }
      return used.first { $0.name == fixture.name } ?? fixture
    }
  }

  private static func signatures(_ paths: some Sequence<String>) -> [String: FileSignature?] {
    Dictionary(paths.map { ($0, FileSignature(of: $0)) }) { first, _ in first }
  }
}
