internal import ProbeCore

/// A charset that the web knows: the encodings of the WHATWG Encoding Standard (https://encoding.spec.whatwg.org/).
///
/// Labels are the standard's too, so that `latin1` means windows-1252 and `gb2312` means gbk, as in browsers.
public struct Charset: Hashable, Sendable {
  private let row: Int

  /// The charset that a label names (Encoding Standard §4.2 "get an encoding"), or nil for one that is not known.
  ///
  /// - Parameter label: The label in any case, with or without ASCII white space around it.
  public init?(label: some Collection<UInt8>) {
    let letters = label.drop(while: \.isASCIISpace).map(\.asciiLowercased)
    let name = letters.lastIndex { !$0.isASCIISpace }.map { letters[...$0] } ?? []
    // The longest label has 19 bytes; a server may send any number.
    guard name.count < 32, let row = Self.rows[String(decoding: name, as: UTF8.self)] else { return nil }
    self.row = row
  }

  /// The charset with a name of the standard.
  private init(named name: String) {
    row = CharsetLabels.all.firstIndex { $0.name == name } ?? 0
  }

  private init(row: Int) {
    self.row = row
  }

  /// The name as in the standard, in lower case, such as `windows-1251`.
  public var name: String { CharsetLabels.all[row].name }

  var method: CharsetLabels.Method { CharsetLabels.all[row].method }

  private static let rows: [String: Int] = {
    var rows: [String: Int] = [:]
    for (row, charset) in CharsetLabels.all.enumerated() {
      for label in charset.labels.split(separator: " ") { rows[String(label)] = row }
    }
    return rows
  }()
}

extension Charset {
  /// UTF-8, the first of the list.
  public static let utf8 = Charset(row: 0)
  /// UTF-16 with the low byte first.
  public static let utf16le = Charset(named: "utf-16le")
  /// UTF-16 with the high byte first.
  public static let utf16be = Charset(named: "utf-16be")
  /// The one that Western pages mean when they say ISO 8859-1 or ASCII.
  public static let windows1252 = Charset(named: "windows-1252")
  /// A private use: bytes above 0x7F stand for themselves.
  static let userDefined = Charset(named: "x-user-defined")

  /// Every charset of the standard, in its order.
  public static let all = CharsetLabels.all.indices.map { Charset(row: $0) }

  /// Every label of the charset, in lower case.
  public var labels: [String] { CharsetLabels.all[row].labels.split(separator: " ").map(String.init) }
}

extension Charset: CustomStringConvertible {
  /// The name.
  public var description: String { name }
}

extension UInt8 {
  /// ASCII white space as the web's standards have it (Infra Standard §4.6).
  var isASCIISpace: Bool {
    self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 || self == 0x0C
  }
}
