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

extension StartsWithValidator {
  /// A start; a byte order mark before it differs.
  public static var examples: [ValidatorExample<Options>] {
    [
      ValidatorExample(Options(text: "OK"), accepts: "OK, and more", rejects: "NOT OK"),
      ValidatorExample(Options(text: "OK"), accepts: "OK", rejects: "\u{FEFF}OK"),
    ]
  }
}

extension SizeValidator {
  /// One size, and bounds.
  public static var examples: [ValidatorExample<Options>] {
    [
      ValidatorExample(Options(min: 0, max: 0), accepts: "", rejects: "log in first"),
      ValidatorExample(Options(max: 4), accepts: "up\r\n", rejects: "log in first"),
      ValidatorExample(Options(min: 1), accepts: "x", rejects: ""),
    ]
  }
}
