import EngineProfiles
import ProbeCore

/// `probekit profiles`: lists the built-in profiles, or prints one as a pipeline file.
struct ProfilesCommand: Subcommand {
  /// The command-line options of `probekit profiles`.
  struct Options: Sendable {
    /// The profile to print, or nil to list all.
    var profile: EngineProfile?
  }

  /// The specification of `probekit profiles`.
  var spec: CommandSpec<Options> {
    CommandSpec(
      name: "profiles",
      summary: "List the built-in profiles, or print one as a pipeline file",
      discussion: [
        "A profile says how a system or a browser judges a network. It is an ordinary pipeline file: probekit run runs "
          + "what is printed here, and probekit verify --profile asks fixtures by it."
      ],
      initial: Options(),
      positionals: [
        PositionalSpec("NAME", .optional, help: "the profile to print; without it all are listed") {
          options, name in options.profile = try EngineProfile.find(name)
        }
      ],
      exitCodes: [
        (.success, "the profiles were listed, or the one was printed"),
        (.usage, "the command line is wrong; nothing was done"),
        (.unavailable, "the machine lacks something, such as room for the output"),
        (.internalError, "a mistake of the program itself"),
      ],
      examples: [
        ("profiles", "what is there to ask by?"),
        ("profiles default > mine.yaml", "a pipeline file to start from"),
      ])
  }

  /// Lists the profiles, or prints one.
  func run(_ options: Options, in context: CommandContext) async -> ExitCode {
    let list = ProfileList(options.profile.map { [$0] } ?? EngineProfile.all)
    do {
      if context.format == .json {
        context.output.write(try list.json(withFiles: options.profile != nil))
      } else {
        context.output.write(options.profile?.text ?? list.text)
      }
      return .success
    } catch {
      context.report("the list could not be written as JSON: \(error)")
      return .internalError
    }
  }
}
