/// An option of curl or of another command that a command does not support, with a replacement.
package struct MissingOption: Sendable {
  /// Its names, with their dashes.
  private let names: [String]
  /// The option that a command must have for the remedy to apply.
  private let needs: String
  /// The replacement, with the reason.
  package let remedy: String
  /// Whether it has a value, so that the next word is not an argument.
  var hasValue = false

  /// The option of this name.
  ///
  /// - Parameters:
  ///   - name: The name with its dashes.
  ///   - options: The options of the command.
  /// - Returns: The option, or nil if it is unknown or the command has no replacement.
  package static func named(_ name: String, for options: [String]) -> MissingOption? {
    all.first { $0.names.contains(name) && options.contains($0.needs) }
  }

  private static let all: [MissingOption] = [
    MissingOption(
      names: ["-k", "--insecure", "--proxy-insecure"], needs: "--cacert",
      remedy:
        "certificates are always verified, because an unverified response says nothing about the network; to "
        + "trust your own certificate authority, use --cacert FILE"),
    MissingOption(names: ["-I", "--head"], needs: "--request", remedy: "use -X HEAD"),
    MissingOption(
      names: ["-i", "--include", "--show-headers"], needs: "--verbose",
      remedy: "use -v, which shows the response's header fields on standard error"),
    MissingOption(
      names: ["-u", "--user"], needs: "--basic",
      remedy: "use --basic USER:env:NAME or --basic USER:file:PATH",
      hasValue: true),
    MissingOption(
      names: ["-b", "--cookie"], needs: "--header", remedy: "use -H 'Cookie: NAME=VALUE'", hasValue: true),
    MissingOption(
      names: ["-e", "--referer"], needs: "--header", remedy: "use -H 'Referer: URL'", hasValue: true),
    MissingOption(
      names: ["-E", "--cert"], needs: "--client-cert", remedy: "use --client-cert FILE", hasValue: true),
    MissingOption(names: ["--key"], needs: "--client-key", remedy: "use --client-key FILE", hasValue: true),
    MissingOption(
      names: ["--json", "--data-raw", "--data-binary", "--data-urlencode", "-F", "--form"], needs: "--data",
      remedy: "use --data, with -H for another Content-Type", hasValue: true),
    MissingOption(
      names: ["--resolve"], needs: "--connect-to", remedy: "use --connect-to HOST:PORT:ADDR:PORT",
      hasValue: true),
    MissingOption(names: ["--connect-timeout"], needs: "--timeout", remedy: "use --timeout", hasValue: true),
    MissingOption(
      names: ["-f", "--fail"], needs: "--status",
      remedy: "omit it; a status other than 2xx is not accepted unless --status allows it"),
    MissingOption(
      names: ["-S", "--show-error"], needs: "--quiet", remedy: "omit it; errors are always shown"),
    MissingOption(
      names: ["--allow-http"], needs: "--cacert",
      remedy: "set policy: { https: optional } in the pipeline file"),
    MissingOption(
      names: ["--profile"], needs: "--cacert",
      remedy: "use it with check or monitor; the command profiles prints a profile as a pipeline file",
      hasValue: true),
  ]
}
