import PortalSurvey
import ProbeCore
import CommandKit

extension PortalCommand {
  /// The specification of `probekit portal`.
  var spec: CommandSpec<PortalOptions> {
    CommandSpec(
      name: "portal",
      summary: "Report what every system shows behind a captive portal, and what to fix in it",
      discussion: [
        "Runs the network checks of all built-in profiles, reads what the network announces (RFC 8910), and requests "
          + "the captive-portal API (RFC 8908) and the login page. Each distinct request is made once, "
          + "except to an API that reports the remaining time or bytes. The report has a line for each system, then the findings, errors first, "
          + "each with its source and the fix.",
        "The login page is requested without credentials or cookies, never on this machine or its link, and in "
          + "private networks only inside the subnet of the interface used. No form is sent.",
        "With --watch, the command surveys the network again after a login and when the session ends; press Ctrl-C to "
          + "end it earlier, with exit code 130. A replayed network is watched until it cannot change any more. The report "
          + "then says what changed.",
        "With --probe-leaks, also probes your own server by DNS, ICMP and TCP, to find ways around the portal; it "
          + "should answer DNS queries for the TXT records of \(LeakProbe.name). The same probes go to 192.0.2.1, which no "
          + "host has, as a control. Use it only in networks that you may test.",
      ],
      initial: PortalOptions(),
      options: .ofNetwork + [
        .flag("--watch", help: "survey the network again after a login and at the end of the session") {
          $0.watches = true
        },
        .option(
          "--names", value: "FILE", takes: .file,
          help: "a file with host names, one on each line: report which pass, over HTTP, HTTPS and DNS"
        ) { options, path in
          guard !path.isEmpty else { throw InvalidInput("the path is empty", remedy: "name a file") }
          options.namesFile = path
        },
        .option(
          "--probe-leaks", value: "SERVER",
          help: "the address or host name of your own server, for leak tests"
        ) { options, text in
          guard let url = try? ProbeURL("tcp://\(text.bracketedHostIfBare):1"), url.explicitPort == 1 else {
            throw InvalidInput("\(Excerpt(text)) is not a server", remedy: "give an address or a host name")
          }
          options.leakServer = text
        },
        .output(\.probing),
      ],
      canBeQuiet: true,
      formats: [.text, .json, .html, .markdown, .junit],
      exitCodes: [
        (.success, "no finding is an error"),
        (.notOnline, "a finding is an error"),
        (.usage, "wrong command line; nothing was done"),
        (.badInput, "the fixture or a named file cannot be read or is wrong"),
        (.unavailable, "missing on this machine: certificates, a free port or disk space"),
        (.internalError, "internal error (please report)"),
      ],
      examples: [
        ("portal", "report on the network that this machine is in"),
        ("portal --watch --format html -o report.html", "log in meanwhile, and get one page for print"),
        ("portal --replay fixtures/portals/coova-chilli", "report on a captured portal, without a network"),
        (
          "portal --names garden.txt --format json", "also find out which of your hosts pass before the login"
        ),
      ],
      check: { options in
        guard options.fixture != nil, options.leakServer != nil else { return [] }
        return [InvalidInput("--probe-leaks and --replay cannot be combined", remedy: "omit one of them")]
      })
  }
}

extension OutputFormat {
  /// JUnit XML.
  static let junit = OutputFormat("junit")
}
