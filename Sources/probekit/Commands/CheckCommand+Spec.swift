import ConnectionValidators
import HTTPValidators
import PCRE2Validator
import ProbeCore
import ProbePipeline
import ProbeReporting
import StringValidators

extension CheckCommand {
  /// What `probekit check` understands.
  var spec: CommandSpec<CheckOptions> {
    CommandSpec(
      name: "check",
      summary: "Ask once whether the network is open to the Internet",
      discussion: [
        "Without URLs, asks the endpoints that operating systems and browsers ask: several unrelated operators over "
          + "plain HTTP, because a captive portal can answer only there, and a confirmation over HTTPS.",
        "With --profile, asks as one of the built-in profiles does, such as android or windows: see probekit profiles.",
        "With URLs, asks those; they share one threshold. An answer is accepted when its status is 2xx and it is not "
          + "a redirect, and when it satisfies every one of --contains, --equals, --matches, --status, --validate, "
          + "--expires-after and --latency-below; a --status takes the place of the 2xx.",
      ],
      initial: CheckOptions(),
      positionals: [
        PositionalSpec(
          "URL", .any,
          help:
            "what to probe: http, https or tcp; - reads URLs from standard input, one a line; those that "
            + "begin with # are left out",
          note: { $0.givenURLs += 1 }
        ) { options, text in
          if text == "-" {
            options.readsInput = true
          } else {
            _ = try ProbeURL(text)
            options.targets.append(ProbeTarget(argument: text))
          }
        }
      ],
      options: [
        validatorOptions, requestOptions, redirectOptions, familyOptions, contentOptions, accessOptions,
        runOptions,
      ].flatMap(\.self),
      canBeQuiet: true,
      formats: OutputFormat.ofReports,
      examples: [
        ("check", "is this network open?"),
        ("check --profile android", "what would an Android phone say of it?"),
        ("check https://example.com/", "does this site answer?"),
        (
          "check --contains Success https://www.apple.com/library/test/success.html",
          "does it say what it should?"
        ),
        ("check --allow-http --status 204 http://www.google.com/generate_204", "what an Android phone asks"),
        ("check --allow-http --contains SSH-2.0 tcp://192.0.2.1:22", "is this an SSH server?"),
        (
          "check --allow-http --dialog smtp.json tcp://192.0.2.1:25",
          "does this mail server answer as it should?"
        ),
        ("check --threshold 50% - < urls.txt", "do half of these answer?"),
      ],
      check: Self.mistakes, checkRest: otherMistakes
    )
  }

