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
  /// The start of a body; a byte order mark before it makes a difference.
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

extension HashValidator {
  /// Both hash functions, in either case.
  public static var examples: [ValidatorExample<Options>] {
    [
      ValidatorExample(
        Options(sha256: "2689367b205c16ce32ed4200942b8b8b1e262dfc70d9bc9fbc77c49699a4f1df"), accepts: "ok",
        rejects: "ok\n"),
      ValidatorExample(
        Options(
          sha512:
            "9FBBBB5A0F329F9782E2356FA41D89CF9B3694327C1A934D6AF2A9DF2D7F936C"
            + "E83717FB513196A4CE5548471708CD7134C2AE99B3C357BCABB2EAFC7B9B7570"), accepts: "ok",
        rejects: "log in first"),
    ]
  }
}
