internal import ProbeCore

/// The result of checking one plugin.
public struct ConformanceReport: Hashable, Sendable {
  /// A rule that was broken.
  public struct Violation: Hashable, Sendable {
    /// The rule.
    public var rule: ConformanceRule
    /// The observed behavior, on one line, safe to print.
    public var seen: String
    /// The input on which it was observed.
    public var input: String
  }

  /// A rule that could not be checked.
  public struct Omission: Hashable, Sendable {
    /// The rule.
    public var rule: ConformanceRule
    /// The reason.
    public var why: String
  }

  /// The plugin that was checked, such as `validator contains`.
  public let subject: String
  /// The rules that were checked, in order.
  public private(set) var checked: [ConformanceRule] = []
  /// The rules that were not checked, each with the reason.
  public private(set) var notChecked: [Omission] = []
  /// The violations of rules.
  public private(set) var violations: [Violation] = []

  init(_ subject: String) {
    self.subject = subject.escapedForDisplay
  }

  /// Records that a rule is checked.
  mutating func check(_ rule: ConformanceRule) {
    if !checked.contains(rule) { checked.append(rule) }
  }

  /// Records that a rule cannot be checked.
  mutating func skip(_ rule: ConformanceRule, because why: String) {
    guard !checked.contains(rule) else { return }
    let omission = Omission(rule: rule, why: why)
    if !notChecked.contains(omission) { notChecked.append(omission) }
  }

  /// Records a violation.
  mutating func violate(_ rule: ConformanceRule, _ seen: String, on input: String) {
    check(rule)
    // The text of a faulty plugin may contain anything, and be very long.
    let isLong = seen.utf8.count > 400
    let shown = isLong ? String(decoding: seen.utf8.prefix(400), as: UTF8.self) + "…" : seen
    let violation = Violation(rule: rule, seen: shown.escapedForDisplay, input: input.escapedForDisplay)
    if !violations.contains(violation) { violations.append(violation) }
  }

  /// Throws if there are violations.
  func verify() throws(ConformanceFailure) {
    if !violations.isEmpty { throw ConformanceFailure(reports: [self]) }
  }
}

extension ConformanceReport: CustomStringConvertible {
  /// The violations, and the rules that were not checked, a line each.
  public var description: String {
    let verdict =
      violations.isEmpty
      ? "conforms: \(checked.count) rules checked" : "breaks \(Set(violations.map(\.rule)).count) rules"
    var lines = ["\(subject) \(verdict)"]
    var reported: [Violation] = []
    for violation in violations {
      guard !reported.contains(where: { $0.rule == violation.rule && $0.seen == violation.seen }) else {
        continue
      }
      reported.append(violation)
      let inputs = violations.filter { $0.rule == violation.rule && $0.seen == violation.seen }.map(\.input)
      lines.append("  \(violation.rule): \(violation.seen), on \(inputs.joined(separator: "; on "))")
    }
    lines += notChecked.map { "  not checked: \($0.rule): \($0.why)" }
    return lines.joined(separator: "\n")
  }
}

/// The error for plugins that violate rules; conformance kits throw it with all findings.
public struct ConformanceFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reports of the plugins that violate rules.
  public let reports: [ConformanceReport]

  /// All reports as text.
  public var description: String {
    reports.map(\.description).joined(separator: "\n")
  }
}
