/// Files that use aliases, or combinations of large parts, to multiply the work.
extension HostileFiles {
  var anchors: [HostileFile] {
    let long = repeated("x", 900_000)
    let block = (0..<scaled(20_000)).map { "  k\($0): 1\n" }.joined()
    // Nearly as many as a request may have, and long enough to fill most of the file.
    let value = String(repeating: "v", count: 900 / share)
    let fields = (0..<900).map { "N\($0): \(value)" }.joined(separator: ", ")
    let bomb = (1...3).map { level in
      "a\(level): &a\(level) [\(Array(repeating: "*a\(level - 1)", count: 21).joined(separator: ", "))]\n"
    }.joined()
    return [
      many("names that are not anchored", "sets:\n", values: 1) { "- *n\($0)\n" },
      many("anchors", "sets:\n", values: 1) { "- &a\($0) x\n" },
      HostileFile("an alias bomb", "a0: &a0 [x, x, x, x, x, x, x, x]\n" + bomb),
      HostileFile("an alias bomb of URLs", head + "sets:\n- name: a\n  urls: &a [&b [x, x, x], *b]\n" + bomb),
      many(
        "a long text by name as URLs", "x: &a '\(long)'\n" + head + "sets:\n- name: a\n  urls:\n", values: 1
      ) { _ in
        "  - *a\n"
      },
      many(
        "a long text by name as validators", "x: &a '\(long)'\n" + set + "  validate:\n    all:\n", values: 3
      ) {
        _ in "    - contains: *a\n"
      },
      many(
        "a long pattern by name", "x: &a '\(repeated("(x)?", 100_000))'\n" + set + "  validate:\n    all:\n",
        values: 3
      ) {
        _ in "    - matches: *a\n"
      },
      many("patterns that unfold", set + "  validate:\n    all:\n", values: 3) {
        "    - matches: '((a{1,90}){1,90}){1,3}\($0)'\n"
      },
      many("patterns of wide ranges", set + "  validate:\n    all:\n", values: 3) {
        "    - matches: '(?i)[\\x{80}-\\x{10ffff}]\($0)'\n"
      },
      many("patterns of a dialog", tcp + "  request:\n    dialog:\n", values: 5) {
        "    - expect: { matches: '((a{1,90}){1,90}){1,3}\($0)' }\n"
      },
      many("a long dialog by name", "x: &a '\(long)'\n" + tcp + "  request:\n    dialog:\n", values: 3) { _ in
        "    - send: *a\n"
      },
      many("a long name by name", "x: &a '\(long)'\n" + head + "sets:\n", values: 6) { _ in
        "- { name: *a, urls: ['\(url)'] }\n"
      },
      many(
        "a long body by name", "x: &a '\(long)'\n" + head + "sets:\n- name: a\n  urls:\n", values: 5
      ) {
        "  - { url: 'https://a\($0)/', request: { body: *a } }\n"
      },
      many("a set by name", head + "sets:\n- &a { name: a, urls: [\(url)] }\n", values: 6) { _ in
        "- *a\n"
      },
      many(
        "header fields by name",
        head + "sets:\n- name: a\n  urls:\n  - { url: '\(url)', request: { headers: &a { \(fields) } } }\n",
        values: 1800
      ) { _ in
        "  - { url: '\(url)', request: { headers: *a } }\n"
      },
      HostileFile("a mapping of unknown keys", head + "x:\n" + block + "sets: x\n"),
    ]
  }

