/// A pipeline file that keeps the program busy: within the limits of size, depth and number of values, and
/// as expensive as possible within them.
package struct HostileFile: Sendable {
  /// The name of the attack.
  package let name: String
  package let text: String

  init(_ name: String, _ text: String) {
    self.name = name
    self.text = text
  }
}

/// Creates hostile files.
package struct HostileFiles {
  /// The divisor of the loader's limits for each file: 1 for the full limits, 20 for a twentieth.
  let share: Int

  /// Creates files with a fraction of the maximum size.
  package init(share: Int) {
    self.share = share
  }

  package var all: [HostileFile] { keys + lists + texts + anchors + plans + conditions + syntax }

  /// A pipeline with a part repeated up to the limits; each copy consists of this many values.
  func many(
    _ name: String, _ start: String, values each: Int, end: String = "", part: (Int) -> String
  ) -> HostileFile {
    // A little less than the limits.
    let (bytes, values) = (1_040_000 / share, 99_000 / share)
    var text = start
    var size = text.utf8.count + end.utf8.count
    var count = 0
    while (count + 1) * each < values {
      let next = part(count)
      size += next.utf8.count
      guard size <= bytes else { break }
      text += next
      count += 1
    }
    return HostileFile(name, text + end)
  }

  /// A text repeated this many times, reduced by the fraction.
  func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: scaled(count)) }

  /// A share of a large number.
  func scaled(_ count: Int) -> Int { count > 1000 ? count / share : count }
}

/// The common start of most files.
extension HostileFiles {
  var head: String { "version: 1\nname: x\n" }
  var url: String { "https://a.example/" }
  var set: String { head + "sets:\n- name: a\n  urls: [\(url)]\n" }
  var tcp: String {
    head + "policy: { https: optional }\nsets:\n- name: a\n  urls: [tcp://a.example:22]\n"
  }
}

/// Very many keys.
extension HostileFiles {
  var keys: [HostileFile] {
    [
      many("unknown keys of the pipeline", head, values: 2) { "k\($0): 1\n" },
      many("unknown keys of a set", set, values: 2) { "  k\($0): 1\n" },
      many("unknown keys of a request", set + "  request:\n", values: 2) { "    timeou\($0): 1\n" },
      many("unknown keys of a validator", set + "  validate:\n    header:\n", values: 2) {
        "      k\($0): 1\n"
      },
      many("a validator with many names", set + "  validate:\n", values: 2) { "    contain\($0): 1\n" },
      many("a validator given over and over", set + "  validate:\n    all:\n", values: 3) { _ in
        "    - matches: '['\n"
      },
      many("header fields", set + "  request:\n    headers:\n", values: 2) { "      N\($0): 1\n" },
      many("header fields with wrong names", set + "  request:\n    headers:\n", values: 2) {
        "      \"N \($0)\": 1\n"
      },
      many("header fields with wrong values", set + "  request:\n    headers:\n", values: 2) {
        "      N\($0): {}\n"
      },
      many("a key over and over", head, values: 2) { _ in "k: 1\n" },
      many("a key over and over in one line", "{ ", values: 2, end: "}") { _ in "k: 1, " },
      many("unknown keys in one line", "{ ", values: 2, end: "}") { "k\($0): 1, " },
      many("keys that are no texts", head, values: 3) { _ in "? []\n: 1\n" },
      many("keys that collide but for their end", head, values: 2) { "\(repeated("k", 8))\($0): 1\n" },
    ]
  }
}

