import ProbeBase

/// Finds the changes between two reports.
package struct ReportComparison: Sendable {
  /// The changes in the order of the first report; new items come last in each list.
  private(set) var changes: [ReportChange] = []
  /// The factor from which a probe counts as slower or faster; nil to ignore times.
  private let slower: Double?

  /// The difference in seconds below which a change of a time is noise.
  static let minimumSeconds = 0.01

  /// Compares two reports.
  ///
  /// Pipelines and sets are matched by name, probes by URL and name. Items with the same key, such as the
  /// address families of one URL, are matched by order.
  package init(from before: SavedReport, to after: SavedReport, slower: Double? = nil) {
    self.slower = slower
    for pair in Self.pairs(before.runs, after.runs, by: \.pipeline) {
      switch pair {
      case (let old?, let new?): compare(old, new)
      case (let old, let new):
        let name = (old ?? new)?.pipeline ?? ""
        changes.append(
          ReportChange(
            pipeline: name, subject: .pipeline, before: old?.verdict, after: new?.verdict))
      }
    }
  }

  package func count(_ effect: ReportChange.Effect) -> Int {
    changes.count { $0.effect == effect }
  }

  private mutating func compare(_ old: SavedReport.Run, _ new: SavedReport.Run) {
    var change = ReportChange(pipeline: new.pipeline, subject: .verdict)
    if old.verdict != new.verdict {
      (change.before, change.after) = (old.verdict, new.verdict)
      change.effect = VerdictRank.effect(from: old.verdict, to: new.verdict)
      changes.append(change)
    }
    if old.loginURL != new.loginURL {
      changes.append(
        ReportChange(
          pipeline: new.pipeline, subject: .loginURL, before: old.loginURL, after: new.loginURL))
    }
    for pair in Self.pairs(old.sets, new.sets, by: \.name) {
      switch pair {
      case (let old?, let new?): compare(old, new, in: change.pipeline)
      case (let old, let new):
        changes.append(
          ReportChange(
            pipeline: change.pipeline, set: (old ?? new)?.name, subject: .set, before: old?.metWords,
            after: new?.metWords))
      }
    }
  }

  private mutating func compare(_ old: SavedReport.Set, _ new: SavedReport.Set, in pipeline: String) {
    if old.isMet != new.isMet {
      var effect = ReportChange.Effect.neutral
      // A set that was not finished allows no conclusion.
      if let wasMet = old.isMet, new.isMet != nil { effect = wasMet ? .worse : .better }
      changes.append(
        ReportChange(
          pipeline: pipeline, set: new.name, subject: .met, before: old.metWords, after: new.metWords,
          effect: effect))
    }
    for pair in Self.pairs(old.probes, new.probes, by: \.key) {
      let part = ReportChange(
        pipeline: pipeline, set: new.name, probe: (pair.new ?? pair.old)?.title, subject: .probe)
      switch pair {
      case (let old?, let new?): compare(old, new, part)
      case (let old, let new):
        var change = part
        (change.before, change.after) = (old?.outcome, new?.outcome)
        changes.append(change)
      }
    }
  }

  private mutating func compare(_ old: SavedReport.Probe, _ new: SavedReport.Probe, _ part: ReportChange) {
    // A probe that was not needed allows no conclusion.
    guard old.outcome != "skipped", new.outcome != "skipped" else { return }
    func change(
      _ subject: ReportChange.Subject, _ before: String?, _ after: String?,
      _ effect: ReportChange.Effect = .neutral
    ) -> ReportChange {
      var change = part
      (change.subject, change.before, change.after, change.effect) = (subject, before, after, effect)
      return change
    }
    if old.outcome != new.outcome {
      let effect: ReportChange.Effect =
        old.outcome == "accepted" ? .worse : new.outcome == "accepted" ? .better : .neutral
      changes.append(change(.outcome, old.outcomeWords, new.outcomeWords, effect))
    } else if old.reason != new.reason {
      changes.append(change(.reason, old.reason, new.reason))
    }
    // A probe that received no certificate has none to compare.
    if let before = old.certificateEnd, let after = new.certificateEnd, before != after {
      changes.append(change(.certificate, before, after))
    }
    if let before = old.certificateIssuer, let after = new.certificateIssuer, before != after {
      changes.append(change(.issuer, before, after))
    }
    guard let slower, old.outcome == "accepted", new.outcome == "accepted", let before = old.seconds,
      let after = new.seconds, (after - before).magnitude >= Self.minimumSeconds
    else { return }
    if after >= before * slower {
      changes.append(change(.time, Self.words(before), Self.words(after), .worse))
    } else if before >= after * slower {
      changes.append(change(.time, Self.words(before), Self.words(after), .better))
    }
  }

  private static func words(_ seconds: Double) -> String {
    let milliseconds = (seconds * 1000).rounded()
    return "\(Int(exactly: milliseconds) ?? .max) ms"
  }
}

