public import ProbeCore

extension StatusValidator {
  /// A single code, and the ways to specify several.
  public static var examples: [ValidatorExample<Options>] {
    [
      ValidatorExample(
        Options(statuses: ["204"]), accepts: .example(status: 204), rejects: .example(body: "log in first")),
      ValidatorExample(
        Options(statuses: ["2xx", "401", "500-503"]), accepts: .example(status: 502),
        rejects: .example(status: 302, fields: ["Location": "http://login.example/"])),
    ]
  }
}

extension RedirectValidator {
  /// Each kind of target, and a status.
  public static var examples: [ValidatorExample<Options>] {
    [
      ValidatorExample(
        Options(to: "/new?a=1"), accepts: redirect(to: "new?a=1"), rejects: redirect(to: "/new")),
      ValidatorExample(
        Options(to: "https://login.example/", status: StatusValidator.Options(statuses: ["301", "308"])),
        accepts: redirect(to: "https://login.example", status: 308),
        rejects: redirect(to: "https://login.example", status: 302)),
      ValidatorExample(
        Options(to: "https"), accepts: redirect(to: "https://www.probe.example/"),
        rejects: redirect(to: "https://login.example/")),
      ValidatorExample(
        Options(to: "https://*.example/in?*"), accepts: redirect(to: "https://login.example/in?to=/"),
        rejects: redirect(to: "https://login.example/out")),
      ValidatorExample(
        Options(to: "/items/*"), accepts: redirect(to: "/items/7"), rejects: .example(body: "log in first")),
    ]
  }

  private static func redirect(to location: String, status: Int = 302) -> ProbeResponse {
    .example(status: status, fields: ["Location": location])
  }
}

extension DeviationValidator {
  /// One violation, and any.
  public static var examples: [ValidatorExample<Options>] {
    [
      ValidatorExample(Options(names: ["noField", "noLength"]), accepts: odd, rejects: .example()),
      ValidatorExample(Options(names: ["any"]), accepts: odd, rejects: .example()),
    ]
  }

  private static var odd: ProbeResponse {
    var response = ProbeResponse.example()
    response.deviations = [.noField]
    return response
  }
}

extension HeaderValidator {
  /// Each kind of test.
  public static var examples: [ValidatorExample<Options>] {
    let (page, plain) = (field("text/html; charset=utf-8"), field("text/plain"))
    var captured = Options(name: "Content-Type")
    captured.capture = "type"
    return [
      ValidatorExample(Options(name: "content-type", present: true), accepts: page, rejects: .example()),
      ValidatorExample(Options(name: "Content-Type", present: false), accepts: .example(), rejects: page),
      ValidatorExample(Options(name: "Content-Type", equals: "text/plain"), accepts: plain, rejects: page),
      ValidatorExample(
        Options(name: "Content-Type", equals: "TEXT/PLAIN", caseless: true), accepts: plain, rejects: page),
      ValidatorExample(
        Options(name: "Content-Type", matches: MatchesValidator.Options(pattern: "^text/html\\b")),
        accepts: page, rejects: plain),
      ValidatorExample(
        Options(line: MatchesValidator.Options(pattern: "^Content-Type: text/html")), accepts: page,
        rejects: .example(fields: ["content-type": "text/html"])),
      ValidatorExample(captured, accepts: page, rejects: .example()),
    ]
  }

  private static func field(_ type: String) -> ProbeResponse {
    .example(fields: ["Content-Type": type])
  }
}
