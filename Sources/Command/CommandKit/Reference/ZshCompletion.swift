import ProbeBase

/// The completion of a program for zsh, as a function for `$fpath` or to be sourced.
package struct ZshCompletion: CustomStringConvertible {
  /// The script.
  package let description: String

  package init(of program: ToolName, _ commands: [CommandOutline]) {
    let function = "_\(program.functionName)"
    let list = commands.map { ($0.name, $0.summary) } + [("help", "Show the help of a command")]
    let described = list.map { name, summary in
      "      " + "\(name):\(summary.withBackslashes(before: ":"))".inSingleQuotes + "\n"
    }.joined()
    description = """
      #compdef \(program.name)
      # Completion of \(program.name) for zsh. Written by \(program.name) completion zsh.

      \(function)() {
        local curcontext="$curcontext" command
        local -a commands
        commands=(
      \(described)  )
        if (( CURRENT == 2 )); then
          _describe -t commands command commands
          _arguments -s '(- *)'{-h,--help}'[show the help]' '(- *)--version[show the version]'
          return
        fi
        command=$words[2]
        shift words
        (( CURRENT-- ))
        curcontext="${curcontext%:*}-$command:"
        case $command in
      \(commands.map(Self.lines).joined())    help) _describe -t commands command commands ;;
        esac
      }

      if [[ $funcstack[1] == \(function) ]]; then
        \(function) "$@"
      else
        compdef \(function) \(program.name)
      fi

      """
  }

  /// The branch of a command.
  private static func lines(of command: CommandOutline) -> String {
    var specs = command.options.map(spec)
    for (index, argument) in command.arguments.enumerated() {
      let position = argument.repeats ? "*" : "\(index + 1)"
      let separator = argument.isRequired || argument.repeats ? ":" : "::"
      specs.append(
        "\(position)\(separator)\(argument.name.zshEscaped):\(action(argument.kind))".inSingleQuotes)
    }
    return "    \(command.name))\n      _arguments -s -S \\\n"
      + specs.map { "        " + $0 }.joined(separator: " \\\n") + " ;;\n"
  }

  /// An option in the form of `_arguments`.
  private static func spec(_ option: OptionForm) -> String {
    let help = "[\(option.help.zshEscaped)]"
    let value = option.value.map { ":\($0.zshEscaped):\(action(option.kind))" } ?? ""
    let mark = option.value == nil ? "" : "="
    guard let short = option.short else {
      return ((option.repeats ? "*" : "") + option.name + mark + help + value).inSingleQuotes
    }
    let shortMark = option.value == nil ? "" : "+"
    let exclusion = option.repeats && option.value != nil ? "*" : "(\(short) \(option.name))"
    return exclusion.inSingleQuotes + "{\(short)\(shortMark),\(option.name)\(mark)}"
      + (help + value).inSingleQuotes
  }

  private static func action(_ kind: ValueKind) -> String {
    switch kind {
    case .text: " "
    case .file: "_files"
    case .folder: "_files -/"
    case .oneOf(let words): "(\(words.joined(separator: " ")))"
    case .listOf(let words): "_values -s , value \(words.joined(separator: " "))"
    }
  }
}

extension String {
  /// The text in a specification of `_arguments`, where colons and brackets are special.
  fileprivate var zshEscaped: String {
    withBackslashes(before: "\\:[]")
  }
}
