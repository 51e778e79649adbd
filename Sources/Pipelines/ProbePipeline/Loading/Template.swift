import ProbeCore

/// A text with `${vars.NAME}` in it.
///
/// `$${` is `${` itself; in a dialog, where `$$` is a dollar sign already, the dialog reads it. `${steps.` is left
/// to the run.
struct Template {
  private let text: String
  private let bytes: [UInt8]
  private let context: Substitution.Context
  private let variables: Variables
  private var result: [UInt8] = []
  private var shown: [UInt8] = []
  private var inserted = 0
  /// The values in ``result``.
  private var insertions: [Insertion] = []

  private struct Insertion {
    let range: Range<Int>
    let name: String
    let isFromRequest: Bool
    let offset: Int
  }

  init(_ text: String, _ context: Substitution.Context, _ variables: Variables) {
    self.text = text
    bytes = Array(text.utf8)
    self.context = context
    self.variables = variables
  }

  /// Inserts the values.
  ///
  /// - Returns: The text; the text for reports, in which secrets are names; and the size of the values.
  /// - Throws: `InvalidInput` with the position of the first error.
  mutating func substituted() throws(InvalidInput) -> (text: String, shown: String, inserted: Int) {
    var offset = 0
    while offset < bytes.count {
      let rest = bytes[offset...]
      if context == .dialog, rest.starts(with: "$$".utf8) {
        offset += copy(2, at: offset)
      } else if rest.starts(with: ReferenceSyntax.escapedOpening.utf8) {
        offset += 1 + copy(2, at: offset + 1)
      } else if !rest.starts(with: ReferenceSyntax.opening.utf8)
        || rest.starts(with: ReferenceSyntax.step.utf8)
      {
        offset += copy(1, at: offset)
      } else if context == .dialog, !rest.starts(with: ReferenceSyntax.variable.utf8) {
        // A reference to a value from an earlier step.
        offset += copy(1, at: offset)
      } else {
        offset += try insert(at: offset)
      }
    }
    if context == .url { try checkPath() }
    if context == .argument, bytes.starts(with: ReferenceSyntax.variable.utf8),
      result.first == UInt8(ascii: "-")
    {
      throw InvalidInput(
        "the value of the variable begins with -, so the program would read it as an option",
        remedy: "write the option itself, or give another value", offset: 0)
    }
    return (String(decoding: result, as: UTF8.self), String(decoding: shown, as: UTF8.self), inserted)
  }

  private mutating func copy(_ count: Int, at offset: Int) -> Int {
    result += bytes[offset..<(offset + count)]
    shown += bytes[offset..<(offset + count)]
    return count
  }

  /// Inserts the value of the variable at an offset.
  ///
  /// - Returns: The length of its name with what surrounds it.
  private mutating func insert(at offset: Int) throws(InvalidInput) -> Int {
    let end = bytes[offset...].firstIndex(of: UInt8(ascii: "}")) ?? bytes.endIndex
    let written = String(decoding: bytes[offset..<min(end + 1, bytes.count)], as: UTF8.self)
    let name = String(written.dropFirst(ReferenceSyntax.variable.count).dropLast())
    guard end < bytes.endIndex, written.hasPrefix(ReferenceSyntax.variable), VariableSource.isName(name)
    else {
      throw InvalidInput(
        "\(Excerpt(written)) is not a variable",
        remedy: "write ${vars.NAME} for one of vars, or $${ for the text ${", offset: offset)
    }
    guard let value = variables.values[name] else {
      let nearest = nearestName(to: name, among: variables.names)
      throw InvalidInput(
        "there is no variable \(name) in vars",
        remedy: nearest.map { "did you mean \($0)?" } ?? "add it to vars",
        offset: offset)
    }
    let text: String
    do throws(InvalidInput) {
      text = try form(of: value, called: name, at: offset)
    } catch {
      throw InvalidInput(error.message, remedy: error.remedy, offset: offset)
    }
    inserted += text.utf8.count
    insertions.append(
      Insertion(
        range: result.count..<(result.count + text.utf8.count), name: name,
        isFromRequest: value.isFromRequest,
        offset: offset))
    let isHidden = value.isSecret
    result += isHidden && context == .shown ? Array(written.utf8) : Array(text.utf8)
    shown += isHidden ? Array(written.utf8) : Array(text.utf8)
    return written.utf8.count
  }

