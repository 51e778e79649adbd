import ProbeBase

/// The links of a Link header field (RFC 8288 §3), parsed leniently.
struct LinkHeader {
  /// A link: its target, as written, and its relations in lower case.
  struct Link: Hashable {
    let reference: String
    let relations: [String]
  }

  /// The links in order, at most 32.
  private(set) var links: [Link] = []

  /// Parses a field's value; invalid links are ignored.
  init(_ value: String) {
    var rest = Substring(value).utf8
    while links.count < 32, let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[rest.index(after: start)...]
      guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return }
      let reference = String(Substring(rest[..<end]))
      rest = rest[rest.index(after: end)...]
      var relations: [String] = []
      while let parameter = Self.takeParameter(&rest) {
        if parameter.name == "rel", relations.isEmpty {
          relations = parameter.value.lowercased().split(separator: " ").map(String.init)
        }
      }
      links.append(Link(reference: reference, relations: relations))
    }
  }

  /// Parses `; name=value` at the front; nil at the end of the link.
  private static func takeParameter(_ rest: inout Substring.UTF8View) -> (name: String, value: String)? {
    rest = rest.drop(while: \.isFieldSpace)
    guard rest.first == UInt8(ascii: ";") else { return nil }
    rest = rest.dropFirst().drop(while: \.isFieldSpace)
    let name = rest.prefix { !$0.isFieldSpace && !Self.ends.contains($0) && $0 != UInt8(ascii: "=") }
    rest = rest[name.endIndex...].drop(while: \.isFieldSpace)
    var value = rest[..<rest.startIndex]
    if rest.first == UInt8(ascii: "=") {
      rest = rest.dropFirst().drop(while: \.isFieldSpace)
      if rest.first == UInt8(ascii: "\"") {
        value = rest.dropFirst().prefix { $0 != UInt8(ascii: "\"") }
        rest = rest[value.endIndex...].dropFirst()
      } else {
        value = rest.prefix { !$0.isFieldSpace && !Self.ends.contains($0) }
        rest = rest[value.endIndex...]
      }
    }
    return (String(Substring(name)).lowercased(), String(Substring(value)))
  }

  private static let ends: [UInt8] = [UInt8(ascii: ";"), UInt8(ascii: ",")]
}
