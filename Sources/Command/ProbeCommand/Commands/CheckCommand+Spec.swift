import CommandKit
import ProbeCore
import ProbePipeline
import ProbeReporting
import SourceDocuments
import Validators

extension CheckCommand {
  /// The specification of `probekit check`.
  var spec: CommandSpec<CheckOptions> {
    CommandSpec(
      name: "check",
      summary: "Check once whether the network is open to the Internet, or whether services are healthy",
      discussion: [
        "Without URLs, probes the endpoints that operating systems and browsers use: several unrelated operators over "
          + "plain HTTP, where a captive portal can answer, and a confirmation over HTTPS.",
        "With --profile, probes as a built-in profile does, such as android or windows; see probekit profiles. An option "
          + "replaces the setting of the profile.",
        "With URLs, probes those URLs as services, which share one threshold: the verdict is healthy or unhealthy. URLs "
          + "of the built-in profiles alone, and --question internet, ask about the network instead. A response is accepted if its status is 2xx, it is "
          + "not a redirect, and it satisfies all of --contains, --equals, --matches, --status, --validate, "
          + "--expires-after and --latency-below. --status replaces the rule for 2xx and redirects. With --location or "
          + "--redirects, the last response is judged; to --question internet, only validators accept it after a redirect.",
      ],
      initial: CheckOptions(),
      positionals: [
        PositionalSpec(
          "URL", .any,
          help:
            "an http, https, tcp, tls, udp, dns, dns+tls, dns+https or icmp URL; - reads URLs from standard input, one per line, and ignores "
            + "lines that begin with #",
          note: { $0.givenURLs += 1 }
        ) { options, text in
          if text == "-" {
            options.readsInput = true
          } else {
            try Self.checkURL(text)
            options.targets.append(ProbeTarget(argument: text))
          }
        }
      ],
      options: probeOptions(of: "check") + runOptions,
      canBeQuiet: true,
      formats: OutputFormat.ofReports,
      exitCodes: ExitCode.ofVerdicts,
      examples: [
        ("check", "check this network"),
        ("check --profile android", "the verdict of an Android phone"),
        ("check https://example.com/", "check a website"),
        (
          "check --contains Success https://www.apple.com/library/test/success.html",
          "check the text of a page"
        ),
        (
          "check --allow-http --status 204 http://connectivitycheck.gstatic.com/generate_204",
          "the request of an Android phone"
        ),
        ("check --allow-http --contains SSH-2.0 tcp://192.0.2.1:22", "check for an SSH server"),
        ("check tls://imap.example.com:993", "check the certificate of a server other than a web server"),
        (
          "check --allow-http --dialog smtp.json tcp://192.0.2.1:25",
          "check a mail server, step by step"
        ),
        ("check --threshold 50% - < urls.txt", "require half of the URLs in a list"),
      ],
      check: Self.mistakes, checkRest: otherMistakes
    )
  }

  /// The options for probing and judging each URL.
  ///
  /// - Parameter command: The command that has them.
  /// - Returns: The options.
  func probeOptions(of command: String) -> [OptionSpec<CheckOptions>] {
    validatorOptions + plugins.settingOptions(of: command, showsDefaults: true, \.probing) + contentOptions
  }

