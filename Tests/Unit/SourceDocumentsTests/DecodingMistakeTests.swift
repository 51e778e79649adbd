import Validators
import ProbeCore
import SourceDocuments
import Transports
import TestSupport
import Testing

/// The messages for values that cannot be decoded.
@Suite struct DecodingMistakeTests {
  private func messages<Value: Decodable>(_ type: Value.Type, _ texts: [String]) -> String {
    section("\(type)", texts) { DecodedTypes.decode(type, $0).findings }
  }

  private func messages<Validator: ConfigurableValidator>(validator: Validator.Type, _ texts: [String])
    -> String
  {
    section(Validator.name, texts) { text in
      DecodedTypes.make(text) { (options: Validator.Options) in try Validator(options: options) }.findings
    }
  }

  private func section(_ name: String, _ texts: [String], _ findings: (String) -> [SourceFinding]) -> String {
    texts.map { text in
      let found = findings(text)
      let lines = found.isEmpty ? "nothing wrong\n" : found.map { "\($0)\n" }.joined()
      return "## \(name)\n\(text)\n# finds\n\(lines)"
    }.joined(separator: "\n") + "\n"
  }

  @Test func declaredTypes() throws {
    let text =
      messages(
        DecodedTypes.Plain.self,
        [
          "name: [x]\ncount: a\nratio: big\nisOn: no\ntiny: 256\ncolour: gren\ninner: x\ntags: x\nnames: []\n",
          "nmae: x\ncuont: 1\nxyzzy: 2\n",
          "name: x\ncount: \"1\"\nratio: \"1\"\nisOn: \"true\"\ntiny: -1\ncolour: [red]\n",
          "name:\ncount: ~\n",
          "name: x\ncount: 1\ninner: { number: x, dep: y }\ninners: [{ deep: a }, { deep: [] }, { number: 1 }, 7]\n",
          "name: x\ncount: 1\nnames: { a: 1, b: x, c: \"3\" }\ntags: [a, [b], { c: d }]\n",
          "- name: x\n", "x", "name: x\ncount: 99999999999999999999\nratio: 1e999\n",
        ])
      + messages(
        DecodedTypes.Timed.self, ["wait: 5\nwaits: [1s, soon, []]\n", "waits: 1s", "wait: 5s\nwait: 6s\n"])
      + messages(
        DecodedTypes.Either.self, ["a", "[1]", "low: 1", "low: 1\nhigh: x\nhihg: 2", "low: x\nhigh: y"])
      + messages(
        DecodedTypes.Tree.self,
        ["label: a\nchildren: [{ label: b, children: [{ lable: c }, x] }, { label: [] }]"])
    #expect(try text == Snapshot("decoding", is: text).text)
  }

  /// Types without a schema: the first error, and the unknown keys.
  @Test func typesWithoutASchema() throws {
    let text =
      messages(
        DecodedTypes.Undeclared.self,
        [
          "name: [x]\ncount: a\n", "nmae: x\ncuont: 1\nxyzzy: 2\n", "name: x\n", "x", "name: x\ncount:\n",
          "name: x\ncount: 1\ncolour: gren\n", "name: x\ncount: 1\ninner: { deep: x, dep: y }\nmore: z\n",
        ])
      + messages(
        DecodedTypes.Nested.self,
        [
          "outer: {}\nlist: [a]\n", "outer: { value: x, more: 1 }\nlist: {}\nbase: { nam: x }\n",
          "outer: { value: 1 }\nlist: [[], maybe]\nbase: []\nlost: 1\n",
        ])
      + messages(DecodedTypes.OneOf.self, ["left: a\nright: b", "{}", "left: []\n", "lefd: a\n"])
      + messages(DecodedTypes.Even.self, ["abc", "[]"])
      + messages(
        DecodedTypes.Loose.self, ["even: abc\ncolour: rde\nmore: 1", "even: ab\nmore: 1\ncolor: red\n"])
      + messages([String: DecodedTypes.Even].self, ["a: abc\nb: [ab]\nc: ab"])
    #expect(try text == Snapshot("undeclared", is: text).text)
  }

  @Test func options() throws {
    let text =
      messages(
        validator: EqualsValidator.self,
        ["text: a\ntrmi: false\ncaseless: yes", "[a]", "trim: false", "txet: a"])
      + messages(validator: ContainsValidator.self, ["\"\"", "text: \"\"\ncaseless: true"])
      + messages(
        validator: MatchesValidator.self,
        [
          "ab(c", "pattern: \"ab(c\"\noptions: [caseless]", "pattern: a\noptions: [multiline, caselss]",
          "patern: a\noptions: caseless", "pattern: 'x[a'\nopts: []",
        ])
      + messages(validator: StatusValidator.self, ["2x", "[204, 99, 2xx]", "[]", "[[]]", "{}", "300-200"])
      + messages(
        validator: HeaderValidator.self,
        [
          "Server:", "\"Server: x\"", "name: a b\nequals: x", "name: Server\nmatches: \"n(ew\"",
          "name: Server\nmatches: { pattern: \"n(ew\", option: [] }", "name: Server\neqals: x",
          "name: Server\nmatches: { options: [x] }\npresent: 1", "name: Server\nequals: x\npresent: true",
          "name: Server\npresent: true\ncaseless: true",
        ])
      + messages(validator: CertificateValidator.self, ["14", "expiresAfter: 14 days", "expires: 14d"])
      + messages(
        validator: LatencyValidator.self, ["5", "below: 800\nphase: dns", "below: 0s", "phase: total"])
    #expect(try text == Snapshot("options", is: text).text)
  }

  @Test func dialogsAndSecrets() throws {
    let text =
      messages(
        Dialog.self,
        [
          "- expect: { matches: \"ab(c\", timeout: 5 }\n- send: \"a\\\\q\"\n- reject: x\n",
          "- expct: x\n- send: [x]\n- expect: x\n  send: y\n", "[]", "send: x",
        ])
      + messages(SecretSource.self, ["env: A\nfile: b", "evn: A", "[]", "env: []", "{}"])
    #expect(try text == Snapshot("dialogs", is: text).text)
  }
}
