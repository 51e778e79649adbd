import FixtureReplay
import ProbeCore
import ProbeReporting
import CommandKit

/// The command-line options of `probekit capture`.
struct CaptureOptions: Sendable {
  /// The URLs to probe; empty for those of the built-in pipeline.
  var urls: [ProbeURL] = []
  /// The number of given URLs, including invalid ones.
  var givenURLs = 0
  /// The folder to write.
  var folder: String?
  /// The pipeline file to probe with.
  var pipeline: String?
  /// A recording of another program to import instead of probing.
  var recording: String?
  /// The hosts of the recording to import; empty for all.
  var hosts: [Glob] = []
  /// The maximum number of requests to import; nil for as many as a fixture can have.
  var importLimit: Int?
  /// The name of the fixture, or nil for the folder's name.
  var name: String?
  /// The vendor of the captured device or service.
  var vendor: String?
  /// Whether to replace private values.
  var redacts = true
  /// Whether to request the login page too.
  var visitsPage = true
  /// Whether to request the files of the login page too.
  var followsLogin = false
  var probing = ProbingOptions()
}

extension CaptureCommand {
  /// The specification of `probekit capture`.
  var spec: CommandSpec<CaptureOptions> {
    CommandSpec(
      name: "capture",
      summary: "Probe this network and save the responses as a fixture",
      discussion: [
        "Writes a folder with a fixture of this network: the bytes of every response, connection failures, and the "
          + "verdict. With URLs, probes those, including http URLs, and also writes the pipeline; otherwise probes the "
          + "URLs of the built-in pipeline. If a portal is found, its login page is requested, too. The fixture is then "
          + "replayed and must produce the same verdict.",
        "With --follow-login, also requests the files and frames of the login page from its server, so that a browser "
          + "shows the page of the fixture. Follows no links and sends no forms: in the fixture, the target of a form "
          + "responds with status 501.",
        "MAC addresses, addresses of this machine, tokens, session IDs and e-mail addresses are replaced by others of "
          + "the same length and listed. Review the files before you share them.",
        "With --import, probes nothing and converts a recording of another program to a fixture, which notes what the "
          + "recording lacks. A fixture has at most \(FixtureLoader.maximumRouteCount) different requests: of a longer recording "
          + "the first ones are used, unless --import-hosts or --import-limit choose others.",
      ],
      initial: CaptureOptions(),
      positionals: [
        PositionalSpec(
          "URL", .any, help: "an http or https URL", note: { $0.givenURLs += 1 }
        ) { options, text in
          let url = try ProbeURL(text)
          guard [.http, .https].contains(url.scheme) else {
            throw InvalidInput(
              "\(url.scheme) probes cannot be recorded", remedy: "use http and https URLs")
          }
          options.urls.append(url)
        }
      ],
      options: targetOptions + requestOptions,
      canBeQuiet: true,
      formats: OutputFormat.ofReports,
      exitCodes: [
        (.success, "the fixture was written and replays with the same verdict"),
        (.notOnline, "the fixture was written, but replays with another verdict"),
        (.usage, "wrong command line; nothing was done"),
        (.badInput, "a file cannot be read or is invalid, or the folder is not empty"),
        (.unavailable, "missing on this machine: certificates or disk space"),
        (.internalError, "internal error (please report)"),
      ],
      examples: [
        ("capture -o lobby", "save this network as a fixture"),
        ("capture -o lobby http://captive.apple.com/hotspot-detect.html", "probe one URL"),
        ("capture -o lobby --follow-login", "save the login page with its pictures"),
        ("capture -o lobby --import lobby.har", "convert a recording of a browser"),
      ],
      check: mistakes
    )
  }

