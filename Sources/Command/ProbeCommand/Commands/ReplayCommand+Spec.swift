import FixtureReplay
import ProbeServer
import ProbeCore
import CommandKit
import ReplayNetwork

extension ReplayCommand {
  /// The specification of `probekit replay`.
  var spec: CommandSpec<Options> {
    CommandSpec(
      name: "replay",
      summary: "Serve fixtures on loopback until stopped",
      discussion: [
        "Responds for every host as the fixtures describe, over HTTP, HTTPS and plain TCP. Prints the addresses and "
          + "the file of the certificate authority that clients must trust. The routes of several fixtures are tried in "
          + "the given order.",
        "Requests that match no route are logged to standard error with the nearest routes; --verbose logs all "
          + "requests. When a fixture changes, it is reloaded and starts from its initial state.",
        "With --control, other programs change the server while it runs, and read the requests it received: JSON over "
          + "HTTP, with a token that is printed with the address.",
        "--exec runs a command in a network that is the fixture: DNS, every address and every port lead to the server, "
          + "and programs trust its certificates. All arguments after the command belong to it. The configuration of this "
          + "machine does not change, and all processes that the command started end with it.",
      ],
      initial: Options(),
      positionals: [
        PositionalSpec(
          "FIXTURE", .some, takes: .folder, help: "the folder of a fixture, or a folder with fixtures"
        ) { $0.paths.append(try ValueKind.folder.path($1, of: "a fixture or a folder")) }
      ],
      options: [
        .option("--listen", value: "ADDRESS", help: "the address to listen on", default: "127.0.0.1") {
          options, text in
          guard let address = IPAddress(text) else {
            throw InvalidInput("\(Excerpt(text)) is not an address", remedy: "write it as 127.0.0.1 or ::1")
          }
          options.server.address = address
        },
        portOption("--http-port", .http, "plain HTTP"),
        portOption("--https-port", .https, "HTTPS"),
        portOption("--tcp-port", .tcp, "plain TCP"),
        .path(
          "--ca-out", \.authorityFile,
          help: "write the certificate authority's certificate and key to this file, with mode 600"),
        .option(
          "--control", value: "PLACE",
          help: "accept control requests at ADDRESS:PORT, where port 0 is a free one, or at unix:PATH"
        ) { options, text in options.controlAddress = try HTTPService.Address(text) },
        .path(
          "--control-token-file", \.controlTokenFile, help: "the file with the token for --control",
          default: "a new token"),
        .option(
          "--exec", value: "COMMAND [ARGUMENT...]", takes: .file,
          help: "run a command in a network that is the fixture, and exit with its exit code", takesRest: true
        ) { $0.command.append($1) },
        .option(
          RouterSettings.option, value: "SETTINGS", help: "for the process that --exec starts", isHidden: true
        ) { options, text in
          guard let settings = RouterSettings(text) else {
            throw InvalidInput("only --exec uses this option")
          }
          options.router = settings
        },
        .option(
          "--gateway", value: "INTERFACE",
          help: "be the router of this interface: clients there are in the replayed network; needs root"
        ) { options, text in options.gateway = text },
        .option(
          "--gateway-network", value: "ADDRESS/BITS",
          help: "the address on the interface of --gateway, and the length of the network's prefix",
          default: "that of the interface, or \(GatewayNetwork.usual)"
        ) { options, text in options.gatewayNetwork = try GatewayNetwork(text) },
        .flag("--verbose", \.isVerbose, short: "-v", help: "log every request to standard error"),
      ],
      exitCodes: [
        (.success, "stopped by SIGINT, SIGTERM or SIGHUP; with --exec, any code is that of the command"),
        (.badInput, "a fixture cannot be read or is invalid"),
        (
          .unavailable,
          "not available on this machine: the given port, the address or token of --control, a requirement of --gateway, or "
            + "namespaces or a tool for --exec"
        ),
        (.commandNotExecutable, "the command of --exec cannot be executed"),
        (.commandNotFound, "the command of --exec does not exist"),
      ],
      environment: [("TMPDIR", "the folder of the certificate authority's file, without --ca-out")],
      examples: [
        ("replay fixtures/portals/coova-chilli", "serve a captive portal on free ports"),
        (
          "replay fixtures/worlds/open --http-port 8080 --verbose",
          "serve on a given port and log every request"
        ),
        (
          "replay --control 127.0.0.1:0 --format json fixtures/worlds/captive",
          "let a test control the network"
        ),
        (
          "replay fixtures/portals/coova-chilli --exec curl -sSL http://example.com/",
          "what a command sees behind the portal"
        ),
        ("replay fixtures/portals/coova-chilli --gateway wlan1", "put phones on wlan1 behind the portal"),
      ],
      check: \.conflicts)
  }

  private func portOption(
    _ name: String, _ listener: ReplayListener, _ purpose: String
  ) -> OptionSpec<Options> {
    .option(name, value: "PORT", help: "the port for \(purpose)", default: "a free one") { options, text in
      guard let port = UInt16(text: text), port > 0 else {
        throw InvalidInput("\(Excerpt(text)) is not a port from 1 to 65535")
      }
      options.server.ports[listener] = port
    }
  }
}

extension ReplayCommand.Options {
  /// The errors in combinations of options.
  var conflicts: [InvalidInput] {
    let hasAddress = server.address != ReplayOptions().address
    var conflicts: [InvalidInput] = .when(
      controlTokenFile != nil && controlAddress == nil, "--control-token-file is for --control",
      remedy: "add --control, or omit it")
    conflicts += .when(
      gateway == nil && gatewayNetwork != nil, "--gateway-network is for --gateway",
      remedy: "add --gateway, or omit it")
    if !command.isEmpty { conflicts += conflictsOfExec(hasAddress) }
    conflicts += .when(
      gateway != nil && hasAddress, "--listen cannot be combined with --gateway",
      remedy: "give the address with --gateway-network")
    return conflicts
  }

  private func conflictsOfExec(_ hasAddress: Bool) -> [InvalidInput] {
    var conflicts: [InvalidInput] = .when(
      !server.ports.isEmpty || hasAddress,
      "--exec cannot be used with --listen, --http-port, --https-port or --tcp-port: the command reaches the server "
        + "at every address and port")
    conflicts += .when(
      gateway != nil, "--exec cannot be combined with --gateway", remedy: "omit one of them")
    if case .tcp(let address) = controlAddress {
      conflicts.append(
        InvalidInput(
          "with --exec, no program could connect to --control \(address)",
          remedy: "use --control unix:PATH, which the command can use too"))
    }
    conflicts += .when(
      controlAddress != nil && controlTokenFile == nil, "with --exec, the token of --control is not printed",
      remedy: "add --control-token-file FILE")
    return conflicts
  }
}
