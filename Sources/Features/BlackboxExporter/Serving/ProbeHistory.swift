import ProbeBase
import ProbeCore
import ProbeReporting

/// The latest probes, and failed ones beyond them, for the pages about them.
final class ProbeHistory: Sendable {
  /// A probe with its number.
  struct Entry: Sendable {
    let id: Int
    let report: ProbeReport
  }

  /// The latest entries, up to a limit; adding one takes constant time.
  private struct Ring: Sendable {
    private let limit: Int
    private var entries: [Entry] = []
    private var oldest = 0

    init(limit: Int) { self.limit = limit }

    /// Adds an entry.
    ///
    /// - Returns: The entry that it replaces; nil if there is none.
    mutating func add(_ entry: Entry) -> Entry? {
      guard limit > 0 else { return entry }
      guard entries.count == limit else {
        entries.append(entry)
        return nil
      }
      var replaced = entry
      swap(&replaced, &entries[oldest])
      oldest = (oldest + 1) % limit
      return replaced
    }

    /// The entries, the oldest first.
    var all: ArraySlice<Entry> { entries[oldest...] + entries[..<oldest] }
  }

  private struct State: Sendable {
    var next = 0
    var latest: Ring
    /// Failed probes that are no longer among the latest.
    var failed: Ring
  }

  private let state: Guarded<State>

  /// An empty history.
  ///
  /// - Parameter limit: The maximum number of the latest probes, and of failed ones beyond them.
  init(limit: Int) {
    state = Guarded(State(latest: Ring(limit: limit), failed: Ring(limit: limit)))
  }

  func add(_ report: ProbeReport) {
    // The removed entry is freed outside the lock.
    _ = state.withLock { state -> Entry? in
      let oldest = state.latest.add(Entry(id: state.next, report: report))
      state.next += 1
      guard let oldest, oldest.report.failure != nil else { return oldest }
      return state.failed.add(oldest)
    }
  }

  /// All probes, the oldest first.
  var all: [Entry] { state.withLock { Array($0.failed.all + $0.latest.all) } }

  /// The probe with a number; nil if it is no longer stored.
  func entry(_ id: Int) -> Entry? { all.first { $0.id == id } }

  /// The latest probe of a target, with this module unless it is nil.
  func entry(target: String, module: String?) -> Entry? {
    all.last { $0.report.target == target && (module == nil || $0.report.module.name == module) }
  }
}

/// The page about the latest probes.
enum ExporterPages {
  /// The page as HTML.
  ///
  /// - Parameters:
  ///   - entries: The probes, the oldest first.
  ///   - pipelines: The names of the pipelines, each of which is a module without a target.
  /// - Returns: The page.
  static func home(_ entries: [ProbeHistory.Entry], pipelines: [String]) -> String {
    var page = """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8"><title>ProbeKit</title>
      <style>body{font-family:sans-serif;margin:2em}td,th{padding:.2em .8em;text-align:left}
      .failed{font-weight:bold}</style></head>
      <body><h1>ProbeKit</h1>
      <p><a href="metrics">Metrics</a> · <a href="config">Configuration</a></p>

      """
    if !pipelines.isEmpty {
      let links = pipelines.map {
        "<li><a href=\"probe?module=\($0.utf8.percentEncodedComponent())\">\($0.escapedForHTML)</a></li>"
      }
      page += "<h2>Pipelines</h2>\n<ul>\(links.joined())</ul>\n"
    }
    page +=
      "<h2>Recent probes</h2>\n<table><tr><th>Module</th><th>Target</th><th>Result</th><th>Log</th></tr>\n"
    for entry in entries.reversed() {
      let (report, failure) = (entry.report, entry.report.failure)
      let result =
        failure.map { "<span class=\"failed\">\($0.reason.rawValue.escapedForHTML)</span>" } ?? "success"
      page +=
        "<tr><td>\(report.module.name.escapedForHTML)</td><td>\(report.target.withoutCredentials.escapedForHTML)</td><td>\(result)</td>"
      page += "<td><a href=\"logs?id=\(entry.id)\">log</a></td></tr>\n"
    }
    return page + "</table></body></html>\n"
  }
}
