package import CommandKit
import ProbeTLS

extension ManualPage {
  /// The page of the whole program.
  package init(_ program: ToolName, commands: [CommandOutline]) {
    self.init(
      topic: program.name, name: program.name, section: 1, title: program.name,
      summary: "Check whether this network is really open to the Internet, and if not, why",
      usage: ["\(program.name) COMMAND [OPTIONS] [ARGUMENTS]"], markdownPath: "cli/\(program.name).md")
    add("Commands", .list("command", commands.map { ($0.name, $0.summary) }), isInHelp: true)
    add(
      "Options",
      .list(
        "option",
        [
          ("-h, --help", "show this help; \(program.name) help COMMAND shows the help of a command"),
          ("--version", "show the version"),
        ]), isInHelp: true)
    add("Exit status", .exitCodes(ExitCode.meanings), isInHelp: true)
    parts.append(
      Part(
        title: "Environment",
        blocks: [
          .list("variable", Self.environment.map { ($0.name, $0.meaning) }),
          .paragraph(
            "Other variables have no effect on probes: proxies are not read from http_proxy and similar variables, "
              + "nor certificates from SSL_CERT_FILE, nor settings of OpenSSL, libcurl or the resolver. "
              + "Use the options and the keys of pipeline files."),
        ]))
    add(
      "Files",
      .list(
        "file",
        [
          (
            TrustStore.systemBundles[0],
            "the certificate authorities of the system; if it does not exist, the first of "
              + TrustStore.systemBundles.dropFirst().joined(separator: ", ")
          )
        ]))
  }
}
