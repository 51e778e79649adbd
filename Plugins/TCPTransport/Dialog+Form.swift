internal import PCRE2Validator
public import ProbeCore

extension Dialog: DescribedForm {
  /// A list of mappings with one key each.
  public static func form(describing other: (any Decodable.Type) -> ValueForm) -> ValueForm {
    let hex = ValueForm.text(pattern: #"^\s*([0-9A-Fa-f]\s*){2}([0-9A-Fa-f]\s*)*$"#, examples: ["16 03 01"])
    let matches = other(MatchesValidator.Options.self)
    let limits = [
      KeyForm("timeout", .duration, summary: "the time to wait"),
      KeyForm("maxBytes", .byteCount, summary: "within how many unread bytes it must come"),
    ]
    func sought(_ limits: [KeyForm]) -> ValueForm {
      .anyOf([
        .text,
        .mapping(
          [
            KeyForm("text", .text, isRequired: true, summary: "the text to look for"),
            KeyForm("caseless", .boolean, summary: "whether upper and lower case are the same"),
          ] + limits),
        .mapping([KeyForm("hex", hex, isRequired: true, summary: "the bytes to look for")] + limits),
        .mapping(
          [KeyForm("matches", matches, isRequired: true, summary: "the pattern to look for")] + limits),
      ])
    }
    let steps = [
      KeyForm("send", .text, summary: "sends a text, with escapes and ${name} of captures"),
      KeyForm("sendHex", hex, summary: "sends bytes"),
      KeyForm("expect", sought(limits), summary: "waits until this comes"),
      KeyForm("reject", sought([]), summary: "fails when this comes before what is expected"),
    ]
    return .list(of: .anyOf(steps.map(Self.step)), atLeast: 1)
  }

  private static func step(_ key: KeyForm) -> ValueForm {
    var key = key
    key.isRequired = true
    return .mapping([key])
  }
}
