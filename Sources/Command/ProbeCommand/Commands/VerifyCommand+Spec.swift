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
        ) { options, path in
          guard !path.isEmpty else {
            throw InvalidInput("a path is empty", remedy: "name a fixture or a folder")
          }
          options.paths.append(path)
        }
      ],
      options: [
        .option(
          "--pipeline", value: "FILE", takes: .file,
          help: "probe with this pipeline file; - reads it from standard input",
          default: "the fixture's or the built-in one"
        ) { options, path in
          guard !path.isEmpty else { throw InvalidInput("the path is empty", remedy: "name a file") }
          options.pipeline = path
        },
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
        .flag("--strict", help: "login URLs must also have the same query") { $0.isStrict = true },
        .option(
          "--concurrency", value: "N",
          help:
            "the number of fixtures at a time, for each pipeline; those that wait for a timeout do not count",
          default: "\(Options().concurrency)"
        ) { $0.concurrency = try wholeNumber($1, in: 1...1000) },
        .values(\.probing), .secrets(\.probing),
        .question(\.probing, default: "that of the pipeline"),
        .output(\.probing),
        .flag("--verbose", short: "-v", help: "show the evidence of all fixtures, not only of mismatches") {
          $0.isVerbose = true
        },
      ] + plugins.settingOptions(of: "verify", \.probing),
      canBeQuiet: true,
      formats: OutputFormat.ofReports + OutputFormat.ofMatrices,
      exitCodes: [
        (.success, "everything is as expected, or --profile was given"),
        (.notOnline, "a verdict or login URL is not the expected one"),
        (.usage, "wrong command line; nothing was done"),
        (.badInput, "a fixture or the pipeline cannot be read or is invalid"),
        (.unavailable, "missing on this machine: a free port or file descriptors"),
        (.internalError, "internal error (please report)"),
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
      check: { options in
        guard options.wantsMatrix, options.pipeline != nil else { return [] }
        return [
          InvalidInput("--profile and --pipeline cannot be combined", remedy: "omit one of them")
        ]
      })
  }
}
