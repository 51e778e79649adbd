/// The help of a command, made from what it understands.
struct HelpText: CustomStringConvertible {
  /// How wide a line may be: a terminal's usual width.
  static let width = 80

  /// The whole text, ending in a line end.
  private(set) var description = ""

  /// A text that starts with the usage line.
  init(usage: String, summary: String, discussion: [String] = []) {
    description = "Usage: \(usage)\n\n\(Self.wrapped(summary + ".", indent: 0))"
    for paragraph in discussion { description += "\n" + Self.wrapped(paragraph, indent: 0) }
  }

  /// Adds a titled list of names with their explanations in a second column.
  mutating func addList(_ title: String, _ rows: [(name: String, text: String)]) {
    guard !rows.isEmpty else { return }
    description += "\n\(title):\n"
    let column = min(rows.map(\.name.count).max() ?? 0, 26) + 4
    for row in rows {
      let start = "  " + row.name
      let text = Self.wrapped(row.text, indent: column)
      if start.count + 2 <= column {
        description += start + text.dropFirst(start.count)
      } else {
        description += start + "\n" + text
      }
    }
  }

  /// Adds a titled list of command lines, each with its explanation below.
  mutating func addExamples(_ examples: [(arguments: String, meaning: String)]) {
    guard !examples.isEmpty else { return }
    description += "\nExamples:\n"
    for example in examples {
      description += "  probekit \(example.arguments)\n" + Self.wrapped(example.meaning, indent: 6)
    }
  }

  static func wrapped(_ text: String, indent: Int) -> String {
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, indent + line.count + 1 + word.count > width {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    lines.append(line)
    return lines.map { margin + $0 + "\n" }.joined()
  }
}

extension CommandSpec {
  /// The text of `--help`.
  var help: String {
    let arguments = positionals.map { positional in
      switch positional.count {
      case .one: " \(positional.name)"
      case .optional: " [\(positional.name)]"
      case .any: " [\(positional.name)...]"
      case .some: " \(positional.name)..."
      }
    }
    var help = HelpText(
      usage: "probekit \(name) [OPTIONS]\(arguments.joined())", summary: summary, discussion: discussion)
    help.addList("Arguments", positionals.map { (name: $0.name, text: $0.help) })
    help.addList("Options", allOptions.map { (name: $0.signature, text: $0.explanation) })
    help.addList("Exit codes", exitCodes.map { (name: "\($0.code.rawValue)", text: $0.meaning) })
    help.addExamples(examples)
    return help.description
  }
}

extension OptionSpec {
  fileprivate var signature: String {
    let names = short.map { "\($0), \(name)" } ?? name
    return value.map { "\(names) \($0)" } ?? names
  }

  fileprivate var explanation: String {
    let repeated = repeats && value != nil ? "; may be repeated" : ""
    return help + repeated + (defaultValue.map { " (default: \($0))" } ?? "")
  }
}
