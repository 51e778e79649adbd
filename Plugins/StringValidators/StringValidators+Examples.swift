public import ProbeCore

extension EqualsValidator {
  /// With and without surrounding white space, and ignoring case.
  public static var examples: [ValidatorExample<Options>] {
    [
      ValidatorExample(Options(text: "success"), accepts: "success\n", rejects: "<html>log in first</html>"),
      ValidatorExample(Options(text: "success\n", trim: false), accepts: "success\n", rejects: "success"),
      ValidatorExample(Options(text: "Östlich", caseless: true), accepts: "öSTLICH", rejects: "ostlich"),
    ]
  }
}

extension ContainsValidator {
  /// Case-sensitive, and ignoring case.
  public static var examples: [ValidatorExample<Options>] {
    [
      ValidatorExample(
        Options(text: "Success"), accepts: "<BODY>Success</BODY>", rejects: "<body>success</body>"),
      ValidatorExample(
        Options(text: "success", caseless: true), accepts: "<BODY>Success</BODY>", rejects: "log in first"),
    ]
  }
}
