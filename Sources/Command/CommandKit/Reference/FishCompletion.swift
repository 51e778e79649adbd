import ProbeBase

/// The completion of a program for fish.
package struct FishCompletion: CustomStringConvertible {
  /// The script.
  package let description: String

  package init(of program: ToolName, _ commands: [CommandOutline]) {
    let test = "__\(program.functionName)_command"
    let start = "complete -c \(program.name)"
    var lines = [
      "# Completion of \(program.name) for fish. Written by \(program.name) completion fish.",
      "",
      "# Whether the command is one of these; without any, whether there is none yet.",
      "function \(test)",
      "  set -l words (commandline -opc)",
      "  if test (count $argv) -eq 0",
      "    test (count $words) -eq 1",
      "  else",
      "    test (count $words) -gt 1; and contains -- $words[2] $argv",
      "  end",
      "end",
      "",
      "\(start) -f",
      "\(start) -n \(test) -s h -l help -d \("show the help".inFishQuotes)",
      "\(start) -n \(test) -l version -d \("show the version".inFishQuotes)",
    ]
    for command in commands {
      lines.append("\(start) -n \(test) -a \(command.name) -d \(command.summary.inFishQuotes)")
    }
    lines.append("\(start) -n \(test) -a help -d \("Show the help of a command".inFishQuotes)")
    let names = commands.map(\.name).joined(separator: " ")
    lines.append("\(start) -n \("\(test) help".inFishQuotes) -a \(names.inFishQuotes)")
    for command in commands {
      let condition = "-n " + "\(test) \(command.name)".inFishQuotes
      lines.append("")
      for option in command.options {
        let short = option.short.map { " -s \($0.dropFirst())" } ?? ""
        let value = option.value == nil ? "" : " " + Self.value(option.kind)
        lines.append(
          "\(start) \(condition)\(short) -l \(option.name.dropFirst(2))\(value) -d \(option.help.inFishQuotes)"
        )
      }
      var rest = condition
      if let word = command.leadingWord, let candidates = Self.candidates(word.kind) {
        let count = "test (count (commandline -opc))"
        lines.append(
          "\(start) -n \("\(test) \(command.name); and \(count) -eq 2".inFishQuotes) \(candidates)")
        rest = "-n " + "\(test) \(command.name); and \(count) -gt 2".inFishQuotes
      }
      // The last argument may be repeated.
      if let argument = command.arguments.last, let candidates = Self.candidates(argument.kind) {
        lines.append("\(start) \(rest) \(candidates)")
      }
    }
    description = lines.map { $0 + "\n" }.joined()
  }

  private static func value(_ kind: ValueKind) -> String {
    kind == .file ? "-r -F" : String(("-x " + (candidates(kind) ?? "")).trimmingEnd { $0 == " " })
  }

  private static func candidates(_ kind: ValueKind) -> String? {
    switch kind {
    case .text: nil
    case .file: "-F"
    case .folder: "-a '(__fish_complete_directories (commandline -ct))'"
    case .oneOf(let words): "-a " + words.joined(separator: " ").inFishQuotes
    case .listOf(let words): "-a " + "(__fish_append , \(words.joined(separator: " ")))".inFishQuotes
    }
  }
}

extension String {
  /// The text as one word of fish, where a backslash in quotes escapes itself and the quote.
  fileprivate var inFishQuotes: String {
    "'" + withBackslashes(before: "\\'") + "'"
  }
}
