package import FoundationEssentials
import ProbeCore

/// Where a fact about the field was read, and when: what a system probes, what a standard requires.
///
/// Systems change, and a fact that nobody has checked for a year may be wrong. Profiles, known endpoints and checks
/// of portals name their sources with this type; `make field` lists them, the oldest first.
public struct FieldSource: Hashable, Sendable {
  /// The source, such as a file of a project or the section of a standard.
  public let text: String
  /// The day on which it was read, in ISO 8601, such as `2026-11-30`.
  public let date: String

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - text: The source.
  ///   - date: The day on which it was read, such as `2026-11-30`.
  package init(_ text: String, on date: String) {
    self.text = text
    self.date = date
  }

  /// Whether more than a year has passed since the source was read.
  ///
  /// - Parameter now: The present time; its day is that of UTC.
  /// - Returns: True from the day after the anniversary on.
  package func isOlderThanAYear(at now: Date) -> Bool {
    let today = UTCTime(now)
    // Days in ISO 8601 sort as text, also 29 February in a year without one.
    return date < "\(UTCTime.digits(today.year - 1, 4))-\(today.dateText.suffix(5))"
  }
}
