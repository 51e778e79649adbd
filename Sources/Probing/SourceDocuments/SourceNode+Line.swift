import ProbeBase
import ProbeCore

extension SourceNode {
  /// The value on one line of YAML.
  package var inYAML: String { line { scalar, _ in scalar.inYAML } }

  /// The value on one line for a report, shortened, with `<redacted>` instead of secrets.
  ///
  /// - Parameter keys: The keys from the root of the file to the value, which decide what is secret.
  /// - Returns: The line.
  package func shown(asValueOf keys: [String]) -> String {
    let context = keys.reduce(SecretContext.ordinary) { $0.entering($1) }
    let line = line(in: context) { scalar, context in
      guard scalar.shown == nil, context.isSecret(scalar.text) else {
        return scalar.shown ?? scalar.text.withoutCredentials
      }
      return Secret.placeholder
    }.escapedForDisplay
    return line.count <= Self.shownLength ? line : "\(line.prefix(Self.shownLength))…"
  }

  /// The size of a text or a list that is sent, for a report; another value on one line.
  package var shownAsContent: String {
    switch content {
    case .scalar(let scalar): (scalar.shown ?? scalar.text).utf8.count.counted("byte")
    case .sequence(let items): items.count.counted("step")
    case .mapping, .unusable: shown(asValueOf: ["request"])
    }
  }

  /// The maximum length of a value in a report, in characters.
  private static let shownLength = 200

  private func line(
    in context: SecretContext = .ordinary, _ scalar: (SourceScalar, SecretContext) -> String
  ) -> String {
    switch content {
    case .scalar(let text): return scalar(text, context)
    case .sequence(let items):
      return "[\(items.map { $0.line(in: context, scalar) }.joined(separator: ", "))]"
    case .mapping(let entries):
      let lines = entries.map { entry in
        "\(entry.key.isNameInYAML ? entry.key : entry.key.inYAML): "
          + entry.value.line(in: context.entering(entry.key), scalar)
      }
      return lines.isEmpty ? "{}" : "{ \(lines.joined(separator: ", ")) }"
    case .unusable: return "~"
    }
  }
}

extension SourceScalar {
  fileprivate var inYAML: String { isPlain && text.isWordOfYAML ? text : text.inYAML }
}

extension String {
  /// The text as a double-quoted scalar (YAML 1.2 §7.3.1), on one line.
  package var inYAML: String {
    var text = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"", "\\": text += "\\\(scalar)"
      case _ where scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) || scalar.value == 0xFEFF:
        text += "\\u" + scalar.value.hexText(atLeast: 4)
      case "\u{2028}", "\u{2029}": text += "\\u" + scalar.value.hexText(atLeast: 4)
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }

  /// Whether the text needs no quotes as a key in YAML.
  fileprivate var isNameInYAML: Bool {
    utf8.first?.isASCIILetter == true
      && utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-_".utf8.contains($0) }
  }

  /// Whether the text needs no quotes in YAML, whatever its type.
  fileprivate var isWordOfYAML: Bool {
    !isEmpty && utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit }
  }
}