extension ReportComparison {
  /// Pairs the items of two lists by key; items with the same key are paired in order, and an item without a
  /// counterpart is paired with nil.
  private static func pairs<Item, Key: Hashable>(
    _ old: [Item], _ new: [Item], by key: (Item) -> Key
  ) -> [(old: Item?, new: Item?)] {
    var indices: [Key: [Int]] = [:]
    for index in new.indices.reversed() { indices[key(new[index]), default: []].append(index) }
    var paired: Set<Int> = []
    var pairs = old.map { item -> (old: Item?, new: Item?) in
      guard let index = indices[key(item)]?.popLast() else { return (item, nil) }
      paired.insert(index)
      return (item, new[index])
    }
    pairs += new.indices.filter { !paired.contains($0) }.map { (nil, new[$0]) }
    return pairs
  }
}

extension SavedReport.Set {
  fileprivate var metWords: String {
    switch isMet {
    case true?: "met"
    case false?: "not met"
    case nil: "not finished"
    }
  }
}

extension SavedReport.Probe {
  fileprivate var key: [String?] { [url, name] }
  fileprivate var title: String { name.map { "\($0) (\(url))" } ?? url }
  fileprivate var outcomeWords: String { reason.map { "\(outcome), \($0)" } ?? outcome }
}

/// A difference between two reports.
package struct ReportChange: Hashable, Sendable {
  /// The kind of the change.
  enum Subject: String, Sendable {
    case pipeline, verdict, loginURL, set, met, probe, outcome, reason, certificate, issuer, time
  }

  /// Whether the change is for the worse.
  package enum Effect: String, Sendable, CaseIterable {
    case worse, better, neutral
  }

  var pipeline: String
  /// The set, or nil for a change of the pipeline.
  var set: String?
  /// The URL or the name of the probe, or nil for a change of a set or a pipeline.
  var probe: String?
  var subject: Subject
  /// The value in the first report, or nil if there is none.
  var before: String?
  /// The value in the second report, or nil if there is none.
  var after: String?
  /// Whether the change is for the worse.
  var effect = Effect.neutral
}

/// The order of verdicts from the best to the worst.
///
/// A login page is better than a permanently falsified response, which is better than no response; an inconclusive
/// run ranks between the last two. Verdicts of the two questions are compared by meaning: everything works,
/// some of it, or nothing.
enum VerdictRank {
  private static let ranks = [
    "online": 0, "healthy": 0, "partial": 1, "degraded": 1, "captivePortal": 2, "intercepted": 3,
    "inconclusive": 4, "offline": 5, "unhealthy": 5,
  ]

  /// The effect of a change of the verdict; neutral if the rank is the same or a verdict is not known.
  static func effect(from before: String, to after: String) -> ReportChange.Effect {
    guard let old = ranks[before], let new = ranks[after], old != new else { return .neutral }
    return new > old ? .worse : .better
  }
}
