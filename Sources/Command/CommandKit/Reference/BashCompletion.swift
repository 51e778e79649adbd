import ProbeBase

/// The completion of a program for bash, without dependencies.
package struct BashCompletion: CustomStringConvertible {
  /// The script.
  package let description: String

  package init(of program: ToolName, _ commands: [CommandOutline]) {
    let name = program.functionName
    let words = (commands.map(\.name) + ["help", "--help", "--version"]).joined(separator: " ")
    description = """
      # Completion of \(program.name) for bash. Written by \(program.name) completion bash.

      _\(name)_reply() {  # KIND WORD...: candidates that begin with $cur
        local kind=$1 line prefix=
        shift
        COMPREPLY=()
        case $kind in
          list) [[ $cur == *,* ]] && prefix=${cur%,*}, ;;
          file|folder) compopt -o filenames 2>/dev/null ;;
        esac
        while IFS= read -r line; do
          COMPREPLY+=("$line")
        done < <(
          case $kind in
            file) compgen -f -- "$cur" ;;
            folder) compgen -d -- "$cur" ;;
            list) compgen -P "$prefix" -W "$*" -- "${cur#"$prefix"}" ;;
            word) compgen -W "$*" -- "$cur" ;;
          esac
        )
      }

      _\(name)() {
        local cur=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} options= word ended=
        COMPREPLY=()
        if ((COMP_CWORD == 1)); then
          _\(name)_reply word \(words)
          return
        fi
        # bash makes words of their own of the = in --option=VALUE.
        if [[ $cur == = ]]; then
          cur=
        elif [[ $previous == = ]]; then
          previous=${COMP_WORDS[COMP_CWORD-2]}
        fi
        for word in "${COMP_WORDS[@]:2:COMP_CWORD-2}"; do
          [[ $word == -- ]] && ended=1
        done
        [[ -n $ended ]] && previous=
        case ${COMP_WORDS[1]} in
      \(commands.map(Self.lines).joined())    help) _\(name)_reply word \(commands.map(\.name).joined(separator: " ")) ;;
        esac
      }

      complete -F _\(name) \(program.name)

      """.replacing("_REPLY_", with: "_\(name)_reply")
  }

  /// The branch of a command.
  private static func lines(of command: CommandOutline) -> String {
    var lines = ["    \(command.name))", "      case $previous in"]
    for option in command.options where option.value != nil {
      let names = [option.name, option.short].compactMap(\.self).joined(separator: "|")
      lines.append("        \(names)) \(action(option.kind)); return ;;")
    }
    let names = command.options.flatMap { [$0.short, $0.name] }.compactMap(\.self)
    lines += [
      "      esac",
      "      if [[ -z $ended && $cur == -* ]]; then",
      "        _REPLY_ word \(names.joined(separator: " "))",
    ]
    if let word = command.leadingWord {
      lines += ["      elif ((COMP_CWORD == 2)); then", "        \(action(word.kind))"]
    }
    // The last argument may be repeated.
    if let argument = command.arguments.last, argument.kind != .text {
      lines += ["      else", "        \(action(argument.kind))"]
    }
    lines += ["      fi", "      ;;"]
    return lines.map { $0 + "\n" }.joined()
  }

  private static func action(_ kind: ValueKind) -> String {
    switch kind {
    case .text: ":"
    case .file: "_REPLY_ file"
    case .folder: "_REPLY_ folder"
    case .oneOf(let words): "_REPLY_ word " + words.map(\.inSingleQuotes).joined(separator: " ")
    case .listOf(let words): "_REPLY_ list " + words.map(\.inSingleQuotes).joined(separator: " ")
    }
  }
}
