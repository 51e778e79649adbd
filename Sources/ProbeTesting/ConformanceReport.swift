internal import ProbeCore

/// What the examination of one plugin found.
public struct ConformanceReport: Hashable, Sendable {
  /// A rule that was broken.
  public struct Violation: Hashable, Sendable {
    /// The rule.
    public var rule: ConformanceRule
    /// What was seen instead, in words; one line, safe to print.
    public var seen: String
    /// On which input.
    public var input: String
  }

  /// A rule that could not be checked.
  public struct Omission: Hashable, Sendable {
    /// The rule.
    public var rule: ConformanceRule
    /// Why not.
    public var why: String
  }

  /// What was examined, such as `validator contains`.
  public let subject: String
  /// The rules that were checked, in their order.
  public private(set) var checked: [ConformanceRule] = []
  /// The rules that were not, each with the reason.
  public private(set) var notChecked: [Omission] = []
  /// Everything that was found wrong.
  public private(set) var violations: [Violation] = []

  /// A report without findings.
  init(_ subject: String) {
    self.subject = subject.escapedForDisplay
  }

  /// Notes that a rule was looked at.
  mutating func check(_ rule: ConformanceRule) {
    if !checked.contains(rule) { checked.append(rule) }
  }

  /// Notes that a rule could not be looked at.
  mutating func skip(_ rule: ConformanceRule, because why: String) {
    guard !checked.contains(rule) else { return }
    let omission = Omission(rule: rule, why: why)
    if !notChecked.contains(omission) { notChecked.append(omission) }
  }

  /// Notes that a rule is broken.
  mutating func violate(_ rule: ConformanceRule, _ seen: String, on input: String) {
    check(rule)
    // A failing plugin's words may be anything, and as long as a page.
    let isLong = seen.utf8.count > 400
    let shown = isLong ? String(decoding: seen.utf8.prefix(400), as: UTF8.self) + "…" : seen
    let violation = Violation(rule: rule, seen: shown.escapedForDisplay, input: input.escapedForDisplay)
    if !violations.contains(violation) { violations.append(violation) }
  }

  /// Throws when anything was found wrong.
  func verify() throws(ConformanceFailure) {
    if !violations.isEmpty { throw ConformanceFailure(reports: [self]) }
  }
}

extension ConformanceReport: CustomStringConvertible {
  /// Everything that was found, and what was not looked at, a line each.
  public var description: String {
    let verdict =
      violations.isEmpty
      ? "conforms: \(checked.count) rules checked" : "breaks \(Set(violations.map(\.rule)).count) rules"
    var lines = ["\(subject) \(verdict)"]
    var told: [Violation] = []
    for violation in violations {
      guard !told.contains(where: { $0.rule == violation.rule && $0.seen == violation.seen }) else {
        continue
      }
      told.append(violation)
      let inputs = violations.filter { $0.rule == violation.rule && $0.seen == violation.seen }.map(\.input)
      lines.append("  \(violation.rule): \(violation.seen), on \(inputs.joined(separator: "; on "))")
    }
    lines += notChecked.map { "  not checked: \($0.rule): \($0.why)" }
    return lines.joined(separator: "\n")
  }
}

/// Plugins that break rules: what a conformance kit throws, with everything that was found.
public struct ConformanceFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The plugins that break rules, each with its findings.
  public let reports: [ConformanceReport]

  /// The findings, a line each.
  public var description: String {
    reports.map(\.description).joined(separator: "\n")
  }
}