  /// A lot for a set, and many URLs in it.
  var plans: [HostileFile] {
    func urls(_ count: Int, _ url: (Int) -> String = { "https://a\($0)/" }) -> String {
      (0..<scaled(count)).map { "  - \(url($0))\n" }.joined()
    }
    func of(
      _ name: String, _ setting: String, tcp isTCP: Bool = false, _ part: String, times: Int = 25_000,
      end: String = ""
    )
      -> HostileFile
    {
      let policy = isTCP ? "policy: { https: optional }\n" : ""
      let list = urls(20_000) { isTCP ? "tcp://a\($0):22" : "https://a\($0)/" }
      let parts = (0..<scaled(times)).map { part.replacing("#", with: "\($0)") }.joined()
      return HostileFile(name, "\(head)\(policy)sets:\n- name: a\n  urls:\n\(list)\(setting)\(parts)\(end)")
    }
    return [
      of("header fields of many URLs", "  request:\n    headers:\n", "      N#: 1\n"),
      of("wrong header fields of many URLs", "  request:\n    headers:\n", "      N#: \"\\x01\"\n"),
      of("a dialog of many URLs", "  request:\n    dialog:\n", tcp: true, "    - send: x#\n"),
      of(
        "rules of connectTo of many URLs", "  request:\n    connectTo:\n", "    - b#:1:c:2\n", times: 20_000),
      of("a validator of many URLs", "  validate:\n    all:\n", "    - status: 200\n", times: 24_000),
      of(
        "a content validator of many URLs", "  validate:\n    all:\n", "    - contains: x#\n", times: 24_000),
      of(
        "classify of many URLs", "  classify:\n", "  - { when: { reason: tls.* }, outcome: failed }\n",
        times: 11_000),
      of(
        "classify by content of many URLs", "  classify:\n",
        "  - { when: { contains: x }, outcome: failed }\n", times: 11_000),
      of("a body of many URLs", "  request:\n    body: '", "xxxxxxxxxxxxxxxxxxxx", times: 25_000, end: "'\n"),
      of(
        "a user agent of many URLs", "  request:\n    userAgent: '", "xxxxxxxxxxxxxxxxxxxx", times: 25_000,
        end: "'\n"),
      of(
        "a method of many URLs", "  request:\n    method: '", "xxxxxxxxxxxxxxxxxxxx", times: 25_000,
        end: "'\n"),
      of(
        "a wrong method of many URLs", "  request:\n    method: '", "xxxxxxxxxx xxxxxxxxx", times: 25_000,
        end: "'\n"),
      of(
        "a bearer of many URLs", "  request:\n    auth: { bearer: '", "xxxxxxxxxxxxxxxxxxxx", times: 25_000,
        end: "' }\n"),
      of("a wrong setting of many URLs", "  request:\n", "", end: "    dialog: [{ send: x }]\n"),
      of("families of many URLs", "", "", end: "  families: [any, v4, v6]\n"),
    ]
  }

  /// Conditions, many or deep.
  var conditions: [HostileFile] {
    func nested(_ open: String, _ depth: Int, _ inner: String, _ close: String) -> String {
      repeated(open, depth) + inner + repeated(close, depth)
    }
    let decide = set + "decide:\n"
    return [
      many("rules of decide", decide, values: 9) { _ in
        "- { when: { set: a, met: true }, verdict: online }\n"
      },
      many("rules of decide with unknown sets", decide, values: 9) {
        "- { when: { set: b\($0), met: true }, verdict: online }\n"
      },
      many("wrong rules of decide", decide, values: 1) { _ in "- x\n" },
      many("empty rules of decide", decide, values: 1) { _ in "- {}\n" },
      many("empty conditions of decide", decide + "- verdict: online\n  when:\n    all:\n", values: 1) { _ in
        "    - {}\n"
      },
      many("unknown sets in one rule", decide + "- verdict: online\n  when:\n    any:\n", values: 5) {
        "    - { set: b\($0), met: true }\n"
      },
      many("deep conditions of decide", decide, values: 126) { _ in
        "- { verdict: online, when: \(nested("{ not: ", 58, "{ set: a, met: true }", " }")) }\n"
      },
      many("deep wrong conditions of decide", decide, values: 120) { _ in
        "- { verdict: online, when: \(nested("{ any: [", 28, "x", "] }")) }\n"
      },
      many("deep validators", set + "  validate:\n    all:\n", values: 120) { _ in
        "    - \(nested("{ not: ", 54, "{ contains: x }", " }"))\n"
      },
      many("deep wrong validators", set + "  validate:\n    all:\n", values: 80) { _ in
        "    - \(nested("{ any: [", 26, "{ contain: x }", "] }"))\n"
      },
      many("rules of classify", set + "  classify:\n", values: 7) { _ in
        "  - { when: { status: 200 }, outcome: failed }\n"
      },
      many("wrong rules of classify", set + "  classify:\n", values: 7) { _ in
        "  - { when: { statu: 200 }, outcome: faild }\n"
      },
      many("reasons", set + "  classify:\n", values: 7) { _ in
        "  - { when: { reason: '\(repeated("*a", 49))' }, outcome: failed }\n"
      },
      many(
        "sets and unknown sets",
        head + "decide:\n"
          + (0..<scaled(7000)).map { "- { when: { set: b\($0), met: true }, verdict: online }\n" }.joined()
          + "sets:\n", values: 6
      ) {
        $0 > scaled(7000) ? "" : "- { name: aa\($0), urls: ['https://a'] }\n"
      },
    ]
  }