  private var targetOptions: [OptionSpec<CaptureOptions>] {
    [
      .option(
        "--output", short: "-o", value: "DIR", takes: .folder,
        help: "the folder to create; it must not exist or be empty"
      ) { options, path in
        guard !path.isEmpty else { throw InvalidInput("the path is empty", remedy: "name a folder") }
        options.folder = path
      },
      .option("--pipeline", value: "FILE", takes: .file, help: "probe with this pipeline file") {
        options, path in
        guard !path.isEmpty else { throw InvalidInput("the path is empty", remedy: "name a file") }
        options.pipeline = path
      },
      .option(
        "--import", value: "FILE-OR-FOLDER", takes: .file,
        help: "convert a HAR file, a WARC or ARC file or a folder with output of curl -i"
      ) { options, path in
        guard !path.isEmpty else { throw InvalidInput("the path is empty", remedy: "name a file") }
        options.recording = path
      },
      .option(
        "--import-hosts", value: "HOST[,HOST]",
        help: "with --import, use only the requests to these hosts; * matches any part of a name",
        repeats: true
      ) { options, text in
        let hosts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard !hosts.contains("") else {
          throw InvalidInput("a host is empty", remedy: "write names such as portal.example,*.cdn.example")
        }
        options.hosts += hosts.map { Glob($0, isCaseSensitive: false) }
      },
      .option(
        "--import-limit", value: "N",
        help: "with --import, use only the first N different requests",
        default: "as many as a fixture can have"
      ) { $0.importLimit = try wholeNumber($1, in: 1...FixtureLoader.maximumRouteCount) },
      .option("--name", value: "NAME", help: "the name of the fixture", default: "the folder's") {
        options, name in
        guard !name.isEmpty, name.unicodeScalars.allSatisfy({ $0.value >= 0x20 }) else {
          throw InvalidInput("\(Excerpt(name)) is not a valid name", remedy: "write one line of text")
        }
        options.name = name
      },
      .option("--vendor", value: "NAME", help: "the vendor of the captured device or service") {
        options, name in
        guard !name.isEmpty, name.unicodeScalars.allSatisfy({ $0.value >= 0x20 }) else {
          throw InvalidInput("\(Excerpt(name)) is not a valid name", remedy: "write one line of text")
        }
        options.vendor = name
      },
      .output(\.probing, "--report", short: nil),
      .flag("--no-redact", help: "do not replace private values") { $0.redacts = false },
      .flag("--no-page", help: "do not request the login page") { $0.visitsPage = false },
      .flag(
        "--follow-login",
        help: "also request the files of the login page from its server: style sheets, scripts, images"
      ) { $0.followsLogin = true },
    ]
  }

  private var requestOptions: [OptionSpec<CaptureOptions>] {
    [
      .values(\.probing), .secrets(\.probing),
      .flag("--allow-http", help: "accepted for compatibility with check; http URLs are always allowed") {
        _ in
      },
    ] + plugins.settingOptions(of: "capture", showsDefaults: true, \.probing)
  }

  /// The errors in combinations of options.
  private func mistakes(_ options: CaptureOptions) -> [InvalidInput] {
    var mistakes = options.probing.settings.mistakes
    if options.folder == nil {
      mistakes.append(InvalidInput("the output folder is missing", remedy: "add -o DIR"))
    }
    let sources = [
      options.givenURLs > 0 ? "URLs" : nil, options.pipeline.map { _ in "--pipeline" },
      options.recording.map { _ in "--import" },
    ].compactMap(\.self)
    if sources.count > 1 {
      mistakes.append(
        InvalidInput("\(sources.joined(separator: " and ")) cannot be combined", remedy: "keep one of them"))
    }
    if options.followsLogin, !options.visitsPage {
      mistakes.append(
        InvalidInput("--follow-login and --no-page cannot be combined", remedy: "keep one of them"))
    }
    if options.recording == nil, !options.hosts.isEmpty || options.importLimit != nil {
      mistakes.append(
        InvalidInput(
          "--import-hosts and --import-limit are for a recording", remedy: "add --import, or omit them"))
    }
    if options.recording != nil, options.followsLogin {
      mistakes.append(InvalidInput("--import probes nothing", remedy: "omit --follow-login"))
    }
    let given = options.probing.settings.names.sorted()
    if options.recording != nil, !given.isEmpty {
      mistakes.append(
        InvalidInput("--import probes nothing", remedy: "omit \(given.joined(separator: " and "))"))
    }
    return mistakes
  }
}
