package import ProbeCore

/// Collects the errors and warnings about one file while it is examined.
package final class SourceFindings {
  /// The file, followed by those that were included.
  package private(set) var file: SourceFile

  /// The maximum number of errors that are reported for one file.
  package static let limit = 1000

  private var record: Record
  private var seen: Set<Record.Found> = []
  /// The parsed part of the file, and whether it is complete; used to remove secrets from findings.
  var reading: (root: SourceNode?, isWhole: Bool) {
    get { record.reading }
    set { record.reading = newValue }
  }
  /// The offsets of keys that are names chosen by the author: one such as `token` does not make the values
  /// below it secret.
  package var names: Set<Int> = []
  /// The keys that are declared to have secrets, computed when they are first needed.
  private lazy var declared = record.declareSecrets()
  /// How many more names are compared with the known ones.
  private var guesses = 100

  /// Creates a collection for a file.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - declareSecrets: Finds the keys that the language of the file declares to have secrets.
  package init(
    _ file: SourceFile, declareSecrets: @escaping @Sendable () -> DeclaredSecrets = { DeclaredSecrets() }
  ) {
    self.file = file
    record = Record(declareSecrets: declareSecrets)
  }

  /// Continues a collection from its state.
  package init(_ state: State) {
    file = state.file
    record = state.record
    seen = Set(record.found)
  }

  /// The state of the collection as a value.
  package var state: State { State(file: file, record: record) }

  /// Whether there are no errors so far.
  package var isEmpty: Bool { count == 0 }
  /// The number of errors so far, including duplicates.
  package var count: Int { record.count }
  /// Whether the limit is reached, so that further errors are not reported.
  package var isFull: Bool { record.found.count >= Self.limit }

  /// The warnings in the order of their locations, without duplicates.
  package var warnings: [SourceFinding] {
    var found = record.warnings
    if record.unreportedWarnings > 0, let last = found.last {
      let message = "\(record.unreportedWarnings) more warnings are not shown"
      found.append(Record.Found(offset: last.offset, message: message, remedy: nil))
    }
    return shown(found).map { finding in
      var finding = finding
      finding.severity = .warning
      return finding
    }
  }

  /// Parses another file, whose value can then become a part of this one.
  ///
  /// - Parameters:
  ///   - path: The path, for messages.
  ///   - bytes: The contents of the file.
  /// - Returns: The part that could be parsed, with offsets after those of this file; nil if there is none.
  package func include(path: String, bytes: [UInt8]) -> SourceNode? {
    let included = SourceFindings(SourceFile(path: path, bytes: bytes))
    let root = SourceDocument.read(included)
    let (both, start) = file.followed(by: path, bytes: bytes)
    file = both
    for found in included.record.found { add(found.message, remedy: found.remedy, at: found.offset + start) }
    let shifted = root?.shifted(by: start)
    for (offset, key) in included.record.meantKeys { record.meantKeys[offset + start] = key }
    record.doubtful.formUnion(included.record.doubtful.map { $0 + start })
    included.record.knownKeys.forEach(know)
    let roots = [reading.root, shifted].compactMap(\.self)
    reading = (
      SourceNode(.sequence(roots), span: 0..<both.bytes.count),
      isWhole: reading.isWhole && included.reading.isWhole
    )
    return shifted
  }

  /// Removes secrets, which are not in the file itself, from all findings.
  package func hide(_ secrets: [Secret]) { record.secrets += secrets }

  private func shown(_ found: [Record.Found]) -> [SourceFinding] {
    guard !found.isEmpty else { return [] }
    let values = record.secrets.isEmpty ? nil : Redactor(record.secrets)
    func hidden(_ text: String) -> String { values?.redacted(text) ?? text }
    let sorted = found.enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
    let secrets = SecretRanges(
      file, root: reading.root, isBroken: !reading.isWhole,
      keys: .init(
        names: names, meant: record.meantKeys, doubtful: record.doubtful,
        known: Set(record.knownKeys.joined()), declared: declared.adding(record.secretKeys)))
    return sorted.map(\.element).map { found in
      SourceFinding(
        in: file, at: found.offset, message: hidden(secrets.shown(found.message, at: found.offset)),
        remedy: found.remedy.map { hidden(secrets.shown($0, at: found.offset)) }, without: secrets)
    }
  }

  /// The errors in the order of their locations, without duplicates; if there are too many, the first ones
  /// found.
  package var all: [SourceFinding] {
    let (found, unreported, hasStopped) = (record.found, record.unreported, record.hasStopped)
    func finding(at offset: Int, _ message: String, _ remedy: String? = nil) -> SourceFinding {
      shown([Record.Found(offset: offset, message: message, remedy: remedy)])[0]
    }
    var findings = shown(found)
    guard !findings.isEmpty else { return [] }
    let offset = unreported?.offset ?? found.last?.offset ?? 0
    if hasStopped {
      findings.append(
        finding(at: offset, "too many errors: not everything was checked", "fix these first"))
    } else if let unreported {
      findings.append(finding(at: offset, "\(unreported.count) more errors are not shown"))
    }
    return findings
  }

  /// Stops the search for errors if the limit is reached; a finding then says that not everything was checked.
  ///
  /// - Returns: Whether it did.
  @discardableResult
  package func stopIfFull() -> Bool {
    guard isFull else { return false }
    record.hasStopped = true
    return true
  }

  /// The known name that is closest; only a limited number of names is compared.
  package func nearest(to name: String, among known: [String]) -> String? {
    guard guesses > 0 else { return nil }
    guesses -= 1
    return nearestName(to: name, among: known)
  }

  /// The known key that an unknown one probably means, or nil.
  ///
  /// If it may be meant for a secret, no finding shows its value: it is treated as that of the known key or, without
  /// one, hidden if a known key has a secret text.
  package func nearestKey(to entry: SourceEntry, among known: [String]) -> String? {
    know(known)
    let nearest = nearest(to: entry.key, among: known)
    if let nearest {
      record.meantKeys[entry.keySpan.lowerBound] = nearest
    } else if known.isEmpty || includesSecretText(known) {
      record.doubtful.insert(entry.keySpan.lowerBound)
    }
    return nearest
  }

  /// Records keys whose values were decoded as secrets; those of types with a schema are declared.
  func know(secretKeys: Set<String>) { record.secretKeys.formUnion(secretKeys) }

  /// The keys whose values were decoded as secrets so far.
  package var secretKeys: Set<String> { record.secretKeys }

  /// Records the known keys of a mapping; a file has many mappings of few kinds.
  func know(_ keys: [String]) { record.knownKeys.insert(keys) }

  /// Whether one of these keys has a secret text; a file may have a hundred thousand keys that are not among them.
  private func includesSecretText(_ keys: [String]) -> Bool {
    if let known = record.includeSecretText[keys] { return known }
    let hasSecretText = keys.contains { SecretContext.isSecretText($0, declared) }
    record.includeSecretText[keys] = hasSecretText
    return hasSecretText
  }

  /// Adds an error at an offset.
  ///
  /// - Parameters:
  ///   - message: The error, on one line, safe to display.
  ///   - remedy: How to fix it.
  ///   - offset: The byte offset in the file.
  package func add(
    _ message: @autoclosure () -> String, remedy: @autoclosure () -> String? = nil, at offset: Int
  ) {
    record.count += 1
    guard !isFull else {
      record.unreported = (
        offset: record.unreported?.offset ?? offset, count: (record.unreported?.count ?? 0) + 1
      )
      return
    }
    let found = Record.Found(offset: offset, message: message(), remedy: remedy())
    if seen.insert(found).inserted { record.found.append(found) }
  }

  /// Adds a warning at an offset.
  ///
  /// - Parameters:
  ///   - message: The problem, on one line, safe to display.
  ///   - remedy: How to fix it.
  ///   - offset: The byte offset in the file.
  package func warn(_ message: String, remedy: String? = nil, at offset: Int) {
    let found = Record.Found(offset: offset, message: message, remedy: remedy)
    guard seen.insert(found).inserted else { return }
    guard record.warnings.count < Self.limit else { return record.unreportedWarnings += 1 }
    record.warnings.append(found)
  }

  /// Adds an error at a value.
  package func add(
    _ message: @autoclosure () -> String, remedy: @autoclosure () -> String? = nil, at node: SourceNode
  ) {
    add(message(), remedy: remedy(), at: node.span.lowerBound)
  }

  /// Adds an error about an unknown key.
  ///
  /// - Returns: The known key that was probably meant, or nil.
  package func reportUnknown(_ entry: SourceEntry, in name: String, known: [String]) -> String? {
    let nearest = nearestKey(to: entry, among: known)
    let others = known.isEmpty ? nil : "use \(known.alternatives)"
    add(
      "\(name) has an unknown key \(Excerpt(entry.key))",
      remedy: nearest.map { "did you mean \($0)?" } ?? others, at: entry.keySpan.lowerBound)
    return nearest
  }

  /// Adds an error at a scalar; if the error has an offset in the text, it is shown there.
  package func add(_ mistake: InvalidInput, at node: SourceNode) {
    let inside = isFull ? nil : mistake.offset.flatMap { node.offset(ofTextByte: $0, in: file) }
    add(mistake.message, remedy: mistake.remedy, at: inside ?? node.span.lowerBound)
  }

  /// The result of a closure; nil if it throws an error, which is added at a value.
  package func reporting<Value>(at node: SourceNode, _ make: () throws(InvalidInput) -> Value) -> Value? {
    do throws(InvalidInput) {
      return try make()
    } catch {
      add(error, at: node)
      return nil
    }
  }
}

extension SourceFindings {
  package struct State: Sendable {
    let file: SourceFile
    let record: Record

    /// Whether there are no errors.
    package var isEmpty: Bool { record.count == 0 }

    /// Whether there is an error within a part of the file.
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
    var unreportedWarnings = 0
    /// The offset of the first error that is not reported, and the number of those.
    var unreported: (offset: Int, count: Int)?
    var hasStopped = false
    var count = 0
    /// Secrets that are not in the file itself.
    var secrets: [Secret] = []
    /// The known keys that unknown ones probably mean, by the offsets of these.
    var meantKeys: [Int: String] = [:]
    /// The offsets of other unknown keys whose values may be secrets.
    var doubtful: Set<Int> = []
    /// The known keys of each kind of mapping that was read.
    var knownKeys: Set<[String]> = []
    /// The keys whose values were decoded as secrets.
    var secretKeys: Set<String> = []
    /// Finds the keys that the language of the file declares to have secrets.
    var declareSecrets: @Sendable () -> DeclaredSecrets
    /// Whether one of these known keys has a secret text, as far as that was asked.
    var includeSecretText: [[String]: Bool] = [:]
    var reading: (root: SourceNode?, isWhole: Bool) = (nil, false)
  }
}
