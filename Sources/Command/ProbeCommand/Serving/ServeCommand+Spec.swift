import BlackboxExporter
import CommandKit
import ProbeCore
import ProbeServer

extension ServeCommand {
  /// The specification of `probekit serve`.
  var spec: CommandSpec<ServeOptions> {
    CommandSpec(
      name: "serve",
      summary: "Serve probes to Prometheus, in place of blackbox_exporter",
      discussion: [
        "Takes the flags, the blackbox.yml and the requests of blackbox_exporter, and serves the same metrics: "
          + "/probe?target=TARGET&module=MODULE probes a target, /metrics has the server's own metrics, / the latest probes, /config the "
          + "modules, /logs the log of a probe. A POST to /-/reload, or SIGHUP, reads the file again; if it has errors, the "
          + "previous one remains in effect. Modules with the probers grpc, unix and websocket are not supported.",
        "Each PIPELINE is a module with the name of the pipeline, and needs no target: /probe?module=NAME runs it, and serves metrics of its verdict, its "
          + "sets and its probes. /sd has the URLs of the pipelines for http_sd_config.",
        "Unlike blackbox_exporter, listens only on loopback unless --web.listen-address is given, and refuses link-local "
          + "targets, which include the metadata services of clouds, and redirects to them.",
      ],
      initial: ServeOptions(),
      positionals: [
        PositionalSpec(
          "PIPELINE", .any, takes: .file,
          help: "a pipeline file, served as a module with the name of the pipeline"
        ) {
          options, path in
          guard !path.isEmpty, path != "-" else {
            throw InvalidInput("a pipeline is read again at each reload", remedy: "name a file")
          }
          options.pipelines.append(path)
        }
      ],
      options: fileOptions + webOptions + targetOptions + otherOptions,
      formats: [.text],
      exitCodes: [
        (.success, "stopped, or the files can be used"),
        (.badInput, "a file cannot be read or has errors"),
        (
          .unavailable,
          "the server cannot listen, or trusted certificates or file descriptors are missing on this machine"
        ),
      ],
      examples: [
        ("serve --config.file blackbox.yml", "serve on 127.0.0.1:9115"),
        ("serve --config.file=blackbox.yml --config.check", "check the file"),
        (
          "serve --web.listen-address :9115 --allow-target 192.0.2.0/24",
          "for other machines, and one network"
        ),
      ]
    )
  }

  private var fileOptions: [OptionSpec<ServeOptions>] {
    [
      .path(
        "--config.file", \.configurationFile, help: "the file with the modules",
        default: ServeOptions.usualFile),
      .programs(\.allowsPrograms),
      .flag("--config.check", \.onlyChecks, help: "check the file, and exit"),
      .flag(
        "--config.enable-auto-reload", \.reloadsAutomatically, help: "read the file again when it changes"),
      .option(
        "--config.auto-reload-interval", value: "SECONDS", help: "how often to look for changes",
        default: "30"
      ) { $0.reloadInterval = .seconds(try wholeNumber($1, in: 1...86_400)) },
      .option(
        "--timeout-offset", value: "SECONDS", help: "the time to subtract from the timeout of a scrape",
        default: "0.5"
      ) { options, text in
        guard let number = Double(text), number.isFinite, (0...3600).contains(number) else {
          throw InvalidInput("\(Excerpt(text)) is not a number of seconds", remedy: "write it as 0.5")
        }
        options.exporter.timeoutOffset = number
      },
      .number(
        "--history.limit", \.exporter.historyLimit, in: 0...100_000,
        help: "the number of recent probes to keep, and of older failed probes"),
    ]
  }

  private var webOptions: [OptionSpec<ServeOptions>] {
    [
      .option(
        "--web.listen-address", value: "ADDRESS:PORT",
        help: "where to listen: an address and a port, :PORT for all addresses, or unix:PATH",
        default: "127.0.0.1:\(ServeOptions.usualPort)", repeats: true
      ) { $0.addresses.append(try HTTPService.Address(listening: $1)) },
      .option(
        "--web.config.file", value: "FILE", takes: .file,
        help: "a web configuration file of exporter-toolkit: certificates, users and limits of the server"
      ) { options, path in
        // As in blackbox_exporter, an empty value counts as none.
        options.webConfigurationFile = path.isEmpty ? nil : path
      },
      .flag(
        "--web.systemd-socket", \.usesPassedSockets,
        help: "listen on the sockets that systemd passes on (socket activation)"),
      .option(
        "--web.external-url", value: "URL",
        help: "the URL at which clients reach the server; its path is the prefix of all paths"
      ) { $0.externalURL = try ExternalURL($1) },
      .option(
        "--web.route-prefix", value: "PATH", help: "the prefix of all paths",
        default: "the path of --web.external-url"
      ) { $0.routePrefix = $1 },
    ]
  }

  private var targetOptions: [OptionSpec<ServeOptions>] {
    [
      .option(
        "--allow-target", value: "TARGET",
        help:
          "probe only these hosts and addresses: a host, *.DOMAIN, an address, or a block such as 192.0.2.0/24",
        repeats: true
      ) { options, text in
        var list = options.allowedTargets ?? ExclusionList()
        try list.add(entry: Array(text.utf8)[...])
        options.allowedTargets = list
      },
      .option(
        "--deny-target", value: "TARGET", help: "never probe these hosts and addresses, in the same forms",
        repeats: true
      ) { try $0.deniedTargets.add(entry: Array($1.utf8)[...]) },
      .flag(
        "--allow-link-local", \.allowsLinkLocal,
        help: "allow link-local addresses and those of a cloud's metadata"),
    ]
  }
}

/// The options for compatibility with the units and scripts of blackbox_exporter.
extension ServeCommand {
  var otherOptions: [OptionSpec<ServeOptions>] {
    let levels = ["debug", "info", "warn", "error"]
    return [
      Self.ignored("--log.level", "LEVEL", levels, default: "info"),
      Self.ignored("--log.format", "FORMAT", ["logfmt", "json"], default: "logfmt"),
      Self.ignored("--log.prober", "LEVEL", levels, default: "info"),
      .flag("--version", \.printsVersion, help: "print the version, and exit"),
      Self.negated("--no-config.check", \.onlyChecks),
      Self.negated("--no-config.enable-auto-reload", \.reloadsAutomatically),
      Self.negated("--no-web.systemd-socket", \.usesPassedSockets),
    ]
  }

  /// An option without effect.
  private static func ignored(
    _ name: String, _ value: String, _ words: [String], default usual: String
  ) -> OptionSpec<ServeOptions> {
    .choice(
      name, of: words, value: value, called: "one of its values",
      help: "no effect; accepted because blackbox_exporter has it: \(words.alternatives)", default: usual
    ) { _, _ in }
  }

  /// The negation of a flag, which the parser of blackbox_exporter accepts for every flag.
  private static func negated(
    _ name: String, _ property: any WritableKeyPath<ServeOptions, Bool> & Sendable
  ) -> OptionSpec<ServeOptions> {
    var option = OptionSpec.flag(name, property, to: false, help: "the default")
    option.form.isHidden = true
    return option
  }
}
