import FoundationEssentials

/// The ways in which servers encode a character that they quote; independent of the code that decodes them.
package enum Spellings {
  /// The HTML names of the characters in the secrets of these tests.
  private static let names: [Unicode.Scalar: String] = [
    "&": "amp", "<": "lt", ">": "gt", "\"": "quot", "'": "apos", "/": "sol", "+": "plus", "=": "equals",
    "é": "eacute",
    "?": "quest", "\\": "bsol", "%": "percnt", ":": "colon",
  ]

  package static func hex(_ value: UInt32, _ width: Int, uppercase: Bool) -> String {
    let digits = String(value, radix: 16, uppercase: uppercase)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  private static func octal(_ value: UInt32) -> String {
    let digits = String(value, radix: 8)
    return String(repeating: "0", count: 3 - digits.count) + digits
  }

  package static func percent(_ scalar: Unicode.Scalar, uppercase: Bool = false, sign: String = "%") -> String
  {
    String(scalar).utf8.map { sign + hex(UInt32($0), 2, uppercase: uppercase) }.joined()
  }

  package static func form(_ scalar: Unicode.Scalar) -> String {
    scalar == " " ? "+" : scalar.properties.isAlphabetic ? String(scalar) : percent(scalar, uppercase: true)
  }

  package static func named(_ scalar: Unicode.Scalar) -> String {
    names[scalar].map { "&\($0);" } ?? String(scalar)
  }

  package static func json(_ scalar: Unicode.Scalar) -> String {
    "\"\\/".unicodeScalars.contains(scalar) ? "\\\(scalar)" : String(scalar)
  }

  private static func units(_ scalar: Unicode.Scalar, uppercase: Bool) -> String {
    String(scalar).utf16.map { "\\u" + hex(UInt32($0), 4, uppercase: uppercase) }.joined()
  }

  /// The ways to write a character as something that means it, each a function of it alone.
  package static let all: [(name: String, spell: @Sendable (Unicode.Scalar) -> String)] = [
    ("plain", { String($0) }),
    ("percent, capitals", { percent($0, uppercase: true) }),
    ("percent, small letters", { percent($0, uppercase: false) }),
    ("percent, twice", { percent($0, uppercase: false, sign: "%25") }),
    ("percent, three times", { percent($0, uppercase: true, sign: "%2525") }),
    ("form", form),
    ("HTML, names", named),
    ("HTML, decimal", { "&#\($0.value);" }),
    ("HTML, decimal with zeros", { "&#000\($0.value);" }),
    ("HTML, hexadecimal", { "&#x\(hex($0.value, 2, uppercase: false));" }),
    ("HTML, hexadecimal with zeros", { "&#X0000\(hex($0.value, 2, uppercase: true));" }),
    ("HTML, twice", { scalar in names[scalar].map { "&amp;\($0);" } ?? "&amp;#\(scalar.value);" }),
    ("JSON", json),
    ("JSON, numbers", { units($0, uppercase: false) }),
    ("JSON, numbers with capitals", { units($0, uppercase: true) }),
    ("script", { "\\u{\(String($0.value, radix: 16))}" }),
    ("script, two digits", { $0.value > 0xFF ? String($0) : "\\x" + hex($0.value, 2, uppercase: false) }),
    ("bytes of a program", { String($0).utf8.map { "\\x" + hex(UInt32($0), 2, uppercase: false) }.joined() }),
    ("octal bytes of a script", { String($0).utf8.map { "\\" + octal(UInt32($0)) }.joined() }),
    ("CSS", { "\\" + hex($0.value, 6, uppercase: false) }),
    ("CSS, short", { "\\" + hex($0.value, 2, uppercase: true) + " " }),
    ("quoted-printable", { percent($0, uppercase: true, sign: "=") }),
    ("CSS within JSON", { "\\\\" + hex($0.value, 6, uppercase: false) }),
    ("HTML within JSON", { scalar in names[scalar].map { "\\u0026\($0);" } ?? String(scalar) }),
    ("HTML within a URL", { scalar in names[scalar].map { "%26\($0)%3b" } ?? String(scalar) }),
    (
      "HTML in the fragment of a URL",
      { "plain".unicodeScalars.contains($0) ? String($0) : "&%23\($0.value);" }
    ),
    (
      "JSON within a URL",
      { "\"\\/".unicodeScalars.contains($0) ? "%5C" + percent($0, uppercase: true) : String($0) }
    ),
    ("JSON within a script", { "\"\\".unicodeScalars.contains($0) ? "\\\\\\\($0)" : String($0) }),
    ("a URL within HTML", { percent($0, uppercase: true, sign: "&#37;") }),
  ]

  /// The encodings that can be mixed: those that are not nested escapes.
  package static let mixable = all.filter {
    !$0.name.contains("within") && !$0.name.contains("fragment") && !$0.name.contains("twice")
  }

  /// A text with each of its characters in a spelling.
  package static func escaped(_ secret: String, _ spell: (Unicode.Scalar) -> String) -> String {
    secret.unicodeScalars.map(spell).joined()
  }
}

extension Spellings {
  /// A text unchanged, and with its escapes decoded in simple ways that are independent of the redactor.
  package static func readings(of text: String) -> [String] {
    let percent = text.replacing(/(?:%[0-9A-Fa-f]{2})+/) { match in
      String(decoding: match.0.split(separator: "%").compactMap { UInt8($0, radix: 16) }, as: UTF8.self)
    }
    let html = text.replacing(/&#(x?)([0-9A-Fa-f]+);?/) { match in
      UInt32(match.2, radix: match.1.isEmpty ? 10 : 16).flatMap { Unicode.Scalar($0) }.map { String($0) }
        ?? "?"
    }
    let script = text.replacing(/\\u([0-9A-Fa-f]{4})/) { match in
      UInt32(match.1, radix: 16).flatMap { Unicode.Scalar($0) }.map { String($0) } ?? "?"
    }
    let packed = text.replacing("%2B", with: "+").replacing("%2F", with: "/").replacing("\\/", with: "/")
      .replacing("-", with: "+").replacing("_", with: "/")
      .matches(of: /[A-Za-z0-9+\/]{8,}/)
    let unpacked = packed.flatMap { match in
      (0..<4).compactMap { offset in
        let run = match.0.utf8.dropFirst(offset)
        return Data(base64Encoded: Data(run.prefix(run.count / 4 * 4))).map {
          String(decoding: $0, as: UTF8.self)
        }
      }
    }
    return [text, percent, html, script] + unpacked
  }
}

/// Base64 of bytes by Foundation, as four kinds of programs write it.
package func base64(_ bytes: some Sequence<UInt8>, urlSafe: Bool = false, padded: Bool = true) -> String {
  var text = Data(bytes).base64EncodedString()
  if urlSafe { text = String(text.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }) }
  return padded ? text : String(text.prefix { $0 != "=" })
}