/// Very many items.
extension HostileFiles {
  var lists: [HostileFile] {
    [
      many("URLs", head + "sets:\n- name: a\n  urls:\n", values: 1) { "  - https://a\($0)/\n" },
      many("texts for URLs", head + "sets:\n- name: a\n  urls:\n", values: 1) { _ in "  - x\n" },
      many("lists for URLs", head + "sets:\n- name: a\n  urls:\n", values: 1) { _ in "  - []\n" },
      many("mappings for URLs", head + "sets:\n- name: a\n  urls:\n", values: 1) { _ in "  - {}\n" },
      many("plain URLs", head + "sets:\n- name: a\n  urls:\n", values: 1) { "  - http://a\($0)/\n" },
      many("URLs of unknown schemes", head + "sets:\n- name: a\n  urls:\n", values: 1) {
        "  - htps\($0)://a/\n"
      },
      many("URLs with a wrong request", head + "sets:\n- name: a\n  urls:\n", values: 5) { _ in
        "  - { url: \(url), request: { timeout: x } }\n"
      },
      many("URLs with a wrong validator", head + "sets:\n- name: a\n  urls:\n", values: 5) {
        "  - { url: 'https://a\($0)', validate: { matches: '(' } }\n"
      },
      many("URLs with a request each", head + "sets:\n- name: a\n  urls:\n", values: 11) {
        "  - { url: 'https://a\($0)', request: { timeout: 1s, retries: 1, maxBody: 1KiB } }\n"
      },
      many("sets", head + "sets:\n", values: 6) { "- { name: a\($0), urls: ['https://a\($0)'] }\n" },
      many("sets of one name", head + "sets:\n", values: 6) { _ in "- { name: a, urls: ['\(url)'] }\n" },
      many("sets without URLs", head + "sets:\n", values: 5) { "- { name: a\($0), urls: [] }\n" },
      many("empty sets", head + "sets:\n", values: 1) { _ in "- {}\n" },
      many("texts for sets", head + "sets:\n", values: 1) { _ in "- x\n" },
      many("thresholds that cannot be met", head + "sets:\n", values: 8) {
        "- { name: a\($0), urls: ['https://a\($0)'], threshold: 2 }\n"
      },
      many("texts for steps of a dialog", tcp + "  request:\n    dialog:\n", values: 1) { _ in
        "    - x\n"
      },
      many("lists for steps of a dialog", tcp + "  request:\n    dialog:\n", values: 1) { _ in
        "    - []\n"
      },
      many("unknown steps of a dialog", tcp + "  request:\n    dialog:\n", values: 3) {
        "    - { sen\($0): x }\n"
      },
      many("steps of a dialog", tcp + "  request:\n    dialog:\n", values: 3) { "    - { send: x\($0) }\n" },
      many("steps of a dialog with wrong patterns", tcp + "  request:\n    dialog:\n", values: 5) { _ in
        "    - { expect: { matches: '(' } }\n"
      },
      many("steps of a dialog with groups", tcp + "  request:\n    dialog:\n", values: 5) {
        "    - { expect: { matches: '(?<g\($0)>x)' } }\n"
      },
      many("unknown groups in a dialog", tcp + "  request:\n    dialog:\n", values: 3) {
        "    - { send: \"${g\($0)}\" }\n"
      },
      many("rejects in a dialog", tcp + "  request:\n    dialog:\n", values: 3) {
        "    - { reject: x\($0) }\n"
      },
      many("statuses", set + "  validate:\n    status:\n", values: 1) { _ in "    - 200\n" },
      many("wrong statuses", set + "  validate:\n    status:\n", values: 1) { _ in "    - x\n" },
      many(
        "wrong options of a pattern", set + "  validate:\n    matches:\n      pattern: x\n      options:\n",
        values: 1
      ) {
        "      - o\($0)\n"
      },
      many("rules of connectTo", set + "  request:\n    connectTo:\n", values: 1) { _ in "    - a:1:b:2\n" },
      many("wrong rules of connectTo", set + "  request:\n    connectTo:\n", values: 1) { _ in "    - a\n" },
      many("families", set + "  families:\n", values: 1) { _ in "  - v4\n" },
      many("wrong families", set + "  families:\n", values: 1) { _ in "  - v5\n" },
    ]
  }
}

/// Very long texts.
extension HostileFiles {
  var texts: [HostileFile] {
    let long = repeated("x", 1_000_000)
    return [
      HostileFile("a long URL", head + "sets:\n- name: a\n  urls: ['https://\(long)/']\n"),
      HostileFile("a long name", "version: 1\nname: \(long)\nsets: x\n"),
      HostileFile("a long text to send", tcp + "  request:\n    dialog:\n    - send: '\(long)'\n"),
      HostileFile(
        "a text to send of escapes",
        tcp + "  request:\n    dialog:\n    - send: '\(repeated("\\x", 500_000))'\n"),
      HostileFile("a long text to expect", tcp + "  request:\n    dialog:\n    - expect: '\(long)'\n"),
      HostileFile(
        "long hexadecimal digits",
        tcp + "  request:\n    dialog:\n    - sendHex: '\(repeated("0a ", 330_000))'\n"),
      HostileFile("a long pattern", set + "  validate: { matches: '\(long)' }\n"),
      HostileFile("a pattern of groups", set + "  validate: { matches: '\(repeated("(a)|", 250_000))' }\n"),
      HostileFile(
        "a pattern of large counts",
        set + "  validate: { matches: '\(repeated("((a{999}){9}){9}", 60_000))' }\n"),
      HostileFile(
        "a pattern of classes", set + "  validate: { matches: '\(repeated("[\\p{L}x-z]", 90_000))' }\n"),
      many("patterns", set + "  validate:\n    all:\n", values: 3) { "    - matches: '(a\($0)|b)+c*'\n" },
      many("patterns of large counts", set + "  validate:\n    all:\n", values: 3) {
        "    - matches: '((a\($0)){255}){255}'\n"
      },
      many("patterns without case", set + "  validate:\n    any:\n", values: 7) {
        "    - equals: { text: 'a\($0)', caseless: true }\n"
      },
      HostileFile("a long text to look for", set + "  validate: { contains: '\(long)' }\n"),
      HostileFile("a long body", set + "  request: { body: '\(long)' }\n"),
      HostileFile("a long unknown key", head + "? \(long)\n: 1\n"),
      HostileFile("a long wrong word", set + "  run: \(long)\n"),
      HostileFile("a long threshold", set + "  threshold: \(repeated("9", 1_000_000))\n"),
      HostileFile("a long time", set + "  request: { timeout: \(repeated("9", 1_000_000))s }\n"),
      HostileFile("a long number", set + "  request: { retries: \(repeated("9", 1_000_000)) }\n"),
      HostileFile(
        "escapes of surrogates", "{\"version\":1,\"name\":\"\(repeated("\\ud83d\\ude00", 86_000))\"}"),
      HostileFile("halves of surrogates", "{\"version\":1,\"name\":\"\(repeated("\\ud83d", 170_000))\"}"),
      HostileFile(
        "characters that are not ASCII", "version: 1\nname: '\(repeated("é", 500_000))'\nsets: x\n"),
      HostileFile(
        "controls to be escaped", "version: 1\nname: \"\(repeated("\\u0001", 170_000))\"\nsets: x\n"),
    ]
  }
}
