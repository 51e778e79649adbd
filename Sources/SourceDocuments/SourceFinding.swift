public import ProbeCore

/// Something that is wrong in a file, said so that its author can mend it.
public struct SourceFinding: Error, Hashable, Sendable {
  /// The file, as the user gave it.
  public var path: String
  /// Where in the file, or nil when it is about the file as a whole.
  public var place: SourcePlace?
  /// The same in bytes from the start of the file.
  package var offset: Int?
  /// What is wrong, one line, no final stop, safe to show.
  public var message: String
  /// The way out, one line, or nil where the message already says it.
  public var remedy: String?
  /// The line of the file, and under it a caret that points at the place: two lines without a final line end, or nil
  /// without a place.
  public var caretLines: String?

  /// A finding about a file as a whole.
  public init(path: String, message: String, remedy: String? = nil) {
    self.path = path
    self.message = message
    self.remedy = remedy
  }

  /// A finding about a file as a whole.
  public init(path: String, _ mistake: InvalidInput) {
    self.init(path: path, message: mistake.message, remedy: mistake.remedy)
  }

  /// A finding about a place in a file, in bytes from its start.
  public init(in file: SourceFile, at offset: Int, message: String, remedy: String? = nil) {
    self.init(
      in: file, at: offset, message: message, remedy: remedy,
      without: SecretPlaces(file, root: nil, isBroken: true))
  }

  /// A finding about a place in a file whose secrets are not shown in its line.
  init(in file: SourceFile, at offset: Int, message: String, remedy: String?, without secrets: SecretPlaces) {
    self.init(path: file.path, message: message, remedy: remedy)
    place = file.place(at: offset)
    self.offset = offset
    caretLines = Self.caretLines(in: file, at: offset, without: secrets)
  }

  private static func caretLines(
    in file: SourceFile, at offset: Int, without secrets: SecretPlaces
  ) -> String? {
    let line = file.line(around: offset)
    let place = max(
      secrets.place(outside: min(max(offset, line.lowerBound), line.upperBound)), line.lowerBound)
    // More than is shown of a long line, so that it is still seen to go on, and no more: a file may be one line.
    let near = max(line.lowerBound, place - 400)..<min(line.upperBound, place + 400)
    // Bytes that are not UTF-8 are repaired, and take more bytes then.
    let before = String(decoding: secrets.shown(near.lowerBound..<place, of: file.bytes), as: UTF8.self)
    let after = String(decoding: secrets.shown(place..<near.upperBound, of: file.bytes), as: UTF8.self)
    return InvalidInput("", offset: before.utf8.count).caretLines(in: before + after)
  }
}

extension SourceFinding: CustomStringConvertible {
  /// `path:line:column: message: remedy`, and where a place is known the line and the caret below it.
  public var description: String {
    let start = path.escapedForDisplay + (place.map { ":\($0.line):\($0.column)" } ?? "")
    let first = "\(start): \(InvalidInput(message, remedy: remedy))"
    let below = (caretLines ?? "").split(separator: "\n", omittingEmptySubsequences: false)
    return caretLines == nil ? first : ([first] + below.map { "  " + $0 }).joined(separator: "\n")
  }
}
