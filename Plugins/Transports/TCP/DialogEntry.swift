internal import Validators
internal import ProbeCore

/// One step in a file, with its problems; decoding it never fails, so that all steps are decoded.
struct DialogEntry: Decodable {
  private(set) var step: Dialog.Step?
  private(set) var problems: [InvalidDialog.Problem] = []

  private static let kinds = ["send", "sendHex", "expect", "reject", "starttls"]

  init(from decoder: any Decoder) throws {
    read(decoder)
  }

  private mutating func read(_ decoder: any Decoder) {
    guard let fields = try? decoder.container(keyedBy: OptionKey.self) else {
      return note(
        nil, "a step must be one key with its value",
        remedy: #"write it as { send: "QUIT\r\n" } or { starttls: true }"#)
    }
    let keys = fields.allKeys.map(\.stringValue).sorted()
    let unknown = keys.filter { !Self.kinds.contains($0) }
    for key in unknown { noteUnknown(nil, key, known: Self.kinds) }
    let kinds = keys.filter(Self.kinds.contains)
    guard kinds.count < 2 else {
      return note(
        nil, "a step has both \(kinds.joined(separator: " and "))",
        remedy: "write a step for each, in order")
    }
    guard let kind = kinds.first else {
      if !unknown.isEmpty { return }
      return note(nil, "the step is empty", remedy: "use one of \(Self.kinds.joined(separator: ", "))")
    }
    let value = SearchTermFields(fields, kind)
    switch kind {
    case "starttls":
      let key = OptionKey(stringValue: kind)
      guard
        (try? fields.decodeNil(forKey: key)) == true || (try? fields.decode(Bool.self, forKey: key)) == true
      else { return note(kind, "neither true nor empty", remedy: "write it as { starttls: true }") }
      step = .startTLS
    case "send" where value.fields != nil:
      do {
        step = .send(secret: try fields.decode(SecretSource.self, forKey: "send"))
      } catch {
        note(
          kind,
          error as? InvalidInput
            ?? InvalidInput(
              "neither a text nor a secret", remedy: #"write it as "QUIT\r\n" or { env: NAME }"#))
      }
    case "send", "sendHex":
      guard let text = value.text else {
        return note(
          kind, "not a text", remedy: kind == "send" ? #"write it as "QUIT\r\n""# : #"write it as "16 03 01""#
        )
      }
      step = kind == "send" ? .send(text) : .sendHex(text)
    case "expect":
      guard let term = term(value, in: kind, allowsLimits: true) else { return }
      step = .expect(term, timeout: timeout(value), maxBytes: maxBytes(value))
    default:
      step = term(value, in: kind, allowsLimits: false).map { .reject($0) }
    }
  }
}

extension DialogEntry {
  private mutating func note(_ key: String?, _ message: String, remedy: String) {
    note(key, InvalidInput(message, remedy: remedy))
  }

  private mutating func note(_ key: String?, _ input: InvalidInput) {
    problems.append(InvalidDialog.Problem(key: key, input))
  }

  private mutating func noteUnknown(_ location: String?, _ key: String, known: [String]) {
    let names = known.joined(separator: ", ")
    let nearest = nearestName(to: key, among: known)
    note(
      location, "unknown key \(Excerpt(key))",
      remedy: nearest.map { "did you mean \($0)?" } ?? "use one of \(names)")
  }

  private mutating func term(
    _ value: SearchTermFields, in kind: String, allowsLimits: Bool
  ) -> Dialog.SearchTerm? {
    if let text = value.text { return .text(text) }
    guard let fields = value.fields else {
      note(kind, "neither a text nor an object", remedy: #"write it as "220 " or { matches: "^220" }"#)
      return nil
    }
    let keys = fields.allKeys.map(\.stringValue).sorted()
    let forms = ["text", "hex", "matches"]
    for key in keys where !(forms + ["caseless", "timeout", "maxBytes"]).contains(key) {
      noteUnknown(kind, key, known: forms + ["caseless"] + (allowsLimits ? ["timeout", "maxBytes"] : []))
    }
    for key in keys where !allowsLimits && ["timeout", "maxBytes"].contains(key) {
      note("\(kind).\(key)", "a reject does not wait", remedy: "move it to the expect that follows")
    }
    let given = keys.filter(forms.contains)
    guard given.count == 1, let form = given.first else {
      let message = given.isEmpty ? "no text, hex or matches" : "more than one of text, hex and matches"
      note(kind, message, remedy: "use one of text, hex and matches")
      return nil
    }
    let caseless = caseless(fields, form, in: kind)
    if form == "matches" { return pattern(fields, in: kind) }
    guard let text = try? fields.decode(String.self, forKey: OptionKey(stringValue: form)) else {
      note("\(kind).\(form)", "not a text", remedy: "put it into quotation marks")
      return nil
    }
    return form == "hex" ? .hex(text) : .text(text, caseless: caseless)
  }

  private mutating func caseless(
    _ fields: KeyedDecodingContainer<OptionKey>, _ form: String, in kind: String
  ) -> Bool {
    guard fields.contains("caseless") else { return false }
    guard form == "text" else {
      let remedy = form == "hex" ? "omit it" : "write it as matches: { pattern: …, options: [caseless] }"
      note("\(kind).caseless", "only a text can be caseless", remedy: remedy)
      return false
    }
    guard let caseless = try? fields.decode(Bool.self, forKey: "caseless") else {
      note("\(kind).caseless", "neither true nor false", remedy: "write true, or omit it")
      return false
    }
    return caseless
  }

  private mutating func pattern(
    _ fields: KeyedDecodingContainer<OptionKey>, in kind: String
  ) -> Dialog.SearchTerm? {
    let key = "\(kind).matches"
    if let pattern = try? fields.decode(String.self, forKey: "matches") { return .matches(pattern) }
    guard let inner = try? fields.nestedContainer(keyedBy: OptionKey.self, forKey: "matches"),
      let options = try? fields.decode(MatchesValidator.Options.self, forKey: "matches")
    else {
      note(
        key, "not a pattern", remedy: #"write it as "^220 " or { pattern: "^220 ", options: [multiline] }"#)
      return nil
    }
    for name in inner.allKeys.map(\.stringValue).sorted() where !["pattern", "options"].contains(name) {
      noteUnknown(key, name, known: ["pattern", "options"])
    }
    return .matches(options.pattern, options: options.options)
  }

  private mutating func timeout(_ value: SearchTermFields) -> Duration? {
    guard let fields = value.fields, fields.contains("timeout") else { return nil }
    guard let text = try? fields.decode(String.self, forKey: "timeout") else {
      note("expect.timeout", "not a time", remedy: #"write it as "2s" or "800ms""#)
      return nil
    }
    do throws(InvalidInput) {
      return try ValueSyntax.duration(text, in: DialogLimits.timeouts)
    } catch {
      note("expect.timeout", error)
      return nil
    }
  }

  private mutating func maxBytes(_ value: SearchTermFields) -> Int? {
    guard let fields = value.fields, fields.contains("maxBytes") else { return nil }
    if let count = try? fields.decode(Int.self, forKey: "maxBytes") { return count }
    guard let text = try? fields.decode(String.self, forKey: "maxBytes") else {
      note("expect.maxBytes", "not a number of bytes", remedy: #"write it as 4096 or "4KiB""#)
      return nil
    }
    do throws(InvalidInput) {
      return try ValueSyntax.byteCount(text, in: DialogLimits.sizes)
    } catch {
      note("expect.maxBytes", error)
      return nil
    }
  }
}

/// The value of a step: a text, or a mapping.
private struct SearchTermFields {
  let text: String?
  let fields: KeyedDecodingContainer<OptionKey>?

  init(_ fields: KeyedDecodingContainer<OptionKey>, _ kind: String) {
    let key = OptionKey(stringValue: kind)
    text = try? fields.decode(String.self, forKey: key)
    self.fields = try? fields.nestedContainer(keyedBy: OptionKey.self, forKey: key)
  }
}
