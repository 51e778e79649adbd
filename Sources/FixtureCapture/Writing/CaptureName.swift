import ProbeCore

/// Names for the routes and files of a capture: a number, the host, and the end of the path.
enum CaptureName {
  private static let longest = 60

  /// A name of lower-case letters, digits, dots and dashes.
  static func make(_ number: Int, _ url: ProbeURL) -> String {
    let last = url.path.split(separator: "/").last.map { "-\($0)" } ?? ""
    let text = (url.host + last).lowercased()
    var name = number < 10 ? "0\(number)-" : "\(number)-"
    for byte in text.utf8 {
      let isPlain = byte.isASCIILowercase || byte.isASCIIDigit || byte == UInt8(ascii: ".")
      let next = isPlain ? Character(UnicodeScalar(byte)) : "-"
      if next == "-", name.last == "-" { continue }
      name.append(next)
    }
    name = String(name.prefix(longest))
    while let last = name.last, last == "-" || last == "." { name.removeLast() }
    return name
  }
}
