import ProbeCore
import CommandKit
import ProbeSystem

/// `probekit completion`: prints a shell's completion script.
struct CompletionCommand: Subcommand {
  struct Options: Sendable {
    var shell = ""
  }

  static let shells = ["bash", "zsh", "fish"]

  let program: ToolName
  /// The commands of the program, computed when the script is printed.
  let commands: @Sendable () -> [CommandOutline]

  /// The specification of `probekit completion`.
  var spec: CommandSpec<Options> {
    CommandSpec(
      name: "completion",
      summary: "Print the completion script for bash, zsh or fish",
      discussion: [
        "The script completes commands, options, their values, and files. For bash: source "
          + "<(\(program.name) completion bash) in ~/.bashrc, or save the output as /usr/share/bash-completion/completions/\(program.name).",
        "For zsh: save the output as _\(program.name) in a folder of $fpath, or source <(\(program.name) completion zsh) in "
          + "~/.zshrc after compinit. For fish: save it as ~/.config/fish/completions/\(program.name).fish.",
      ],
      initial: Options(),
      positionals: [
        .word(
          "SHELL", .one, of: Self.shells, else: "there is no completion for this shell",
          help: "bash, zsh or fish"
        ) { $0.shell = $1 }
      ],
      formats: [.text],
      exitCodes: [
        (.success, "the script was printed"),
        (.unavailable, "missing on this machine, such as disk space"),
      ],
      examples: [
        ("completion bash > \(program.name).bash", "a file to source in ~/.bashrc"),
        ("completion fish > ~/.config/fish/completions/\(program.name).fish", "for all new fish sessions"),
      ])
  }

  /// Prints the script.
  func run(_ options: Options, in context: CommandContext) async -> ExitCode {
    let commands = commands()
    switch options.shell {
    case "bash": context.output.write(BashCompletion(of: program, commands).description)
    case "zsh": context.output.write(ZshCompletion(of: program, commands).description)
    default: context.output.write(FishCompletion(of: program, commands).description)
    }
    return .success
  }
}