  private var validatorOptions: [OptionSpec<CheckOptions>] {
    [
      .option("--contains", value: "TEXT", help: "the body must contain this text", repeats: true) {
        $0.validators.append(("--contains", try ContainsValidator($1)))
      },
      .option("--equals", value: "TEXT", help: "the body, white space around it aside, must be this text") {
        $0.validators.append(("--equals", try EqualsValidator($1)))
      },
      .option(
        "--matches", value: "PATTERN", help: "the body must match this PCRE2 pattern", repeats: true,
        pointsAtMistakes: true
      ) {
        $0.validators.append(("--matches", try MatchesValidator($1)))
      },
      .option(
        "--status", value: "CODES",
        help: "the status must be one of these: 204, 2xx, 200-299, or a list with commas"
      ) {
        let codes = $1.split(separator: ",", omittingEmptySubsequences: false).map { code in
          String(code.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
        $0.validators.append(("--status", try StatusValidator(options: .init(statuses: codes))))
      },
      .option(
        "--validate", value: "NAME[=OPTIONS]",
        help: "the answer must pass this validator, by its name, with its options in JSON or YAML",
        repeats: true,
        pointsAtMistakes: true
      ) {
        $0.validators.append(("--validate", try NamedValidator($1, in: plugins.validators).validator))
      },
      .option(
        "--expires-after", value: "DURATION",
        help: "no certificate of the server's may expire within this time, such as 14d"
      ) {
        $0.validators.append(("--expires-after", try CertificateValidator(options: .init(expiresAfter: $1))))
      },
      .option(
        "--latency-below", value: "DURATION",
        help: "the answer must be there in less than this, such as 800ms"
      ) {
        $0.validators.append(("--latency-below", try LatencyValidator(options: .init(below: $1))))
      },
    ]
  }

  private var requestOptions: [OptionSpec<CheckOptions>] {
    [
      .timeout(\.probing, default: "5s, or the profile's"),
      .option("--header", short: "-H", value: "'NAME: VALUE'", help: "a header field to send", repeats: true)
      {
        let field = try headerField($1)
        $0.probing.override("--header") { request, _ in
          request.http.headers.append(name: field.name, value: field.value)
        }
      },
      .option(
        "--max-body", value: "SIZE", help: "how much of a body to read, such as 64KiB", default: "64KiB"
      ) {
        let size = try ValueSyntax.byteCount($1, in: 0...(1 << 30))
        $0.probing.override("--max-body") { request, _ in request.maxBody = size }
      },
    ]
  }

  private var redirectOptions: [OptionSpec<CheckOptions>] {
    OptionSpec.redirects(
      default: "0, or the profile's", judging: "; --status 2xx then judges the last response"
    ) { options, count, option in
      // The number goes before the flag, in whatever order they are given.
      options.probing.override(option, late: option == "--redirects") { request, _ in
        request.redirects = count
      }
    }
  }

  private var familyOptions: [OptionSpec<CheckOptions>] {
    OptionSpec.family { options, family, option in
      options.probing.override(option) { request, _ in request.family = family }
    }
  }

  private var contentOptions: [OptionSpec<CheckOptions>] {
    [
      .option(
        "--request", short: "-X", value: "METHOD", help: "the request method, such as HEAD",
        default: "GET, or POST with --data"
      ) { options, method in
        options.probing.override("--request") { request, _ in request.http.method = method }
      },
      .option(
        "--data", short: "-d", value: "DATA",
        help:
          "the content to send; @FILE reads it from a file and @- from standard input, without line ends; "
          + "several are joined with &",
        repeats: true
      ) { $0.data.append(RequestData($1)) },
      .userAgent { options, text in
        options.probing.override("--user-agent") { request, _ in request.http.userAgent = text }
      },
      .connectTo(\.probing),
      .option(
        "--dialog", value: "FILE",
        help:
          "what to send to tcp URLs and what must come back: a JSON list of send, sendHex, expect and reject"
      ) {
        $0.dialogFile = $1
      },
      .authorities(\.probing),
    ]
  }

  private var runOptions: [OptionSpec<CheckOptions>] {
    [
      .option(
        "--profile", value: "NAME", help: "ask as this profile does; probekit profiles lists them",
        default: "our own"
      ) { $0.profile = try .find($1) },
      .announcedCapport(\.probing),
      .option(
        "--threshold", value: "N|P%", help: "how many of the URLs must be accepted: a count or a percentage",
        default: "100%"
      ) { $0.threshold = try Threshold($1) },
      .option(
        "--concurrency", value: "N", help: "how many probes run at a time",
        default: "\(RunLimits().concurrency)"
      ) {
        $0.concurrency = try wholeNumber($1, in: 1...10_000)
      },
      .option(
        "--per-host", value: "N", help: "how many of them may go to one host",
        default: "\(RunLimits().perHost)"
      ) {
        $0.perHost = try wholeNumber($1, in: 1...10_000)
      },
      .output(\.probing), .all(\.probing),
      .flag("--allow-http", help: "probe URLs that are not encrypted, too") { $0.allowsHTTP = true },
      .verbose(\.probing),
    ]
  }
}

/// A header field as written on a command line.
private func headerField(_ text: String) throws(InvalidInput) -> (name: String, value: String) {
  guard let colon = text.firstIndex(of: ":") else {
    throw InvalidInput("the header field has no colon", remedy: "write it as 'Name: value'")
  }
  let value = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
  return (String(text[..<colon]), String(value))
}
