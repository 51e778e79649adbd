/// A form of a page, or the fields that stand on a page without one.
struct PageForm {
  /// A field that a person fills in, or that the page fills in by itself.
  struct Field: Hashable {
    /// The type in lower case, `text` when none is given.
    let type: String
    /// What the page calls it: its name, id, placeholder and the like, separated by spaces.
    let words: String

    /// Whether a person types something into it.
    var isTyped: Bool { PageForm.textTypes.contains(type) || type == "textarea" }
  }

  /// Where it is sent to, as written; nil when nothing is said.
  var action: String?
  /// Its fields, hidden ones included, as many as ``Page`` keeps.
  var fields: [Field] = []
  /// Whether it can be sent by a button.
  var hasButton = false
  /// What its buttons say, as much as ``Page`` keeps.
  var buttonText: [UInt8] = []
}

extension PageForm {
  /// The kinds of `<input>` that a person types something into.
  fileprivate static let textTypes: Set = ["text", "email", "tel", "number", "password", "search", "date"]

  /// The fields that a person types something into.
  var textFields: [Field] { fields.filter(\.isTyped) }

  /// Whether a password is asked for.
  var asksForPassword: Bool { fields.contains { $0.type == "password" } }

  /// Whether it does no more than look something up.
  var isSearch: Bool {
    let typed = textFields
    return !typed.isEmpty && !asksForPassword
      && typed.allSatisfy { field in
        field.type == "search" || field.words == "q" || field.words.utf8.starts(with: "search".utf8)
          || field.words.utf8.starts(with: "query".utf8)
      }
  }

  /// Whether its address or its fields say that it is for something else than to be let in: to search, to subscribe to
  /// something, to write to somebody.
  var isOfAnotherPurpose: Bool {
    guard !asksForPassword else { return false }
    return action.map(Self.namesOtherPurpose) == true || fields.contains { Self.namesOtherPurpose($0.words) }
  }

  private static let otherPurposes = [
    "comment", "contact", "enquiry", "feedback", "inquiry", "newsletter", "offer", "report", "search",
    "subscribe",
  ].map { Array($0.utf8) }

  private static func namesOtherPurpose(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return bytes.indices.contains { start in
      let first = bytes[start] | 0x20
      return otherPurposes.contains { word in
        first == word[0] && bytes[start...].prefix(word.count).elementsEqual(word) { $0 | 0x20 == $1 }
      }
    }
  }
}
