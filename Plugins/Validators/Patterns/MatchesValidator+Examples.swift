public import ProbeCore

extension MatchesValidator {
  /// A pattern alone, one with options, and one with a named group.
  public static var examples: [ValidatorExample<Options>] {
    [
      ValidatorExample(
        Options(pattern: "<BODY>\\s*Success\\s*</BODY>"), accepts: "<BODY>\nSuccess\n</BODY>",
        rejects: "<BODY>log in first</BODY>"),
      ValidatorExample(
        Options(pattern: "^ok$", options: [.caseless, .multiline]), accepts: "db\r\nOK\r\n", rejects: "not ok"
      ),
      ValidatorExample(
        Options(pattern: "version (?<version>[0-9.]+)"), accepts: "version 4.2", rejects: "version unknown"),
    ]
  }
}
