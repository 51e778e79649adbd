import CommandKit
import EngineProfiles
import FoundationEssentials
import ProbeCore
import ProbeReporting
import ProbeSystem

/// `probekit profiles`: lists the built-in profiles, or prints one as a pipeline file.
struct ProfilesCommand: Subcommand {
  /// Returns the present time, which decides whether the source of a profile is old.
  var now: @Sendable () -> Date = { Date() }

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
          + "which probekit run accepts; probekit verify --profile replays fixtures against it.",
        "Each profile names the version that it models, the source of its rules, and the day on which that was read. A "
          + "warning on standard error names each profile whose source is older than a year.",
      ],
      initial: Options(),
      positionals: [
        .word(
          "NAME", .optional, of: EngineProfile.names, else: "there is no such profile",
          help: "the profile to print; by default, all are listed"
        ) { $0.profile = EngineProfile.named($1) }
      ],
      exitCodes: [
        (.success, "the profiles were listed or printed"),
        (.unavailable, "missing on this machine: disk space"),
      ],
      examples: [
        ("profiles", "list the profiles"),
        ("profiles default > mine.yaml", "start a pipeline file from the default profile"),
      ])
  }

  /// Lists the profiles, or prints one.
  func run(_ options: Options, in context: CommandContext) async -> ExitCode {
    let profiles = options.profile.map { [$0] } ?? EngineProfile.all
    warn(of: profiles, in: context)
    let list = ProfileList(profiles)
    return context.write("the list") {
      context.format == .json
        ? try list.json(withFiles: options.profile != nil) : options.profile?.text ?? list.text
    }
  }

  /// Warns of profiles whose sources are old: the systems may behave differently now.
  private func warn(of profiles: [EngineProfile], in context: CommandContext) {
    let time = now()
    for profile in profiles where profile.source.isOlderThanAYear(at: time) {
      context.report(
        "warning: \(profile.name): the source is from \(profile.source.date), more than a year ago, so the system may "
          + "behave differently now: use a newer version of \(context.program.name)")
    }
  }
}

/// The built-in profiles with their descriptions, versions and sources.
struct ProfileList {
  private let profiles: [EngineProfile]

  init(_ profiles: [EngineProfile]) {
    self.profiles = profiles
  }

  /// The list for people: each name, followed by the description, the version and the source.
  var text: String {
    profiles.map { profile in
      let origin = [
        "Version: \(profile.version)", "Source: \(profile.source.text), \(profile.source.date)",
      ]
      let paragraphs = [profile.description] + origin
      return "\(profile.name)\n" + paragraphs.map { TextPage.wrapped($0, indent: 4) }.joined()
    }.joined()
  }

  /// The list for programs: one line.
  ///
  /// - Parameter withFiles: Whether to include the text of each pipeline file.
  /// - Returns: The line.
  /// - Throws: An error of `JSONEncoder`, which no profile is known to cause.
  func json(withFiles: Bool) throws -> String {
    let records = profiles.map {
      Record.Profile(
        name: $0.name, description: $0.description, version: $0.version, source: $0.source.text,
        date: $0.source.date, file: withFiles ? $0.text : nil)
    }
    return try JSONLine.text(Record(profiles: records))
  }

  private struct Record: Encodable {
    let schema = 1
    let profiles: [Profile]

    struct Profile: Encodable {
      let name: String
      let description: String
      let version: String
      let source: String
      let date: String
      let file: String?
    }
  }
}