  private func form(
    of value: VariableValue, called name: String, at offset: Int
  ) throws(InvalidInput) -> String {
    switch context {
    case .text, .shown: return value.text
    case .argument:
      guard value.isSecret else { return value.text }
      throw InvalidInput(
        "the variable \(name) is secret, and every user of the machine can see the arguments of a program",
        remedy: "pass the secret in an environment variable, as in request: { environment: [NAME] }")
    case .dialog: return value.text.escapedForDialog
    case .url: return try URLTemplate(bytes).form(of: value, called: name, at: offset)
    }
  }
}

extension Template {
  /// Refuses a value with which a part of the URL's path can be read as `.` or `..`; and one of a request with which
  /// a part is empty.
  private func checkPath() throws(InvalidInput) {
    // The path of a dns URL is a name, in which a dot means the root.
    guard !insertions.isEmpty, !result.starts(with: "dns:".utf8),
      let slashes = result.firstRange(of: "://".utf8),
      let start = result[slashes.upperBound...].firstIndex(where: { "/?#".utf8.contains($0) }),
      result[start] == UInt8(ascii: "/")
    else { return }
    let end = result[start...].firstIndex { "?#".utf8.contains($0) } ?? result.endIndex
    var insertions = insertions[...]
    let parts = result[(start + 1)..<end].split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    for part in parts {
      while let first = insertions.first, first.range.upperBound < part.startIndex {
        insertions.removeFirst()
      }
      guard let insertion = insertions.first, insertion.range.lowerBound <= part.endIndex else { continue }
      let reading = PathPart(part)
      guard !reading.namesOtherFolder else {
        throw InvalidInput(
          "the value of \(insertion.name) contains the path segment . or .., or what servers read like it",
          remedy: "write the resolved path", offset: insertion.offset)
      }
      guard !insertion.isFromRequest || !reading.isEmpty(isLast: part.endIndex == end) else {
        throw InvalidInput(
          "with the value of \(insertion.name), a part of the URL's path is empty",
          remedy: "write one slash between parts", offset: insertion.offset)
      }
    }
  }
}

extension String {
  /// The text with the escapes of `send` in a dialog.
  fileprivate var escapedForDialog: String {
    String(decoding: utf8.flatMap { "\\$".utf8.contains($0) ? [$0, $0] : [$0] }, as: UTF8.self)
  }
}

/// The parts of a URL with variables, as its author wrote it.
private struct URLTemplate {
  private let bytes: [UInt8]
  /// The end of the scheme, or nil if there is none.
  private let schemeEnd: Int?
  private let hostEnd: Int
  private let queryStart: Int

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    let slashes = bytes.firstRange(of: "://".utf8)
    let end = slashes.map { slashes in
      bytes[slashes.upperBound...].firstIndex { "/?#".utf8.contains($0) } ?? bytes.endIndex
    }
    schemeEnd = slashes?.lowerBound
    hostEnd = end ?? 0
    queryStart = bytes[hostEnd...].firstIndex { "?#".utf8.contains($0) } ?? bytes.endIndex
  }

  /// A value as it can be written at an offset: it never ends the part that it is in.
  ///
  /// - Throws: `InvalidInput` if it would change the scheme or the host in another way than giving its name.
  func form(of value: VariableValue, called name: String, at offset: Int) throws(InvalidInput) -> String {
    guard let schemeEnd, offset > schemeEnd else {
      throw InvalidInput(
        "a variable cannot give the scheme of a URL",
        remedy: "write the scheme, as in https://${vars.\(name)}/")
    }
    guard offset < hostEnd else {
      let isPath = offset < queryStart
      return value.text.utf8.percentEncodedComponent { isPath && "/:@!$&'()*+,;=".utf8.contains($0) }
    }
    guard !value.isSecret else {
      throw InvalidInput(
        "the variable \(name) is secret, and the host of a URL is not",
        remedy: "use it behind the host, or remove secret: true")
    }
    // A port must be a number when the file is checked without its environment.
    if value.isUnread { return bytes[..<offset].last == UInt8(ascii: ":") ? "1" : value.text }
    if let byte = value.text.utf8.first(where: { $0 <= 0x20 || "/?#@\\%".utf8.contains($0) }) {
      throw InvalidInput(
        "the value of \(name) contains \(Excerpt([byte])), which no host of a URL does",
        remedy: "give a host, or a host and a port")
    }
    return value.text
  }
}
