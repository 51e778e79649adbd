import ProbeCore

/// What a request of `FingerTransport` asks for.
struct FingerOptions: Sendable {
  /// Whether the server gives its long form (RFC 1288 §2.5.4).
  var isLong = false

  /// `request: { long: true }` in a file, and `--long` on the command line.
  static let key = RequestKey(
    "long", Bool.self, default: "false", summary: "whether the server gives its long form"
  ) { isLong in
    RequestSetting { request, _ in
      var options = request[FingerOptions.self] ?? FingerOptions()
      options.isLong = isLong
      request[FingerOptions.self] = options
    }
  }
  .explained("A server may ignore it.", example: "true")
  .option(RequestOption("--long") { _ in .text("true") })
}
