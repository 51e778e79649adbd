public import ProbeCore

/// An error or a warning about a file, worded so that its author can fix it.
public struct SourceFinding: Error, Hashable, Sendable {
  /// The severity.
  public enum Severity: String, Hashable, Sendable {
    /// The file cannot be used.
    case error
    /// The file can be used, but something in it is suspicious.
    case warning
  }

  /// The severity.
  public var severity = Severity.error
  /// The path of the file as given by the user.
  public var path: String
  /// Whether it is about a command-line argument, which then replaces the path.
  public private(set) var isAboutArgument = false
  /// Whether the error is in a file that the argument names, and not in the argument.
  package private(set) var concernsFile = false
  /// The location in the file, or nil if it is about the file as a whole.
  public var location: FileLocation?
  /// The location as a byte offset.
  package var offset: Int?
  /// The message: one line without a final full stop, safe to display.
  public var message: String
  /// How to fix it, on one line, or nil if the message says so.
  public var remedy: String?
  /// The line of the file, and below it a caret at the location; nil without a location.
  ///
  /// They are two lines without a final line end.
  public var caretLines: String?

  /// Creates a finding about a file as a whole.
  public init(path: String, message: String, remedy: String? = nil) {
    self.path = path
    self.message = message
    self.remedy = remedy
  }

  /// Creates a finding about a file as a whole.
  public init(path: String, _ mistake: InvalidInput) {
    self.init(path: path, message: mistake.message, remedy: mistake.remedy)
  }

  /// Creates a finding about a command-line argument: the name of an option, or a positional argument.
  public init(argument: String, _ mistake: InvalidInput) {
    self.init(path: argument.hasPrefix("-") ? argument : "\(Excerpt(argument, limit: 200))", mistake)
    isAboutArgument = true
    concernsFile = mistake.concernsFile
  }

  /// Creates a finding about a location in a file, given as a byte offset.
  package init(in file: SourceFile, at offset: Int, message: String, remedy: String? = nil) {
    self.init(
      in: file, at: offset, message: message, remedy: remedy,
      without: SecretRanges(file, root: nil, isBroken: true))
  }

  /// Creates a finding about a location in a file, with secrets removed from the quoted line.
  init(in file: SourceFile, at offset: Int, message: String, remedy: String?, without secrets: SecretRanges) {
    self.init(path: file.path(at: offset), message: message, remedy: remedy)
    location = file.location(at: offset)
    self.offset = offset
    caretLines = Self.caretLines(in: file, at: offset, without: secrets)
  }

  private static func caretLines(
    in file: SourceFile, at offset: Int, without secrets: SecretRanges
  ) -> String? {
    let line = file.line(around: offset)
    let caret = max(
      secrets.offset(outside: min(max(offset, line.lowerBound), line.upperBound)), line.lowerBound)
    // More than is displayed of a long line, so that it is visibly truncated, but not all: a file may be one
    // line.
    let near = max(line.lowerBound, caret - 400)..<min(line.upperBound, caret + 400)
    // Invalid UTF-8 is repaired, which needs more bytes.
    let before = String(decoding: secrets.shown(near.lowerBound..<caret, of: file.bytes), as: UTF8.self)
    let after = String(decoding: secrets.shown(caret..<near.upperBound, of: file.bytes), as: UTF8.self)
    return InvalidInput("", offset: before.utf8.count).caretLines(in: before + after)
  }
}

extension SourceFinding: CustomStringConvertible {
  /// `path:line:column: message: remedy`, with `warning:` before the message of a warning.
  ///
  /// If the location is known, the line follows, with a caret below it.
  public var description: String {
    let start = path.escapedForDisplay + (location.map { ":\($0.line):\($0.column)" } ?? "")
    let word = severity == .warning ? "warning: " : ""
    let first = "\(start): \(word)\(InvalidInput(message, remedy: remedy))"
    let below = (caretLines ?? "").split(separator: "\n", omittingEmptySubsequences: false)
    return caretLines == nil ? first : ([first] + below.map { "  " + $0 }).joined(separator: "\n")
  }
}

/// A finding in JSON; the names are part of the format.
package struct FindingRecord: Encodable {
  private let finding: SourceFinding

  package init(_ finding: SourceFinding) {
    self.finding = finding
  }

  private enum CodingKeys: CodingKey {
    case severity, file, line, column, message, fix
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(finding.severity.rawValue, forKey: .severity)
    try container.encode(finding.path, forKey: .file)
    try container.encode(finding.location?.line, forKey: .line)
    try container.encode(finding.location?.column, forKey: .column)
    try container.encode(finding.message, forKey: .message)
    try container.encode(finding.remedy, forKey: .fix)
  }
}
