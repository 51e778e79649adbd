public import ProbeCore

/// Something that is wrong in a file, said so that its author can mend it.
public struct SourceFinding: Error, Hashable, Sendable {
  /// How bad it is.
  public enum Severity: String, Hashable, Sendable {
    /// It cannot work.
    case error
    /// It works, and is merely odd.
    case warning
  }

  /// How bad it is.
  public var severity = Severity.error
  /// The file, as the user gave it.
  public var path: String
  /// Whether it is about an argument of a command line, which is then in place of the path.
  public private(set) var isOfArgument = false
  /// Whether a file that the argument names is at fault, and not the argument.
  package private(set) var concernsFile = false
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

  /// A finding about an argument of a command line: the name of an option, or an argument without one.
  public init(argument: String, _ mistake: InvalidInput) {
    self.init(path: argument.hasPrefix("-") ? argument : "\(Excerpt(argument, limit: 200))", mistake)
    isOfArgument = true
    concernsFile = mistake.concernsFile
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
  /// `path:line:column: message: remedy`, with `warning:` before the message of a warning, and where a place is known the line and the caret below it.
  public var description: String {
    let start = path.escapedForDisplay + (place.map { ":\($0.line):\($0.column)" } ?? "")
    let word = severity == .warning ? "warning: " : ""
    let first = "\(start): \(word)\(InvalidInput(message, remedy: remedy))"
    let below = (caretLines ?? "").split(separator: "\n", omittingEmptySubsequences: false)
    return caretLines == nil ? first : ([first] + below.map { "  " + $0 }).joined(separator: "\n")
  }
}

/// Collects everything that is wrong in one file while it is examined.
public final class SourceFindings {
  /// The file.
  public let file: SourceFile

  /// How many findings are told of one file.
  package static let limit = 1000

  private var record = Record()
  private var seen: Set<Record.Found> = []
  /// What could be read of the file, and whether that is all of it: by that its secrets are kept out of findings.
  var reading: (root: SourceNode?, isWhole: Bool) {
    get { record.reading }
    set { record.reading = newValue }
  }
  /// How many names are still compared with those that are known.
  private var guesses = 100

  /// Nothing found in a file yet.
  public init(_ file: SourceFile) {
    self.file = file
  }

  /// What was found in a file so far, to go on with.
  package init(_ state: State) {
    file = state.file
    record = state.record
    seen = Set(record.found)
  }

  /// What was found, as a value.
  package var state: State { State(file: file, record: record) }

  /// Whether nothing is wrong so far.
  public var isEmpty: Bool { count == 0 }
  /// How often something was told so far.
  public var count: Int { record.count }
  /// Whether so much was found that no more is told.
  package var isFull: Bool { record.found.count >= Self.limit }

  /// What is odd and stops nothing, in the order of the places, each once.
  public var warnings: [SourceFinding] {
    var found = record.warnings
    if record.untoldWarnings > 0, let last = found.last {
      let message = "\(record.untoldWarnings) more warnings are not shown"
      found.append(Record.Found(offset: last.offset, message: message, remedy: nil))
    }
    return shown(found).map { finding in
      var finding = finding
      finding.severity = .warning
      return finding
    }
  }

  private func shown(_ found: [Record.Found]) -> [SourceFinding] {
    guard !found.isEmpty else { return [] }
    let sorted = found.enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
    let secrets = SecretPlaces(file, root: reading.root, isBroken: !reading.isWhole)
    return sorted.map(\.element).map {
      SourceFinding(
        in: file, at: $0.offset, message: secrets.shown($0.message), remedy: $0.remedy.map(secrets.shown),
        without: secrets)
    }
  }

  /// What is wrong, in the order of the places, each once; of more than a thousand those that were met first.
  public var all: [SourceFinding] {
    let (found, untold, hasGivenUp) = (record.found, record.untold, record.hasGivenUp)
    func finding(at offset: Int, _ message: String, _ remedy: String? = nil) -> SourceFinding {
      shown([Record.Found(offset: offset, message: message, remedy: remedy)])[0]
    }
    var findings = shown(found)
    guard !findings.isEmpty else { return [] }
    let place = untold?.offset ?? found.last?.offset ?? 0
    if hasGivenUp {
      findings.append(
        finding(at: place, "too many errors: not everything was checked", "fix these first"))
    } else if let untold {
      findings.append(finding(at: place, "\(untold.count) more errors are not shown"))
    }
    return findings
  }

