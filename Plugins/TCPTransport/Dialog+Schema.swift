internal import PCRE2Validator
public import ProbeCore

extension Dialog: SchemaProviding {
  /// A list of mappings with one key each.
  public static let schema: ValueSchema = {
    let steps: [ValueSchema.Key] = [
      .key("send", .text, required: true, summary: "sends a text, with escapes and ${name} of captures"),
      .key("sendHex", hex, required: true, summary: "sends bytes"),
      .key("expect", sought(limits), required: true, summary: "waits until this comes"),
      .key(
        "reject", sought([]), required: true, summary: "fails when this comes before what is expected"),
    ]
    // Steps depend on each other, so errors are found only when all of them are decoded.
    return .checkedWhenDecoded(.list(of: .anyOf(steps.map { .mapping([$0]) }), atLeast: 1))
  }()

  private static let hex = ValueSchema.text(
    pattern: #"^\s*([0-9A-Fa-f]\s*){2}([0-9A-Fa-f]\s*)*$"#, examples: ["16 03 01"])

  private static let limits: [ValueSchema.Key] = [
    .key("timeout", .duration, summary: "the time to wait"),
    .key("maxBytes", .byteCount, summary: "within how many unread bytes it must come"),
  ]

  private static func sought(_ limits: [ValueSchema.Key]) -> ValueSchema {
    let texts: [ValueSchema.Key] = [
      .key("text", .text, required: true, summary: "the text to look for"),
      .key("caseless", .boolean, summary: "whether upper and lower case are the same"),
    ]
    let matches = MatchesValidator.Options.schema
    return .anyOf([
      .text,
      .mapping(texts + limits),
      .mapping([.key("hex", hex, required: true, summary: "the bytes to look for")] + limits),
      .mapping([.key("matches", matches, required: true, summary: "the pattern to look for")] + limits),
    ])
  }
}