  /// Hostile input for the YAML parser itself.
  var syntax: [HostileFile] {
    [
      HostileFile("nothing but line ends", repeated("\n", 1_000_000)),
      HostileFile("nothing but tabs", repeated("\t", 1_000_000)),
      HostileFile("nothing but comments", repeated("#\n", 500_000)),
      HostileFile("nothing but carriage returns", repeated("\r", 1_000_000)),
      HostileFile("tabs in lines", head + repeated("\t\n", 500_000)),
      many("tabs in values", head, values: 2) { "k\($0): a\tb\n" },
      many("tabs before values", head, values: 2) { "k\($0):\tb\n" },
      HostileFile("brackets", repeated("[", 1_000_000)),
      HostileFile("closing brackets", repeated("]", 1_000_000)),
      HostileFile("braces", repeated("{", 1_000_000)),
      HostileFile("brackets of one line", "[" + repeated("[],", 95_000) + "]"),
      HostileFile("pairs without braces", "[" + repeated("a: b, ", 32_000) + "]"),
      HostileFile("split texts", "[" + repeated("a,", 95_000) + "]"),
      HostileFile("keys without values", "{" + (0..<scaled(40_000)).map { "a\($0), " }.joined() + "}"),
      HostileFile("dashes", repeated("- ", 500_000)),
      HostileFile("question marks", repeated("? ", 500_000)),
      HostileFile("colons", repeated(": ", 500_000)),
      HostileFile("exclamation marks", repeated("!a ", 300_000)),
      many("tags", "sets:\n", values: 1) { _ in "- !x a\n" },
      HostileFile("tag directives", (0..<scaled(40_000)).map { "%TAG !a\($0)! x\n" }.joined() + "---\nx\n"),
      HostileFile("anchors without values", repeated("&a ", 300_000)),
      HostileFile("a quote without end", head + "x: \"" + repeated("x ", 500_000)),
      HostileFile("a block with blank lines", head + "x: |\n" + repeated("\n", 1_000_000)),
      HostileFile("a text over many lines", head + "x: a\n" + repeated(" a\n", 330_000)),
      HostileFile("a quoted text over many lines", head + "x: \"a\n" + repeated(" a\n", 330_000) + "\"\n"),
      HostileFile("bytes that are controls", head + repeated("\u{1}", 1_000_000)),
      HostileFile("documents", repeated("---\n", 250_000)),
      HostileFile("a long line", "{ x: " + repeated("[1], ", 190_000)),
      HostileFile("a key of separators", head + "? '" + repeated("_", 1_000_000) + "'\n: 1\n"),
      HostileFile("a key of many words", head + "? '" + repeated("aB", 500_000) + "'\n: 1\n"),
      HostileFile("backslashes", head + "x: '" + repeated("\\", 1_000_000) + "'\n"),
    ]
  }
}