  /// Whether there is no use in looking for more mistakes; it is told then that not everything was checked.
  package func givesUp() -> Bool {
    guard isFull else { return false }
    record.hasGivenUp = true
    return true
  }

  /// The nearest of the names that are known; of very many wrong ones only the first are compared.
  package func nearest(to name: String, among known: [String]) -> String? {
    guard guesses > 0 else { return nil }
    guesses -= 1
    return nearestName(to: name, among: known)
  }

  /// Tells of something at a place.
  ///
  /// - Parameters:
  ///   - message: What is wrong, one line, safe to show.
  ///   - remedy: The way out.
  ///   - offset: The place in bytes from the start of the file.
  public func add(
    _ message: @autoclosure () -> String, remedy: @autoclosure () -> String? = nil, at offset: Int
  ) {
    record.count += 1
    guard !isFull else {
      record.untold = (offset: record.untold?.offset ?? offset, count: (record.untold?.count ?? 0) + 1)
      return
    }
    let found = Record.Found(offset: offset, message: message(), remedy: remedy())
    if seen.insert(found).inserted { record.found.append(found) }
  }

  /// Tells of something that is odd and stops nothing.
  ///
  /// - Parameters:
  ///   - message: What is odd, one line, safe to show.
  ///   - remedy: The way out.
  ///   - offset: The place in bytes from the start of the file.
  public func warn(_ message: String, remedy: String? = nil, at offset: Int) {
    let found = Record.Found(offset: offset, message: message, remedy: remedy)
    guard seen.insert(found).inserted else { return }
    guard record.warnings.count < Self.limit else { return record.untoldWarnings += 1 }
    record.warnings.append(found)
  }

  /// Tells of something that is wrong with a value.
  public func add(
    _ message: @autoclosure () -> String, remedy: @autoclosure () -> String? = nil, at node: SourceNode
  ) {
    add(message(), remedy: remedy(), at: node.span.lowerBound)
  }

  /// Tells of a key that is not known.
  ///
  /// - Returns: The one that may have been meant.
  func tellUnknown(_ entry: SourceEntry, in name: String, known: [String]) -> String? {
    let nearest = nearest(to: entry.key, among: known)
    let others = known.isEmpty ? nil : "use \(known.alternatives)"
    add(
      "\(name) has an unknown key \(Excerpt(entry.key))",
      remedy: nearest.map { "did you mean \($0)?" } ?? others, at: entry.keySpan.lowerBound)
    return nearest
  }

  /// Tells what is wrong with a scalar; the mistake's own place is pointed at where the text stands in the file as it is.
  public func add(_ mistake: InvalidInput, at node: SourceNode) {
    let inside = isFull ? nil : mistake.offset.flatMap { node.place(ofTextByte: $0, in: file) }
    add(mistake.message, remedy: mistake.remedy, at: inside ?? node.span.lowerBound)
  }
}

extension SourceFindings {
  /// What was found in a file.
  package struct State: Sendable {
    let file: SourceFile
    let record: Record

    /// Whether nothing is wrong.
    package var isEmpty: Bool { record.count == 0 }

    /// Whether something was found within a part of the file.
    package func hasFinding(in span: Range<Int>) -> Bool {
      record.found.contains { span.contains($0.offset) || $0.offset == span.lowerBound }
    }
  }

  struct Record: Sendable {
    struct Found: Hashable, Sendable {
      var offset: Int
      var message: String
      var remedy: String?
    }

    var found: [Found] = []
    var warnings: [Found] = []
    var untoldWarnings = 0
    /// Where the first mistake stands that is not told any more, and how many there are.
    var untold: (offset: Int, count: Int)?
    var hasGivenUp = false
    var count = 0
    var reading: (root: SourceNode?, isWhole: Bool) = (nil, false)
  }
}
