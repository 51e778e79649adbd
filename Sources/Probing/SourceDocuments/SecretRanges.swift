internal import ProbeCore

/// The ranges of secrets in a file: findings show none of them, neither in the quoted line nor in the
/// message.
///
/// The user information of a URL is secret, and so is every text whose ``SecretContext`` is, even below a misspelled
/// key, except the names of variables and files. So is the value of an unknown key that may be meant for a secret.
struct SecretRanges {
  /// The offsets of keys that reveal little about their values themselves.
  struct Keys {
    /// Names chosen by the author.
    var names: Set<Int> = []
    /// Unknown keys, with the known ones that they probably mean.
    var meant: [Int: String] = [:]
    /// Other unknown keys whose values may be secrets.
    ///
    /// They are hidden, but not searched for, because they may be ordinary words.
    var doubtful: Set<Int> = []
    /// The known keys, which are no secrets where they are keys.
    var known: Set<String> = []
    /// The keys that are declared to have secrets.
    var declared = DeclaredSecrets()
  }

  /// The byte ranges in the file, without overlaps.
  private(set) var ranges: [Range<Int>] = []
  /// The secret texts, as far as they could be quoted somewhere else.
  private var texts: Set<Secret> = []
  /// Those that can be ordinary words: they are secret in quotation marks only, because a message has such words itself,
  /// and quotes the file in quotation marks.
  private var words: Set<Secret> = []
  private var bytesOfTexts = 0
  private var redactor: Redactor?
  private var wordRedactor: Redactor?
  private var visited: Set<Visit> = []
  private let keys: Keys
  /// The contexts of keys, which are examined once.
  private var contexts: [KeyVisit: SecretContext] = [:]
  /// The maximum length in bytes up to which a text is searched for; an excerpt never quotes more.
  private static let maximumTextLength = 256
  /// The maximum total length of the texts to search for, in bytes.
  private static let maximumBytes = 16 * 1024

