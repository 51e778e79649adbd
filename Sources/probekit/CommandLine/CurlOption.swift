/// An option of curl's that commands do not have, and what to use instead.
struct CurlOption: Sendable {
  /// Its names, with their dashes.
  private let names: [String]
  /// The option that a command must have for the remedy to be one.
  private let needs: String
  /// What to use instead, and why.
  let remedy: String
  /// Whether it has a value, which is then no argument.
  var hasValue = false

  /// The option of this name.
  ///
  /// - Parameters:
  ///   - name: The name with its dashes.
  ///   - options: The options of the command.
  /// - Returns: The option, or nil when curl has none of this name, or the command nothing to use instead.
  static func named(_ name: String, for options: [String]) -> CurlOption? {
    all.first { $0.names.contains(name) && options.contains($0.needs) }
  }

  private static let all: [CurlOption] = [
    CurlOption(
      names: ["-k", "--insecure", "--proxy-insecure"], needs: "--cacert",
      remedy:
        "certificates are always verified, because an answer that anyone could give says nothing of the "
        + "network; to trust an authority of your own, use --cacert FILE"),
    CurlOption(names: ["-I", "--head"], needs: "--request", remedy: "use -X HEAD"),
    CurlOption(
      names: ["-i", "--include", "--show-headers"], needs: "--verbose",
      remedy: "use -v, which shows the response's header fields on standard error"),
    CurlOption(
      names: ["-u", "--user"], needs: "--basic",
      remedy: "use --basic USER:env:NAME or --basic USER:file:PATH",
      hasValue: true),
    CurlOption(
      names: ["-b", "--cookie"], needs: "--header", remedy: "use -H 'Cookie: NAME=VALUE'", hasValue: true),
    CurlOption(
      names: ["-e", "--referer"], needs: "--header", remedy: "use -H 'Referer: URL'", hasValue: true),
    CurlOption(
      names: ["-E", "--cert"], needs: "--client-cert", remedy: "use --client-cert FILE", hasValue: true),
    CurlOption(names: ["--key"], needs: "--client-key", remedy: "use --client-key FILE", hasValue: true),
    CurlOption(
      names: ["--json", "--data-raw", "--data-binary", "--data-urlencode", "-F", "--form"], needs: "--data",
      remedy: "use --data, with -H for another Content-Type", hasValue: true),
    CurlOption(
      names: ["--resolve"], needs: "--connect-to", remedy: "use --connect-to HOST:PORT:ADDR:PORT",
      hasValue: true),
    CurlOption(names: ["--connect-timeout"], needs: "--timeout", remedy: "use --timeout", hasValue: true),
    CurlOption(
      names: ["-f", "--fail"], needs: "--status",
      remedy: "leave it out; a status other than 2xx is not accepted unless --status says so"),
    CurlOption(
      names: ["-S", "--show-error"], needs: "--quiet", remedy: "leave it out; errors are always shown"),
  ]
}
