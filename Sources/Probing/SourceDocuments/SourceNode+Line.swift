import ProbeBase
package import ProbeCore

extension SourceNode {
  /// The value on one line of YAML.
  package var inYAML: String { line { scalar, _ in scalar.inYAML } }

  /// The value of a request key on one line for a report, shortened, with `<redacted>` instead of secrets; of content,
  /// the size.
  ///
  /// - Parameters:
  ///   - name: The name of the key.
  ///   - keys: Its declarations.
  ///   - secrets: Further keys whose values are secrets.
  /// - Returns: The line.
  package func shown(asValueOf name: String, of keys: [RequestKey], and secrets: Set<String> = []) -> String {
    let declared = DeclaredSecrets(keys).adding(secrets)
    let context = declared.context(of: name, in: .ordinary)
    if context == .content, let scalar { return (scalar.shown ?? scalar.text).utf8.count.counted("byte") }
    if context == .content, case .sequence(let steps) = content { return steps.count.counted("step") }
    let line = line(in: context, declared) { scalar, context in
      guard scalar.shown == nil, context.isSecret(scalar.text, declared) else {
        return scalar.shown ?? scalar.text.withoutCredentials
      }
      return Secret.placeholder
    }.escapedForDisplay
    return line.count <= Self.shownLength ? line : "\(line.prefix(Self.shownLength))…"
  }

  /// The maximum length of a value in a report, in characters.
  private static let shownLength = 200

  private func line(
    in context: SecretContext = .ordinary, _ declared: DeclaredSecrets = DeclaredSecrets(),
    _ scalar: (SourceScalar, SecretContext) -> String
  ) -> String {
    switch content {
    case .scalar(let text): return scalar(text, context)
    case .sequence(let items):
      return "[\(items.map { $0.line(in: context, declared, scalar) }.joined(separator: ", "))]"
    case .mapping(let entries):
      let lines = entries.map { entry in
        "\(entry.key.wordInYAML): "
          + entry.value.line(in: declared.context(of: entry.key, in: context), declared, scalar)
      }
      return lines.isEmpty ? "{}" : "{ \(lines.joined(separator: ", ")) }"
    case .unusable: return "~"
    }
  }
}

extension SourceScalar {
  fileprivate var inYAML: String { isPlain ? text.wordInYAML : text.inYAML }
}

extension String {
  /// The text in double quotes (YAML 1.2 §7.3.1), on one line.
  package var inYAML: String {
    var text = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"", "\\": text += "\\\(scalar)"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.isVisible: text.unicodeScalars.append(scalar)
      default: text += "\\U" + scalar.value.hexText(atLeast: 8, isUppercase: true)
      }
    }
    return text + "\""
  }

  /// The text in YAML, in quotes unless it is a simple word.
  package var wordInYAML: String {
    let isWord = { (byte: UInt8) in byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "_") }
    return utf8.first.map(isWord) == true && utf8.allSatisfy { isWord($0) || "-./+".utf8.contains($0) }
      ? self : inYAML
  }
}

extension Unicode.Scalar {
  /// Whether it is no control, no line separator and nothing similar.
  fileprivate var isVisible: Bool {
    switch properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }
}
