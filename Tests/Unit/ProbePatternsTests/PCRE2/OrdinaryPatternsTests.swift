import TestRequirements
import Testing

@testable import ProbePatterns

/// Patterns as configurations have them, in bodies of one long line.
///
/// The work is counted and not timed: what grows in proportion to the body is decided at any size.
@Suite(.heavy)
struct OrdinaryPatternsTests {
  static let patterns: [(String, PatternOptions)] = [
    (#""status"\s*:\s*"(ok|up|healthy)""#, []), (#"\{"status":"UP""#, []), (#"\bhealthy\b"#, []),
    ("(?i)error|fatal|panic", []), (".*error.*", []), (".*a1b2.*|.*c3d4.*", []), ("^.*$", []),
    ("^OK$", .multiline), (#"\AOK\s*\z"#, []), ("<title>[^<]*</title>", .caseless),
    (#"<title>\s*Welcome to (?<product>[\w .-]+)</title>"#, .caseless), (#"<h1[^>]*>.*?</h1>"#, .dotall),
    (#"version[ :="']*(?<version>\d+\.\d+(?:\.\d+)?)"#, .caseless),
    (#"(?<major>\d+)\.(?<minor>\d+)\.(?<patch>\d+)-rc"#, []), (#"nginx/\d+\.\d+"#, []), ("Success", []),
    (#"<BODY>\s*Success\s*</BODY>"#, .caseless), (".*?<BODY>.*?Success.*?</BODY>.*", [.caseless, .dotall]),
    ("^(?=.*ready)(?=.*leader).*$", .dotall), ("^(?!.*(?:error|exception)).*$", .dotall),
    (#"(?s)^(?!.*maintenance)"#, []), (#""errors":\s*\[\s*\]"#, []), (#""uptime":\s*[1-9][0-9]*"#, []),
    (#"[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,}"#, []), (#"https?://[^\s"'<>]+/login"#, []),
    (#"<a\s+[^>]*href="[^"]*logout[^"]*"[^>]*>"#, .caseless),
    (#"<meta[^>]+name="generator"[^>]*>"#, .caseless), (#"<form[^>]*action="[^"]*"[^>]*>"#, .caseless),
    (#"<input[^>]+type="?password"?"#, .caseless), (#"\b\d{1,3}(\.\d{1,3}){3}\b"#, []),
    (#"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}"#, .caseless), (#"[0-9a-f]{64}"#, []),
    (#"(\w+)\s+\1\s+\1"#, []), (#"^\s*$"#, []), (#"\S+"#, []), (#"^HTTP/1\.[01] 200"#, []),
    (#"connected_clients:\d+"#, .multiline), (#"role:(master|slave)"#, []),
    (#"^# HELP \w+ .*\n# TYPE \w+ (counter|gauge)"#, .multiline),
    (#"^\w+_seconds_count\{[^}]*\} [0-9.e+]+$"#, .multiline),
    (#"(?i)(?:service|site) (?:is )?(?:un)?available"#, []), (#"\d+ms"#, []), (#"\s+foo"#, []),
    (#"[^,]*,[^,]*,broken"#, []), (#"Queue: (?<queue>\d+), workers: \d+"#, []),
    (#".*"state"\s*:\s*"failed".*"#, []), (#"(?:^|,)\s*"ok"\s*:\s*true"#, .multiline),
    ("<body.*>.*ok.*</body>", .dotall), ("(login|sign[ -]?in|log[ -]?on)", .caseless),
    (#"^220[ -].*(?:SMTP|ESMTP)"#, .multiline), (#"\p{Lu}\p{L}+ wird gewartet"#, []), ("[^\n]*broken", []),
    ("[a-z]+ed by broken", []), (#"(?:\w+\s){2}broken"#, []), (#"(?s).*\S"#, []), ("foo.*bar.*baz", []),
  ]
  static let bodies = [
    #"{"id":184467,"name":"node-17","state":"running","tags":["a","b"],"at":"2026-11-22T13:42:56Z"},"#,
    #"<div class="row"><a href="/item/1234">Item 1234</a><span>in stock: 5 pieces</span></div> "#,
    "2026-11-22 13:42:56 INFO worker-3 handled GET /health in 12 ms, 200 OK (queue 0)\n",
    "The quick brown fox jumps over the lazy dog; it was a bright cold day in April, and the clocks struck. ",
    " ",
  ]

  @Test(arguments: patterns)
  func areDecidedAtAnySize(_ pattern: String, _ options: PatternOptions) throws {
    let pattern = try Pattern(pattern, options: options)
    for unit in Self.bodies {
      let units = try [8192, 32768].map { count in
        let body = Array(
          Array(String(repeating: unit, count: count / unit.utf8.count + 1).utf8).prefix(count))
        var budget = WorkBudget(bytes: count)
        let before = budget.units
        try #require(pattern.firstMatch(in: body.span, &budget) != .limit)
        return before - budget.units
      }
      // What grows by this much for each byte stays within the budget for 16 MiB.
      #expect(units[1] - units[0] <= 12 * (32768 - 8192), "\(unit): \(units)")
    }
  }
}
