package import EngineProfiles

/// A requirement on a network with a captive portal, and how to find out whether it is met.
///
/// The checks are a table, which the report, the documentation and the tests share: ``all``.
package struct PortalCheck: Sendable {
  /// The identifier, which is part of the format of reports.
  package let id: String
  /// The severity if the requirement is not met, unless the examination gives another one.
  package let severity: Severity
  /// The requirement level in the standard, or nil if no standard requires it.
  package let level: Level?
  /// The standard or source of the requirement.
  package let reference: String
  /// The source and the day on which it was read; nil for a standard, which does not change.
  package let source: FieldSource?
  /// The requirement: a sentence without a full stop.
  package let requirement: String
  /// The consequence if it is not met.
  package let harm: String
  package let fix: String
  /// Whether it applies only before the login, only after it, or always.
  let phase: Phase
  /// Examines the facts of a survey for this requirement.
  let examine: @Sendable (PortalCheckInput) -> Examination

  init(
    _ id: String, _ severity: Severity, _ level: Level?, _ phase: Phase, _ reference: String,
    dated: String? = nil, requires requirement: String, harm: String, fix: String,
    _ examine: @escaping @Sendable (PortalCheckInput) -> Examination
  ) {
    self.id = id
    self.severity = severity
    self.level = level
    self.phase = phase
    self.reference = reference
    source = dated.map { FieldSource(reference, on: $0) }
    self.requirement = requirement
    self.harm = harm
    self.fix = fix
    self.examine = examine
  }
}

extension PortalCheck {
  package enum Severity: String, Hashable, Sendable, CaseIterable {
    /// Some users cannot log in, or use the network without a login.
    case error
    /// Some users are hindered, or will be under other conditions.
    case warning
    /// Nobody is hindered; the users of some systems would have it easier.
    case advice
  }

  /// The requirement level in a standard (RFC 2119).
  package enum Level: String, Hashable, Sendable, CaseIterable {
    case must = "MUST"
    case should = "SHOULD"
  }

  /// When a requirement applies.
  enum Phase: Sendable {
    case always
    case beforeLogin
    case afterLogin
  }

  /// Whether it is about this machine, not about the network.
  package var isAboutMachine: Bool { id.hasPrefix("machine.") }

  /// All checks: those that cause others come first, so that the first finding is the cause.
  package static let all: [PortalCheck] =
    announcement + api + http + https + walledGarden + login + wispr + engines + afterLogin
    + lackingAnnouncement + machine
}

/// The result of a check.
package enum Examination: Hashable, Sendable {
  case met
  /// It is not met: the problem, in a sentence without a full stop, and details of one line each; safe to
  /// print. The severity is nil for that of the check.
  case unmet(String, [String], PortalCheck.Severity? = nil)
  /// It could not be examined, for this reason.
  case unknown(String)
  /// There is nothing to examine.
  case notApplicable
}

extension Examination {
  /// Not met if there are details.
  static func unless(_ details: [String], _ summary: @autoclosure () -> String) -> Examination {
    details.isEmpty ? .met : .unmet(summary(), details)
  }
}
