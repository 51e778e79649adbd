import ProbeCore
import ProbePipeline
import CommandKit
import ProbeScan

extension ScanCommand {
  /// The specification of `probekit scan`.
  var spec: CommandSpec<ScanOptions> {
    CommandSpec(
      name: "scan",
      summary: "Probe a list of any length in constant memory, and write a JSON line for each of its lines",
      discussion: [
        "Reads URLs from standard input, one on each line, or JSON objects such as "
          + #"{"id": 7, "url": "https://example.com/", "set": "shop", "labels": {"site": "berlin"}}; "#
          + "everything but url can be omitted. Empty lines and lines that begin with # are skipped. Input that is compressed with gzip or "
          + "zstd is decompressed.",
        "Writes one JSON object for each URL, in the order in which the probes finish, with the id and the number of the line, "
          + "and a last object of type end with the counts and the SHA-256 of the input. Output without it is incomplete. "
          + "A line that cannot be read is a result with the reason request.invalid.",
        "PIPELINE gives the settings, policies and validators of its sets. Its own URLs are not probed. A line without "
          + "a set is probed with the first one. Validators and options for requests replace those of the pipeline.",
        "Reads input only as fast as probes finish, and starts no further probe while the output is not read. "
          + "Refuses loopback, private, link-local, multicast and metadata addresses unless --allow-private is given.",
        "With --parts, the input is divided into parts of a fixed number of lines. The file of a part appears in the "
          + "folder once it is complete. The same command, run again after an interruption, does only what is missing.",
      ],
      initial: ScanOptions(),
      positionals: [
        PositionalSpec(
          "PIPELINE", .optional, takes: .file, help: "a pipeline file in YAML or JSON"
        ) { options, path in
          guard !path.contains("://") else {
            throw InvalidInput(
              "this is a URL, not a pipeline file", remedy: "write the URLs to standard input, or use check")
          }
          options.pipeline = try ValueKind.file.path(path)
        }
      ],
      options: inputOptions + limitOptions
        + CheckCommand(plugins: plugins).probeOptions(of: "scan").map {
          $0.lifted(\.check)
        } + outputOptions,
      formats: [OutputFormat("ndjson")],
      exitCodes: [
        (.success, "every line has its result, whatever the outcomes"),
        (
          .badInput,
          "a file cannot be read or is invalid, or a part in the folder belongs to another input"
        ),
        (.unavailable, "missing on this machine: certificates or disk space"),
        (.interrupted, "interrupted: there is no end line"),
      ],
      examples: [
        ("scan < urls.txt", "probe the URLs of a file"),
        ("scan --contains Welcome --input urls.txt.zst -o results.ndjson", "check a text on every page"),
        (
          "scan --rate 50/s --per-address 4 --contact https://example.com/probes shop.yaml < urls.txt",
          "as a pipeline says, slowly"
        ),
        ("scan --parts results --input urls.txt.gz", "in parts that survive an interruption"),
        (
          "scan --shard 2/4 --parts results-2 --input urls.txt",
          "a quarter of the hosts, on one of four machines"
        ),
      ],
      check: ScanOptions.mistakes
    )
  }

  private var inputOptions: [OptionSpec<ScanOptions>] {
    [
      .option(
        "--input", short: "-i", value: "FILE", takes: .file,
        help: "read this file in place of standard input; - is standard input", repeats: true
      ) { $0.inputs.append(try ValueKind.file.path($1)) },
      .option(
        "--shard", value: "I/N",
        help: "probe only the hosts of the Ith of N shards; all lines of a host are in the same one"
      ) { $0.shard = try ScanShard($1) },
      .path(
        "--exclude", \.exclusionFile,
        help:
          "never probe what this file lists, one on each line: hosts, *.DOMAIN for the hosts below a domain, addresses and "
          + "blocks such as 192.0.2.0/24"),
      .flag(
        "--allow-private", \.allowsSpecialPurpose,
        help: "allow loopback, private, link-local, multicast and metadata addresses"),
      .allowHTTP(\.check.allowsHTTP),
    ]
  }

  private var limitOptions: [OptionSpec<ScanOptions>] {
    [
      .number(
        "--concurrency", \.concurrency, in: 1...10_000, help: "the number of probes at a time",
        default: "\(ScanLimits().concurrency) or the pipeline's"),
      .number(
        "--per-host", \.perHost, in: 1...10_000, help: "the number of probes at a time for one host",
        default: "\(ScanLimits().perHost) or the pipeline's"),
      .number(
        "--per-address", \.perAddress, in: 1...10_000,
        help: "the number of probes at a time for one address", default: "no limit"),
      .option(
        "--rate", value: "N/s", help: "the number of probes to start per second; also N/m and N/h",
        default: "no limit"
      ) { $0.interval = try ScanOptions.interval(ofRate: $1) },
    ]
  }

  private var outputOptions: [OptionSpec<ScanOptions>] {
    [
      .path(
        "--parts", \.partsFolder, value: "DIR", takes: .folder,
        help: "write each part of the input to a file of its own in this folder"),
      .number(
        "--part-lines", \.partLines, in: 1...1_000_000_000, help: "the number of input lines of a part",
        default: "\(ScanOptions.defaultPartLines)"),
      .output(), .question(default: "services"), .values, .secrets,
      .flag(
        "--quiet", \.isQuiet, short: "-s", help: "write neither a summary nor progress to standard error"),
    ]
  }
}
