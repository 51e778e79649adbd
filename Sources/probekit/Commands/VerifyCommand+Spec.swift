import ProbeCore
import ProbeReporting

extension VerifyCommand {
  /// What `probekit verify` understands.
  var spec: CommandSpec<Options> {
    CommandSpec(
      name: "verify",
      summary: "Replay fixtures, and compare what a pipeline finds with what they expect",
      discussion: [
        "Each fixture is replayed on loopback by a server of its own and asked by the built-in pipeline, or by that of "
          + "--pipeline, or by the pipeline.yaml in its own folder; nothing leaves this machine. The verdict must be one of those that the fixture expects, and "
          + "the login URL, when it expects one, must have the same scheme, host, port and path. A fixture that "
          + "expects nothing passes when it replays.",
        "Where something else was found, what it rests on is shown below. A fixture that is wrong fails, and the "
          + "others are verified all the same.",
        "With --profile the answer is a matrix: what each profile says of each fixture, what of it is not expected, and how "
          + "often each profile is right. The profiles take the place of a fixture's own pipeline.yaml; all of "
          + "their probes are carried out, also those that the verdict does not need any more. What they say "
          + "does not change the exit code.",
      ],
      initial: Options(),
      positionals: [
        PositionalSpec(
          "FIXTURE-OR-FOLDER", .some, help: "a fixture's folder, or a folder with fixtures below"
        ) { options, path in
          guard !path.isEmpty else {
            throw InvalidInput("a path is empty", remedy: "name a fixture or a folder")
          }
          options.paths.append(path)
        }
      ],
      options: [
        .option(
          "--pipeline", value: "FILE",
          help: "ask by the pipeline in this file; - reads it from standard input",
          default: "the fixture's own, or the built-in one"
        ) { options, path in
          guard !path.isEmpty else { throw InvalidInput("the path is empty", remedy: "name a file") }
          options.pipeline = path
        },
        .option(
          "--profile", value: "NAME",
          help:
            "ask by this built-in profile, or by several with commas between them, or by all, and print a matrix",
          repeats: true
        ) { options, names in
          for name in names.split(separator: ",", omittingEmptySubsequences: false) {
            try options.add(profile: String(name))
          }
        },
        .flag("--strict", help: "login URLs must have the same query, too") { $0.isStrict = true },
        .option(
          "--concurrency", value: "N",
          help:
            "how many runs, a fixture asked by a pipeline each, go on at a time; those that are kept waiting do not count",
          default: "\(Options().concurrency)"
        ) { $0.concurrency = try wholeNumber($1, in: 1...1000) },
        .timeout(\.probing, default: "what the pipeline says"), .output(\.probing),
        .flag("--verbose", short: "-v", help: "show the evidence of all fixtures, not of mismatches alone") {
          $0.isVerbose = true
        },
      ],
      canBeQuiet: true,
      formats: OutputFormat.ofReports + OutputFormat.ofMatrices,
      exitCodes: [
        (.success, "everything is as expected, or profiles were asked"),
        (.notOnline, "something else was found than expected"),
        (.usage, "the command line is wrong; nothing was done"),
        (.badInput, "a fixture or the pipeline cannot be read or is wrong"),
        (.unavailable, "the machine lacks something, such as a free port or descriptors"),
        (.internalError, "a mistake of the program itself"),
      ],
      examples: [
        ("verify fixtures", "are all networks below this folder judged as they should be?"),
        ("verify --pipeline office.yaml my-portal", "what does this pipeline make of that network?"),
        ("verify --strict --format json fixtures/portals", "the login URLs to the letter, for a program"),
        (
          "verify --profile all --format html fixtures > matrix.html",
          "how would each engine judge these networks?"
        ),
      ],
      check: { options in
        guard options.wantsMatrix, options.pipeline != nil else { return [] }
        return [
          InvalidInput("--profile and --pipeline cannot stand together", remedy: "leave one of them out")
        ]
      })
  }
}
