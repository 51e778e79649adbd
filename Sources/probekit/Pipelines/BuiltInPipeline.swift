import HTTPValidators
import PCRE2Validator
import ProbeCore
import ProbePipeline
import StringValidators

/// What `probekit check` asks without URLs: the endpoints that operating systems and browsers ask.
///
/// Plain HTTP on purpose: a captive portal cannot forge a certificate, so only over HTTP can it answer. Four
/// operators that have nothing to do with each other, so that the failure of one says little; HTTPS to confirm.
enum BuiltInPipeline {
  /// The plan, with what the command line says of requests and of the run.
  static func plan(_ options: CheckOptions) throws -> ProbePlan {
    func probe(_ url: String, _ validator: any ResponseValidator) throws -> PlannedProbe {
      PlannedProbe(url: url, request: options.request(for: try ProbeURL(url)), validator: validator)
    }
    let http = [
      // Apple's network assistant compares the whole page.
      try probe(
        "http://captive.apple.com/hotspot-detect.html",
        try EqualsValidator("<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>")),
      // Android, ChromeOS, Chromium.
      try probe("http://connectivitycheck.gstatic.com/generate_204", try StatusValidator("204")),
      // Firefox's connectivity service.
      try probe("http://detectportal.firefox.com/success.txt", try EqualsValidator("success")),
      // Windows 10 and 11.
      try probe(
        "http://www.msftconnecttest.com/connecttest.txt", try EqualsValidator("Microsoft Connect Test")),
    ]
    let https = [
      try probe("https://www.google.com/generate_204", try StatusValidator("204")),
      try probe("https://www.apple.com/library/test/success.html", try ContainsValidator("Success")),
    ]
    return try ProbePlan(
      name: "default",
      policy: .plaintextAllowed,
      sets: [
        PlannedSet(name: "http", threshold: try .percent(50), probes: http),
        PlannedSet(name: "https", threshold: try .count(1), probes: https),
      ],
      run: RunLimits(concurrency: options.concurrency),
      // A report on all of them says more than the verdict alone, and they are few.
      stopsEarly: false
    )
  }
}
