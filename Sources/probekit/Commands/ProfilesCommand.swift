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
      summary: "List the built-in profiles or print one as a pipeline file",
      discussion: [
        "A profile describes how an operating system or a browser checks a network. It is an ordinary pipeline file, "
          + "which probekit run accepts; probekit verify --profile replays fixtures against it."
      ],
      initial: Options(),
      positionals: [
        PositionalSpec(
          "NAME", .optional, takes: .oneOf(EngineProfile.names),
          help: "the profile to print; by default, all are listed"
        ) {
          options, name in
          guard let profile = EngineProfile.named(name) else {
            throw InvalidInput("there is no such profile", remedy: EngineProfile.remedy(for: name))
          }
          options.profile = profile
        }
      ],
      exitCodes: [
        (.success, "the profiles were listed or printed"),
        (.usage, "wrong command line; nothing was done"),
        (.unavailable, "missing on this machine: disk space"),
        (.internalError, "internal error (please report)"),
      ],
      examples: [
        ("profiles", "list the profiles"),
        ("profiles default > mine.yaml", "start a pipeline file from the default profile"),
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
