internal import Validators
public import ProbeCore

extension Dialog: SchemaProviding {
  /// A list of mappings with one key each.
  public static let schema: ValueSchema = {
    let steps: [ValueSchema.Key] = [
      .key(
        "send", .anyOf([.text, SecretSource.schema]), required: true,
        summary:
          "sends a text; \\r, \\n, \\t, \\0, \\\\, \\xNN and \\u{HEX} are escapes, ${name} inserts what a named group of "
          + "an earlier expect matched, $$ is a dollar sign; a secret is sent as it is"
      ),
      .key("sendHex", hex, required: true, summary: "sends bytes, written in hexadecimal"),
      .key("expect", sought(limits), required: true, summary: "waits until this is received"),
      .key(
        "reject", sought([]), required: true,
        summary: "ends the probe with dialog.rejected if this is received while a later expect waits"),
      .key(
        "starttls", .boolean, required: true,
        summary:
          "true: makes a TLS handshake over tcp and verifies the certificate; later steps are encrypted"),
    ]
    // Steps depend on each other, so errors are found only when all of them are decoded.
    let list = ValueSchema.list(of: .anyOf(steps.map { .mapping([$0]) }), atLeast: 1)
    return .named("dialog", .checkedWhenDecoded(list))
  }()

  private static let hex = ValueSchema.text(
    pattern: #"^\s*([0-9A-Fa-f]\s*){2}([0-9A-Fa-f]\s*)*$"#, examples: ["16 03 01"])

  private static let limits: [ValueSchema.Key] = [
    .key("timeout", .duration, default: "the time limit of the probe", summary: "how long to wait"),
    .key(
      "maxBytes", .byteCount, default: "maxBody of the request",
      summary: "within how many bytes it must be received"),
  ]

  private static func sought(_ limits: [ValueSchema.Key]) -> ValueSchema {
    let texts: [ValueSchema.Key] = [
      .key("text", .text, required: true, summary: "the text to look for"),
      .key("caseless", .boolean, default: "false", summary: "whether to ignore case"),
    ]
    let matches = MatchesValidator.Options.schema
    return .anyOf([
      .text,
      .mapping(texts + limits),
      .mapping([.key("hex", hex, required: true, summary: "the bytes to look for")] + limits),
      .mapping([.key("matches", matches, required: true, summary: "the PCRE2 pattern to look for")] + limits),
    ])
  }
}
