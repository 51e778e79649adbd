internal import ProbeCore

/// What the names in a page's markup say: ids, classes, names of fields and forms, file names.
///
/// Such a name is made of words of its author's trade, mostly English, glued by capitals, underscores and hyphens. A
/// block in it is a piece of layout, so that `cssBlock` says nothing of being blocked.
enum IdentifierWords {
  /// The words that a name has, such as two in `login_form_voucher`.
  ///
  /// - Parameter name: The name; any bytes, and any number of names with something between them.
  /// - Returns: What was found, by topic.
  static func tally(_ name: Span<UInt8>) -> WordTally {
    vocabulary.tally(split(name).span)
  }

  /// The words of names; apart from those of prose, since names are not prose.
  static let vocabulary = Vocabulary([PackageResources.identifiers_txt])

  /// The words of a field that say who somebody is or that somebody may come in; elsewhere in a page each of them may
  /// mean something else.
  static let ofPeople = Vocabulary([PackageResources.people_txt])

  /// The name with a space wherever one of its words starts (`clientMac`, `HTMLForm`), and instead of digits.
  static func split(_ name: Span<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(name.count + name.count / 4)
    for place in 0..<name.count {
      let byte = name[place]
      if byte.isASCIIUppercase, place > 0 {
        let before = name[place - 1]
        let isLastCapital =
          before.isASCIIUppercase && place + 1 < name.count && name[place + 1].isASCIILowercase
        if before.isASCIILowercase || isLastCapital { text.append(UInt8(ascii: " ")) }
      }
      text.append(byte.isASCIIDigit ? UInt8(ascii: " ") : byte)
    }
    return text
  }
}
