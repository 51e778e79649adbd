import ProbeCore

// What values of a fixture look like beyond what their readers say: for editors, so that they see a mistake while it is
// made. Each takes all that the loader does.
extension ValueSchema {
  /// A token, such as a method or the name of a header field, as a part of a pattern (RFC 9110 §5.6.2).
  static var token: String { "[!#$%&'*+.^_`|~0-9A-Za-z-]+" }

  /// An absolute URL.
  static var absoluteURL: ValueSchema {
    .text(
      pattern: #"^[A-Za-z][0-9A-Za-z+.-]*://[^\u0000-\u0020\u007f]+$"#, canBeNumber: false,
      canBeBoolean: false, examples: ["http://192.0.2.1/login"])
  }

  /// A day of the calendar.
  static var day: ValueSchema {
    .text(
      pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$", canBeNumber: false, canBeBoolean: false,
      examples: ["2026-11-21"])
  }

  /// An address of IPv4 or IPv6.
  static var address: ValueSchema {
    .text(
      pattern: #"^([0-9]{1,3}(\.[0-9]{1,3}){3}|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*)$"#, canBeNumber: false,
      canBeBoolean: false, examples: ["192.0.2.1"])
  }

  /// A port, or a pattern of ports.
  static var port: ValueSchema {
    let text = ValueSchema.text(
      pattern: #"^([1-9][0-9]{0,4}|[0-9]*\*[0-9*]*)$"#, canBeNumber: false, canBeBoolean: false)
    return .anyOf([.integer(in: 1...65_535), text])
  }

  /// A pattern of paths, with a query or without: visible ASCII but for `#`.
  static var path: ValueSchema {
    .text(pattern: #"^[/*][!"$-~]*$"#, canBeNumber: false, canBeBoolean: false, examples: ["/generate_204"])
  }

  /// A line of a header.
  static var headerLine: ValueSchema {
    .text(
      pattern: #"^\#(token):[^\u0000\r\n]*$"#, canBeNumber: false, canBeBoolean: false,
      examples: ["Content-Type: text/html"])
  }
}
