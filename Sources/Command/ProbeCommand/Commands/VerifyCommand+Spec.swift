import EngineProfiles
import ProbeCore
import ProbeReporting
import CommandKit

extension VerifyCommand {
  /// The specification of `probekit verify`.
  var spec: CommandSpec<Options> {
    CommandSpec(
      name: "verify",
      summary: "Replay fixtures and compare the verdicts with the expected ones",
      discussion: [
        "Replays each fixture on a loopback server and probes it with the pipeline.yaml in its folder, with the "
          + "pipeline of --pipeline, or with the built-in pipeline; nothing leaves this machine. The verdict must be one "
          + "that the fixture expects. The login URL, if the fixture expects one, must have the same scheme, host, port "
          + "and path. A fixture without expectations passes if it can be replayed.",
        "For a mismatch, the evidence is shown below. An invalid fixture fails; the others are verified nevertheless.",
        "With --profile, prints a matrix: the verdict of each profile for each fixture, which verdicts are unexpected, "
          + "and how often each profile is right. The profiles replace the pipeline.yaml of a fixture, and all of their "
          + "probes run. Their verdicts do not change the exit code.",
      ],
      initial: Options(),
      positionals: [
        PositionalSpec(
          "FIXTURE-OR-FOLDER", .some, takes: .folder,
          help: "the folder of a fixture, or a folder with fixtures"
        ) { $0.paths.append(try ValueKind.folder.path($1, of: "a fixture or a folder")) }
      ],
      options: [
        .path(
          "--pipeline", \.pipeline, help: "probe with this pipeline file; - reads it from standard input",
          default: "the fixture's or the built-in one"),
        .option(
          "--profile", value: "NAME", takes: .listOf(EngineProfile.names + ["all"]),
          help:
            "probe with this built-in profile, with a comma-separated list, or with all, and print a matrix",
          repeats: true
        ) { options, names in
          for name in names.split(separator: ",", omittingEmptySubsequences: false) {
            try options.add(profile: String(name))
          }
        },
        .flag("--strict", \.isStrict, help: "login URLs must also have the same query"),
        .number(
          "--concurrency", \.concurrency, in: 1...1000,
          help:
            "the number of fixtures at a time, for each pipeline; those that wait for a timeout do not count"
        ),
        .values, .secrets, .question(default: "that of the pipeline"), .output(),
        .flag(
          "--verbose", \.isVerbose, short: "-v",
          help: "show the evidence of all fixtures, not only of mismatches"),
      ] + plugins.settingOptions(of: "verify", \.probing),
      canBeQuiet: true,
      formats: OutputFormat.ofReports + OutputFormat.ofMatrices,
      exitCodes: [
        (.success, "everything is as expected, or --profile was given"),
        (.notOnline, "a verdict or login URL is not the expected one"),
        (.badInput, "a fixture or the pipeline cannot be read or is invalid"),
        (.unavailable, "missing on this machine: a free port or file descriptors"),
      ],
      examples: [
        ("verify fixtures", "verify all fixtures in a folder"),
        ("verify --pipeline office.yaml my-portal", "verify a fixture with a pipeline"),
        ("verify --strict --format json fixtures/portals", "compare login URLs exactly, for a program"),
        (
          "verify --profile all --format html fixtures > matrix.html",
          "compare the verdicts of all profiles"
        ),
      ],
      check: {
        .when(
          $0.wantsMatrix && $0.pipeline != nil, "--profile and --pipeline cannot be combined",
          remedy: "omit one of them") + $0.probing.mistakes
      })
  }
}
