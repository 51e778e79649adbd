import ProbeGumbo

/// What a page of HTML holds, as far as it tells what the page is for; where it leads is as written.
///
/// Everything is bounded: a page may have ten thousand links.
struct Page {
  /// A link and what it says.
  struct Link {
    var href: String
    var text: [UInt8] = []
  }

  /// A `<meta http-equiv="refresh">`.
  struct Refresh {
    /// After how many seconds.
    let seconds: Int
    /// Where it leads, or nil when the page only loads itself again.
    let reference: String?
  }

  /// What references are relative to, as far as the page says.
  var base: String?
  var refreshes: [Refresh] = []
  var links: [Link] = []
  /// The pages within this one.
  var frames: [String] = []
  var forms: [PageForm] = []
  /// The fields that stand outside of any form, with the buttons there.
  var loose = PageForm()
  /// The scripts in the page.
  var scripts: [[UInt8]] = []
  /// What runs when the page has loaded.
  var onload: [UInt8]?
  /// What runs when something on the page is pressed.
  var handlers: [[UInt8]] = []
  /// How many scripts it loads from the server that it came from.
  var ownScripts = 0
  /// The title.
  var title: [UInt8] = []
  /// What a person reads, title, labels and alternative texts included, white space as it is.
  var text: [UInt8] = []
  /// The names that the page gives to its parts: ids, classes, names.
  var identifiers: [UInt8] = []
  /// Whether the page asks not to be kept.
  var forbidsCaching = false
  /// A hash of its tags in their order: pages made of one template have the same.
  var shape: UInt64 = PageShape.start
}

extension Page {
  /// Limits on what is kept of a page.
  enum Limit {
    static let links = 200
    static let few = 32
    static let fields = 64
    static let scripts = 128
    static let linkText = 200
    static let field = 256
    static let reference = 16 * 1024
    static let identifiers = 64 * 1024
  }

  /// Reads a page; nil when it asks for more than the parser's limits allow.
  ///
  /// - Parameter text: The page in UTF-8.
  init?(_ text: borrowing Span<UInt8>) {
    var reader = PageReader()
    guard HTMLPage.visit(text, with: &reader) else { return nil }
    self = reader.page
  }
}

/// A hash that grows with a page (FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/).
enum PageShape {
  static let start: UInt64 = 0xCBF2_9CE4_8422_2325

  static func adding(_ byte: UInt8, to hash: UInt64) -> UInt64 {
    (hash ^ UInt64(byte)) &* 0x100_0000_01B3
  }

  static func adding(_ bytes: some Sequence<UInt8>, to hash: UInt64) -> UInt64 {
    bytes.reduce(hash) { adding($1, to: $0) }
  }

  static func adding(_ number: UInt64, to hash: UInt64) -> UInt64 {
    (0..<8).reduce(hash) { adding(UInt8(truncatingIfNeeded: number >> (8 * $1)), to: $0) }
  }
}

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

    /// Whether its name is that of a field for a login.
    var asksForCredentials: Bool {
      type != "hidden" && IdentifierWords.tally(Array(words.utf8).span)[.login].distinct > 0
    }
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

  /// Whether it has fields for a login.
  var asksForCredentials: Bool { asksForPassword || fields.contains(where: \.asksForCredentials) }

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
