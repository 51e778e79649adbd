import ProbeCore
import SourceDocuments

extension FieldReader where Value == SessionRules {
  /// The owner of the state, and the limits that end a state.
  static var session: FieldReader {
    .mapping { reader in
      let owner = reader.optional(
        "by", .sessionOwner, default: "server",
        summary:
          "whose state it is: server, one for all clients; address, one for each client address; or cookie with a name, one for "
          + "each value of the cookie, which the server sets")
      let limits = reader.optional(
        "limits", .stateLimits, default: "none",
        summary: "the limits that end a state, by the name of the state")
      // Nil after an error in the limits, because they name states.
      if limits == nil, reader.node.entry("limits") != nil { return nil }
      return SessionRules(by: owner ?? .server, limits: limits ?? [:])
    }
  }
}

extension FieldReader where Value == SessionRules.Owner {
  /// `server`, `address` or `{ cookie: NAME }`.
  fileprivate static var sessionOwner: FieldReader {
    let words: [String: SessionRules.Owner] = ["server": .server, "address": .address]
    let word = FieldReader.text("a word or a mapping", schema: .choice(words.keys.sorted())) {
      (text) throws(InvalidInput) in
      if let owner = words[text] { return owner }
      let nearest = nearestName(to: text, among: words.keys.sorted()).map { "did you mean \($0)?" }
      throw InvalidInput(
        "\(Excerpt(text)) cannot own states",
        remedy: nearest ?? "use server, address, or { cookie: NAME }")
    }
    let cookie = FieldReader.mapping { reader in
      let name = reader.required(
        "cookie", .cookieName, example: "session", summary: "the name of the cookie")
      return name.map { .cookie($0) }
    }
    return anyOf(scalar: word, mapping: cookie)
  }
}

extension FieldReader where Value == String {
  /// The name of a cookie (RFC 6265 §4.1.1).
  fileprivate static var cookieName: FieldReader {
    .text("a name", schema: .text(pattern: "^\(ValueSchema.token)$")) { (text) throws(InvalidInput) in
      guard !text.isEmpty, text.utf8.allSatisfy(\.isTokenCharacter) else {
        throw InvalidInput(
          "\(Excerpt(text)) is not the name of a cookie",
          remedy: "use letters, digits and - or _, such as session")
      }
      return text
    }
  }
}

extension FieldReader where Value == [String: StateLimit] {
  /// The limits by the name of the state.
  fileprivate static var stateLimits: FieldReader {
    FieldReader<[(entry: SourceEntry, value: StateLimit)]>.dictionary(of: .stateLimit).map { pairs, _, _ in
      Dictionary(pairs.map { ($0.entry.key, $0.value) }) { first, _ in first }
    }
  }
}

extension FieldReader where Value == StateLimit {
  fileprivate static var stateLimit: FieldReader {
    .mapping { reader in
      let after = reader.optional(
        "after", .duration(in: .milliseconds(1) ... .seconds(366 * 86_400)),
        summary: "the time since the state was entered")
      let bytes = reader.optional(
        "bytes", .byteCount(in: 1...1 << 50),
        summary: "the bytes of requests and responses since the state was entered")
      let next = reader.required("goto", .line, example: "captive", summary: "the state that follows")
      if reader.node.entry("after") == nil, reader.node.entry("bytes") == nil, reader.node.isComplete,
        !reader.isAskedForSchema
      {
        reader.findings.add(
          "the limit has neither a time nor a number of bytes",
          remedy: "add after, such as after: 30m, or bytes, such as bytes: 100MB", at: reader.node)
      }
      return next.map { StateLimit(after: after, bytes: bytes, goto: $0) }
    }
  }
}
