internal import ProbeCore

/// The words in the names in a page's markup: ids, classes, names of fields and forms, file names.
///
/// Such a name consists of technical words, mostly English, joined by capitals, underscores and hyphens. A
/// block in it is a part of the layout, so `cssBlock` does not indicate blocking.
enum IdentifierWords {
  /// Counts the words in a name, such as two in `login_form_voucher`.
  ///
  /// - Parameter name: The name; any bytes, and any number of names with separators between them.
  /// - Returns: The words found, by topic.
  static func tally(_ name: Span<UInt8>) -> WordTally {
    vocabulary.tally(split(name).span, in: .all)
  }

  /// Whether a name that is split into its words has one of a login.
  static func areOfLogin(_ names: FoldedText) -> Bool {
    vocabulary.tally(names, in: .all)[.login].distinct > 0
  }

  /// The vocabulary of names, separate from that of prose.
  static let vocabulary = Vocabulary([PackageResources.identifiers_txt], matching: .stems)

  /// What a field asks for; elsewhere in a page the words may have other meanings.
  static let ofFields = Vocabulary([PackageResources.fields_txt], matching: .stems)

  /// The name with a space before each of its words (`clientMac`, `HTMLForm`), and with digits replaced by spaces.
  static func split(_ name: Span<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(name.count + name.count / 4)
    for index in 0..<name.count {
      let byte = name[index]
      if isBeginning(index, in: name) { text.append(UInt8(ascii: " ")) }
      text.append(byte.isASCIIDigit ? UInt8(ascii: " ") : byte)
    }
    return text
  }

  /// Whether a capital begins a word inside a name: the one of `Mac` in `clientMac`, the last one in `HTMLForm`.
  static func isBeginning(_ index: Int, in name: Span<UInt8>) -> Bool {
    guard index > 0, name[index].isASCIIUppercase else { return false }
    let before = name[index - 1]
    return before.isASCIILowercase
      || before.isASCIIUppercase && index + 1 < name.count && name[index + 1].isASCIILowercase
  }
}