  /// Finds the secrets in a file.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - root: The part of the file that could be parsed.
  ///   - isBroken: Whether a syntax error stopped the parser: then the lines are examined too, because it is
  ///     unknown which parts are texts.
  ///   - keys: The keys that reveal little about their values.
  init(_ file: SourceFile, root: SourceNode?, isBroken: Bool, keys: Keys = Keys()) {
    self.keys = keys
    if let root { add(root, .ordinary, in: file) }
    if isBroken {
      for range in BrokenLines(file, keys.declared).secrets { addWords(in: range, of: file) }
    } else {
      ranges += Self.addresses(in: file.bytes)
    }
    var merged: [Range<Int>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
      if let last = merged.last, last.upperBound >= range.lowerBound {
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    ranges = merged
    guard bytesOfTexts < Self.maximumBytes else { return }
    if !texts.isEmpty { redactor = Redactor(texts) }
    if !words.isEmpty { wordRedactor = Redactor(words) }
  }

  /// The bytes of a part of the file, with `<redacted>` instead of secrets.
  func shown(_ part: Range<Int>, of bytes: [UInt8]) -> [UInt8] {
    var shown: [UInt8] = []
    var start = part.lowerBound
    for range in ranges[firstRange(endingBehind: part.lowerBound)...].prefix(while: {
      $0.lowerBound < part.upperBound
    }) {
      shown += bytes[start..<max(start, range.lowerBound)] + Array(Secret.placeholder.utf8)
      start = min(range.upperBound, part.upperBound)
    }
    return shown + bytes[start..<part.upperBound]
  }

  /// The offset itself or, if it is inside a secret, the start of the secret.
  func offset(outside offset: Int) -> Int {
    let range = ranges[firstRange(endingBehind: offset)...].first
    return min(offset, range?.lowerBound ?? offset)
  }

  /// The index of the first range that ends after an offset, or the number of ranges.
  private func firstRange(endingBehind offset: Int) -> Int {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound <= offset { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// A message without the secrets; in a file with very many secrets, all quotations are removed.
  ///
  /// - Parameters:
  ///   - words: The message.
  ///   - offset: The offset of the finding. At a key, the quotation of a known one remains.
  /// - Returns: The message without secrets.
  func shown(_ words: String, at offset: Int) -> String {
    guard bytesOfTexts < Self.maximumBytes else {
      guard let start = words.firstIndex(of: "\""), let end = words.lastIndex(of: "\""), start < end else {
        return words
      }
      return words[...start] + Secret.placeholder + words[end...]
    }
    let shown = redactor?.redacted(words) ?? words
    guard let wordRedactor else { return shown }
    let isSecret = ranges[firstRange(endingBehind: offset)...].first.map { $0.lowerBound <= offset } ?? false
    return Self.changingQuotations(of: shown) { quoted in
      !isSecret && keys.known.contains(quoted) ? quoted : wordRedactor.redacted(quoted)
    }
  }

  /// A message with a change of each text in its quotation marks, in which a backslash precedes a mark of the text.
  private static func changingQuotations(of words: String, by change: (String) -> String) -> String {
    var (result, quotation, isEscaped) = ("", nil as String?, false)
    for character in words.unicodeScalars {
      let isMark = character == "\"" && !isEscaped
      isEscaped = character == "\\" && !isEscaped
      guard let quoted = quotation else {
        result.unicodeScalars.append(character)
        if isMark { quotation = "" }
        continue
      }
      guard isMark else {
        quotation?.unicodeScalars.append(character)
        continue
      }
      result += change(quoted)
      result.unicodeScalars.append(character)
      quotation = nil
    }
    return result + (quotation.map(change) ?? "")
  }
}

/// A value that was visited.
private struct Visit: Hashable {
  let span: Range<Int>
  let context: SecretContext
}

/// A key whose context was examined.
private struct KeyVisit: Hashable {
  let key: String
  let outside: SecretContext
}

extension SecretRanges {
  private mutating func add(_ node: SourceNode, _ context: SecretContext, in file: SourceFile) {
    // The target of an alias has been visited at its anchor.
    guard visited.insert(Visit(span: node.span, context: context)).inserted else { return }
    switch node.content {
    case .unusable:
      if context.isSecret("", keys.declared) { addWords(in: node.span, of: file) }
    case .scalar(let scalar):
      if context.isSecret(scalar.text, keys.declared) || scalar.text.contains("PRIVATE KEY-----") {
        if context == .content {
          // A message does not quote what is sent, and may have its words.
          ranges.append(node.span)
        } else if !scalar.isNull, !scalar.text.isEmpty {
          add(scalar.text, at: node.span)
        }
      } else if let user = Self.userInformation(in: Array(scalar.text.utf8)) {
        let start = node.offset(ofTextByte: user.lowerBound, in: file)
        let end = node.offset(ofTextByte: user.upperBound, in: file)
        // In a text of several lines, the offsets may be unknown.
        let range = start.flatMap { start in end.map { start..<max(start, $0) } } ?? node.span
        add(String(decoding: Array(scalar.text.utf8)[user], as: UTF8.self), at: range)
      }
    case .sequence(let items): for item in items { add(item, context, in: file) }
    case .mapping(let entries):
      for entry in entries {
        addSecret(inKeyOf: entry, context, in: file)
        if keys.doubtful.contains(entry.keySpan.lowerBound) { ranges.append(entry.value.span) }
        add(entry.value, self.context(of: entry, in: context), in: file)
      }
    }
  }

  /// The context of an entry's value.
  private mutating func context(of entry: SourceEntry, in outside: SecretContext) -> SecretContext {
    if outside == .ordinary {
      if keys.names.contains(entry.keySpan.lowerBound) { return .ordinary }
      // Such as `secret: true`, which indicates that something else is one, or `cookies: false`.
      if ["true", "false"].contains(entry.value.scalar?.text) { return .ordinary }
    }
    let context = self.context(of: entry.key, in: outside)
    guard context != .secret, let meant = keys.meant[entry.keySpan.lowerBound] else { return context }
    return self.context(of: meant, in: outside)
  }

  private mutating func context(of key: String, in outside: SecretContext) -> SecretContext {
    let visit = KeyVisit(key: key, outside: outside)
    if let known = contexts[visit] { return known }
    let context = keys.declared.context(of: key, in: outside)
    contexts[visit] = context
    return context
  }

  /// Adds the secret in a key: the key itself, or the value that it contains.
  private mutating func addSecret(inKeyOf entry: SourceEntry, _ context: SecretContext, in file: SourceFile) {
    let (key, span) = (entry.key, entry.keySpan)
    let isName = keys.known.contains(key) || keys.meant[span.lowerBound] != nil
    if let start = context.value(ofEntry: key, isKey: true, keys.declared) {
      let node = SourceNode(.scalar(SourceScalar(key, isPlain: false)), span: span)
      let begin = node.offset(ofTextByte: start, in: file) ?? span.lowerBound
      let end = node.offset(ofTextByte: key.utf8.count, in: file) ?? span.upperBound
      add(String(decoding: key.utf8.dropFirst(start), as: UTF8.self), at: begin..<max(begin, end))
      // It is unknown which of both is the secret.
      add(entry.value, .secret, in: file)
    } else if !isName, [.secret, .section].contains(context), entry.value.scalar?.isNull == true {
      ranges.append(span)
      // A message has the names of keys without quotation marks.
      look(for: key, asWord: false)
    } else if Self.userInformation(in: Array(key.utf8)) != nil {
      add(key, at: span)
    }
  }

  private mutating func add(_ text: String, at range: Range<Int>) {
    ranges.append(range)
    look(for: text)
    if let colon = text.firstIndex(of: ":") { look(for: String(text[colon...].dropFirst())) }
  }

  /// Adds the words of a value that could not be parsed, except known keys that are used as keys.
  ///
  /// A message names an alias without its asterisk.
  private mutating func addWords(in range: Range<Int>, of file: SourceFile) {
    let isMark = { (byte: UInt8) in byte <= 0x20 || "\"'{}[],:".utf8.contains(byte) }
    var start = range.lowerBound
    func hide(to end: Int) {
      if !file.bytes[start..<end].allSatisfy(isMark) { ranges.append(start..<end) }
    }
    for word in file.bytes[range].split(whereSeparator: isMark) {
      let text = String(decoding: word, as: UTF8.self)
      let before = file.bytes[range.lowerBound..<word.startIndex].last { !" \"'".utf8.contains($0) }
      let after = file.bytes[word.endIndex..<range.upperBound].first { !" \"'".utf8.contains($0) }
      let isAlone =
        before.map { "{,".utf8.contains($0) } == true && after.map { "},".utf8.contains($0) } == true
      if isAlone || after == UInt8(ascii: ":"), keys.known.contains(text) {
        hide(to: word.startIndex)
        start = word.endIndex
        continue
      }
      look(for: text)
      if let first = word.first, "*&!".utf8.contains(first) {
        look(for: String(decoding: word.dropFirst(), as: UTF8.self))
      }
    }
    hide(to: range.upperBound)
  }

  private mutating func look(for text: String, asWord mayBeWord: Bool = true) {
    guard text.utf8.count >= 4, bytesOfTexts < Self.maximumBytes else { return }
    let start = String(decoding: text.utf8.prefix(Self.maximumTextLength), as: UTF8.self)
    let isWord = mayBeWord && start.utf8.allSatisfy { $0.isASCIILetter || "-_".utf8.contains($0) }
    let isNew = isWord ? words.insert(Secret(start)).inserted : texts.insert(Secret(start)).inserted
    if isNew { bytesOfTexts += start.utf8.count }
  }
}

extension SecretRanges {
  /// The range of a URL's user information: from the slashes to the last `@`, because a password may contain
  /// any other character.
  ///
  /// Without slashes, a colon must precede the `@`.
  static func userInformation(in text: [UInt8]) -> Range<Int>? {
    guard let end = text.lastIndex(of: UInt8(ascii: "@")) else { return nil }
    let before = text[..<end]
    if let start = before.behindSlashes { return start..<end }
    return before.contains(UInt8(ascii: ":")) && !before.contains(UInt8(ascii: " ")) ? 0..<end : nil
  }

  /// The user information of all URLs in the bytes, including comments.
  private static func addresses(in bytes: [UInt8]) -> [Range<Int>] {
    guard bytes.contains(UInt8(ascii: "@")) else { return [] }
    return bytes.split { $0 <= 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }.compactMap {
      word in
      guard let end = word.lastIndex(of: UInt8(ascii: "@")), let start = word[..<end].behindSlashes else {
        return nil
      }
      return start..<end
    }
  }
}

/// Finds secrets line by line in a file that cannot be parsed; it prefers to hide too much.
private struct BrokenLines {
  /// The byte ranges of the secrets.
  private(set) var secrets: [Range<Int>] = []
  private let declared: DeclaredSecrets

  init(_ file: SourceFile, _ declared: DeclaredSecrets) {
    self.declared = declared
    let bytes = file.bytes
    // The indentation of a key whose value may continue, and whether the value has not begun.
    var key: Int?
    var isOpen = false
    // The state of a URL that may continue.
    var url = OpenURL.none
    var start = 0
    for line in bytes.split(omittingEmptySubsequences: false, whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      defer { start = line.endIndex + 1 }
      guard let first = line.firstIndex(where: { $0 > 0x20 }) else { continue }
      if let indentation = key,
        first - start > indentation || line.first == 0x09 || isOpen && !Self.isEntry(line[first...])
      {
        secrets.append(first..<line.endIndex)
        continue
      }
      key = nil
      if let value = value(in: line) {
        secrets.append(value)
        key = first - start
        // A value that its author forgot to indent; a block begins with | or >.
        isOpen = bytes[value].allSatisfy { $0 <= 0x20 || "|>+-0123456789".utf8.contains($0) }
      }
      addURL(in: line, from: first, &url)
    }
  }

  /// Whether a line begins with a key, a hyphen or a comment.
  private static func isEntry(_ line: ArraySlice<UInt8>) -> Bool {
    if line.first == UInt8(ascii: "#") || line.starts(with: "- ".utf8) { return true }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return false }
    return line[(colon + 1)...].first.map { $0 <= 0x20 } ?? true
  }

  /// The value after a secret key without its colon, such as `password SECRET`, at the start of a line or of an entry in
  /// braces or brackets.
  private func valueWithoutColon(in line: ArraySlice<UInt8>) -> Range<Int>? {
    var start = line.startIndex
    while true {
      let end = line[start...].firstIndex { "{[,".utf8.contains($0) } ?? line.endIndex
      if let keyEnd = endOfKeyWithoutColon(in: line[start..<end]),
        // The value of a key alone in its line is behind it.
        keyEnd < line.endIndex || start == line.startIndex
      {
        return keyEnd..<line.endIndex
      }
      guard end < line.endIndex else { return nil }
      start = end + 1
    }
  }

  /// The end of a secret key at the start of a text without the colon of an entry.
  private func endOfKeyWithoutColon(in entry: ArraySlice<UInt8>) -> Int? {
    let isMark = { (byte: UInt8) in byte <= 0x20 || "\"'".utf8.contains(byte) }
    var rest = entry.drop(while: isMark)
    if rest.starts(with: "- ".utf8) { rest = rest.dropFirst(2).drop(while: isMark) }
    let name = rest.prefix { $0.isASCIILetter || $0.isASCIIDigit || "-_".utf8.contains($0) }
    guard rest[name.endIndex...].drop(while: isMark).first != UInt8(ascii: ":"), !Self.isEntry(rest),
      SecretContext.mayPrecedeSecret(String(decoding: name, as: UTF8.self), declared)
    else { return nil }
    return name.endIndex
  }

  /// The value of the first secret key in a line; nil if the value only names the source of the secret.
  private func value(in line: ArraySlice<UInt8>) -> Range<Int>? {
    if let value = valueWithoutColon(in: line) { return value }
    for colon in line.indices where ":=".utf8.contains(line[colon]) {
      let before = line[..<colon].reversed().drop { $0 <= 0x20 || $0 == 0x22 || $0 == 0x27 }
      let name = before.prefix { $0.isASCIILetter || $0.isASCIIDigit || "-_".utf8.contains($0) }.reversed()
      let key = String(decoding: Array(name), as: UTF8.self)
      let value = line[(colon + 1)...].drop { $0 <= 0x20 }
      if case .word = SecretContext.section.entering(key) {
        let text = value.drop { "\"'".utf8.contains($0) }.prefix { !"\"',}#".utf8.contains($0) }
        let words = text.split { $0 <= 0x20 }.map { String(decoding: $0, as: UTF8.self) }
        let context = SecretContext.section.entering(key)
        guard words.count > 1 || words.contains(where: { context.isSecret($0, declared) }) else { continue }
        return value.startIndex..<line.endIndex
      }
      let isContent = declared.includeContent(key, value)
      guard isContent || SecretContext.mayPrecedeSecret(key, declared) else { continue }
      let inside = value.drop { $0 <= 0x20 || $0 == 0x22 || $0 == UInt8(ascii: "{") }
      let isSource =
        value.first == UInt8(ascii: "{")
        && ["env", "file", "user", "bearer:", "basic:"].contains { inside.starts(with: $0.utf8) }
      if !isSource { return value.startIndex..<line.endIndex }
    }
    return nil
  }

  /// Whether a URL may continue on the next line, and whether its user information has begun.
  private enum OpenURL { case none, host, password }

  private mutating func addURL(in line: ArraySlice<UInt8>, from first: Int, _ url: inout OpenURL) {
    let end = line.lastIndex(of: UInt8(ascii: "@"))
    guard let start = line.behindSlashes else {
      if url != .none, let end { secrets.append(first..<end) }
      if url == .password, end == nil { secrets.append(first..<line.endIndex) }
      if url == .host || end != nil { url = .none }
      return
    }
    if let end, start <= end {
      secrets.append(start..<end)
      url = .none
      return
    }
    let host = line[start...].prefix { $0 > 0x20 && !"/?#\"',]}[".utf8.contains($0) }
    let colon = host.firstIndex(of: UInt8(ascii: ":"))
    url = colon.map { host[($0 + 1)...].allSatisfy(\.isASCIIDigit) } == false ? .password : .host
    if url == .password { secrets.append(start..<line.endIndex) }
  }
}

extension ArraySlice<UInt8> {
  /// The start of a URL's authority: after the first two slashes.
  fileprivate var behindSlashes: Int? {
    var start = startIndex
    while let slash = self[start...].firstIndex(of: UInt8(ascii: "/")) {
      if slash + 1 < endIndex, self[slash + 1] == UInt8(ascii: "/") { return slash + 2 }
      start = slash + 1
    }
    return nil
  }
}
