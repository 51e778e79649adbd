import FixtureReplay
import ProbeCore
import ProbeReporting
import CommandKit

/// The command-line options of `probekit capture`.
struct CaptureOptions: ProbingCommandOptions {
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
          + "replayed and must produce the same verdict. Options for requests replace the settings of the pipeline.",
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
        (.badInput, "a file cannot be read or is invalid, or the folder is not empty"),
        (.unavailable, "missing on this machine: certificates or disk space"),
      ],
      examples: [
        ("capture -o lobby", "save this network as a fixture"),
        ("capture -o lobby http://captive.apple.com/hotspot-detect.html", "probe one URL"),
        ("capture -o lobby --follow-login", "save the login page with its pictures"),
        ("capture -o lobby --import lobby.har", "convert a recording of a browser"),
      ],
      check: Self.mistakes
    )
  }

  private var targetOptions: [OptionSpec<CaptureOptions>] {
    [
      .path(
        "--output", \.folder, short: "-o", value: "DIR", takes: .folder,
        help: "the folder to create; it must not exist or be empty"),
      .path("--pipeline", \.pipeline, help: "probe with this pipeline file"),
      .path(
        "--import", \.recording, value: "FILE-OR-FOLDER",
        help: "convert a HAR file, a WARC or ARC file or a folder with output of curl -i"),
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
      .number(
        "--import-limit", \.importLimit, in: 1...FixtureLoader.maximumRouteCount,
        help: "with --import, use only the first N different requests",
        default: "as many as a fixture can have"),
      .option("--name", value: "NAME", help: "the name of the fixture", default: "the folder's") {
        $0.name = try Self.line($1)
      },
      .option("--vendor", value: "NAME", help: "the vendor of the captured device or service") {
        $0.vendor = try Self.line($1)
      },
      .output("--report", short: nil),
      .flag("--no-redact", \.redacts, to: false, help: "do not replace private values"),
      .flag("--no-page", \.visitsPage, to: false, help: "do not request the login page"),
      .flag(
        "--follow-login", \.followsLogin,
        help: "also request the files of the login page from its server: style sheets, scripts, images"),
    ]
  }

  private var requestOptions: [OptionSpec<CaptureOptions>] {
    [
      .values, .secrets,
      .flag("--allow-http", help: "accepted for compatibility with check; http URLs are always allowed") {
        _ in
      },
    ] + plugins.settingOptions(of: "capture", showsDefaults: true, \.probing)
  }

  /// Checks a name, which is one line of text.
  private static func line(_ name: String) throws(InvalidInput) -> String {
    guard !name.isEmpty, name.unicodeScalars.allSatisfy({ $0.value >= 0x20 }) else {
      throw InvalidInput("\(Excerpt(name)) is not a valid name", remedy: "write one line of text")
    }
    return name
  }

  /// The errors in combinations of options.
  @Sendable private static func mistakes(_ options: CaptureOptions) -> [InvalidInput] {
    let imports = options.recording != nil
    let sources = [
      options.givenURLs > 0 ? "URLs" : nil, options.pipeline.map { _ in "--pipeline" },
      imports ? "--import" : nil,
    ].compactMap(\.self)
    let settings = options.probing.settings.names.sorted()
    var mistakes = options.probing.mistakes
    mistakes += .when(options.folder == nil, "the output folder is missing", remedy: "add -o DIR")
    mistakes += .when(
      sources.count > 1, "\(sources.joined(separator: " and ")) cannot be combined",
      remedy: "keep one of them")
    mistakes += .when(
      options.followsLogin && !options.visitsPage, "--follow-login and --no-page cannot be combined",
      remedy: "keep one of them")
    mistakes += .when(
      !imports && (!options.hosts.isEmpty || options.importLimit != nil),
      "--import-hosts and --import-limit are for a recording", remedy: "add --import, or omit them")
    mistakes += .when(
      imports && options.followsLogin, "--import probes nothing", remedy: "omit --follow-login")
    mistakes += .when(
      imports && !settings.isEmpty, "--import probes nothing",
      remedy: "omit \(settings.joined(separator: ", "))")
    return mistakes
  }
}