  private var validatorOptions: [OptionSpec<CheckOptions>] {
    [
      .option("--contains", value: "TEXT", help: "the body must contain this text", repeats: true) {
        $0.validators.append(("--contains", try ContainsValidator($1)))
      },
      .option(
        "--equals", value: "TEXT", help: "the body, without surrounding white space, must equal this text"
      ) { $0.validators.append(("--equals", try EqualsValidator($1))) },
      .option(
        "--matches", value: "PATTERN", help: "the body must match this PCRE2 pattern", repeats: true,
        pointsAtMistakes: true
      ) { $0.validators.append(("--matches", try MatchesValidator($1))) },
      .option(
        "--status", value: "CODES",
        help: "the status must be one of these: 204, 2xx, 200-299, or a comma-separated list"
      ) {
        let codes = $1.split(separator: ",", omittingEmptySubsequences: false).map { code in
          String(code.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
        $0.validators.append(("--status", try StatusValidator(options: .init(statuses: codes))))
      },
      .option(
        "--validate", value: "NAME[=OPTIONS]", takes: .oneOf(plugins.validators.names),
        help: "the response must pass this validator; its options are JSON or YAML", repeats: true,
        pointsAtMistakes: true
      ) { $0.validators.append(("--validate", try NamedValidator($1, in: plugins.validators).validator)) },
      .option(
        "--expires-after", value: "DURATION|PERCENT",
        help:
          "no certificate of the server, or of one that redirected to it, may expire within this time, such as 14d, or "
          + "this share of the lifetime of the server's, such as 33%"
      ) {
        $0.validators.append(("--expires-after", try CertificateValidator(options: .init(expiresAfter: $1))))
      },
      .option(
        "--latency-below", value: "DURATION",
        help: "the response must arrive within this time, such as 800ms"
      ) { $0.validators.append(("--latency-below", try LatencyValidator(options: .init(below: $1)))) },
    ]
  }

  private var contentOptions: [OptionSpec<CheckOptions>] {
    [
      .option(
        "--data", short: "-d", value: "DATA",
        help:
          "the content to send, by POST unless --request says otherwise; @FILE reads it from a file and @- from standard input, without line ends; "
          + "several are joined with &",
        repeats: true
      ) { $0.data.append(RequestData($1)) },
      .path(
        "--dialog", \.dialogFile,
        help:
          "a dialog for tcp, tls and udp URLs: a JSON list of send, sendHex, expect, reject and starttls steps"
      ),
    ]
  }

  private var runOptions: [OptionSpec<CheckOptions>] {
    [
      .profile(\.profile), .announcedCapport(),
      .option(
        "--threshold", value: "N|P%", help: "the number or percentage of URLs that must be accepted",
        default: "100%"
      ) { $0.threshold = try Threshold($1) },
      .number("--concurrency", \.concurrency, in: 1...10_000, help: "the number of probes at a time"),
      .number("--per-host", \.perHost, in: 1...10_000, help: "the number of probes at a time for one host"),
      .output(),
      .question(default: "internet without URLs and for those of the profiles, otherwise services"),
      .failOn, .all, .allowHTTP(\.allowsHTTP), .verbose, .explain,
    ]
  }
}

/// A registered validator given on the command line as `NAME` or `NAME=OPTIONS`.
///
/// The options are in JSON or YAML, as in a pipeline file.
struct NamedValidator {
  /// All errors in the options, with their positions in the whole argument.
  struct Unusable: InvalidInputs {
    var mistakes: [InvalidInput]
  }

  let validator: any ResponseValidator

  /// Finds the validator and decodes its options; without options, those of `{}` are used.
  ///
  /// - Throws: ``InvalidInput`` for an unknown name, and ``Unusable`` for invalid options.
  init(_ text: String, in registry: ValidatorRegistry) throws {
    let equals = text.firstIndex(of: "=")
    let name = String(text[..<(equals ?? text.endIndex)])
    guard let type = registry[name] else {
      let nearest = nearestName(to: name, among: registry.names).map { "did you mean \($0)?" }
      let remedy = nearest ?? "use one of \(registry.names.joined(separator: ", "))"
      throw InvalidInput("unknown validator \(Excerpt(name))", remedy: remedy)
    }
    guard let equals else {
      validator = try Self.make(type, options: "{}", at: nil)
      return
    }
    let start = text.index(after: equals)
    validator = try Self.make(
      type, options: text[start...], at: text.utf8.distance(from: text.startIndex, to: start))
  }

  private static func make<Validator: ConfigurableValidator>(
    _ type: Validator.Type, options text: Substring, at start: Int?
  ) throws -> Validator {
    guard !text.isEmpty else {
      throw InvalidInput(
        "\(type.name): the options are empty",
        remedy: "write them as JSON or YAML, such as '\(type.name)={\"key\":\"value\"}'")
    }
    let findings = SourceFindings(SourceFile(path: type.name, bytes: Array(text.utf8)))
    let validator = SourceDocument.read(findings).flatMap { node in
      SourceDecoding.value(of: node, field: type.name, findings) { (options: Validator.Options) in
        try Validator(options: options)
      }
    }
    if findings.isEmpty, let validator { return validator }
    let example = ValueSchema(of: Validator.Options.self).example
    throw Unusable(
      mistakes: findings.all.map { finding in
        let message =
          finding.message.hasPrefix(type.name) ? finding.message : "\(type.name): \(finding.message)"
        let offset = start.flatMap { start in finding.offset.map { $0 + start } }
        // Without options there is no text to extend.
        let example = "give it its options, as in '\(type.name)=\(example)'"
        return InvalidInput(message, remedy: start == nil ? example : finding.remedy, offset: offset)
      })
  }
}
