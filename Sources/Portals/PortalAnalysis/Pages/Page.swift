import PortalScripts
import ProbeBase
import ProbeCore

/// The parts of an HTML page that indicate its purpose; references are as written.
///
/// Everything is bounded: a page may have ten thousand links.
struct Page {
  /// A link and its text.
  struct Link {
    var href: String
    var text: [UInt8] = []
    var region = PageRegion.message

    var isInMenu: Bool { region == .menu }
    var isHidden: Bool { region == .hidden }
  }

  /// A `<meta http-equiv="refresh">`.
  struct Refresh {
    /// The delay in seconds.
    let seconds: Int
    /// The target, or nil if the page only reloads itself.
    let reference: String?
  }

  /// The base URL of references, if the page states one.
  var base: String?
  var refreshes: [Refresh] = []
  var links: [Link] = []
  /// The URLs of frames.
  var frames: [String] = []
  var forms: [PageForm] = []
  /// The fields and buttons outside any form.
  var loose = PageForm()
  /// The inline scripts.
  var scripts: [[UInt8]] = []
  /// The script that runs when the page has loaded.
  var onload: [UInt8]?
  /// The scripts that run when an element is clicked.
  var handlers: [[UInt8]] = []
  /// The number of scripts that it loads from its own server.
  var ownScripts = 0
  var title: [UInt8] = []
  /// The text with title, labels and alternative texts, white space unchanged.
  var content = PageText()
  /// The languages that it declares, such as `de-AT`.
  var declaredLanguages: [String] = []
  /// The ids, classes and names of elements.
  var identifiers: [UInt8] = []
  /// The elements that scripts may look up.
  var elements: [PageElement] = []
  var forbidsCaching = false
  /// A hash of its tags in their order: pages from the same template share it.
  var shape: UInt64 = PageShape.start
}

extension Page {
  /// Limits on what is stored of a page.
  enum Limit {
    static let links = 200
    static let few = 32
    static let languages = 8
    static let fields = 64
    static let scripts = 128
    static let linkText = 200
    static let field = 256
    static let title = 1024
    static let reference = 16 * 1024
    static let identifiers = 64 * 1024
    static let elements = 128
    static let attribute = 2048
  }

  /// Parses a page; nil if it exceeds the parser's limits.
  ///
  /// - Parameter text: The page in UTF-8.
  init?(_ text: borrowing Span<UInt8>) {
    var reader = PageReader()
    guard HTMLPage.visit(text, with: &reader) else { return nil }
    self = reader.page
  }
}

/// A hash that is updated while a page is read (FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/).
enum PageShape {
  static let start: UInt64 = 0xCBF2_9CE4_8422_2325

  static func adding(_ byte: UInt8, to hash: UInt64) -> UInt64 {
    (hash ^ UInt64(widening: byte)) &* 0x100_0000_01B3
  }

  static func adding(_ bytes: some Sequence<UInt8>, to hash: UInt64) -> UInt64 {
    bytes.reduce(hash) { adding($1, to: $0) }
  }

  static func adding(_ number: UInt64, to hash: UInt64) -> UInt64 {
    (0..<8).reduce(hash) { adding(UInt8(truncatingIfNeeded: number >> (8 * $1)), to: $0) }
  }
}

/// A form of a page, or the fields outside any form.
struct PageForm {
  /// A field that the user or the page itself fills in.
  struct Field: Hashable {
    /// The type in lower case, `text` by default.
    let type: String
    /// Its name, id, placeholder and the like, separated by spaces.
    let words: String
    var region = PageRegion.message

    var isInMenu: Bool { region == .menu }

    /// Whether it is hidden, which is not the same as having the type `hidden`.
    var isHidden: Bool { region == .hidden }

    /// Whether the user types text into it.
    var isTyped: Bool { PageForm.textTypes.contains(type) || type == "textarea" }
  }

  /// The target URL, as written; nil if there is none.
  var action: String?
  /// Its fields, including hidden ones, up to the limit of ``Page``.
  var fields: [Field] = []
  /// Whether it has a submit button.
  var hasButton = false
  /// The URLs that its buttons submit to instead of ``action``, as written, up to the limit of ``Page``
  /// (HTML standard §4.10.18.6, `formaction`).
  var buttonActions: [String] = []
  /// The text of its buttons, up to the limit of ``Page``.
  var buttonText: [UInt8] = []
  var region = PageRegion.message

  var isInMenu: Bool { region == .menu }
  var isHidden: Bool { region == .hidden }
}

extension PageForm {
  /// The types of `<input>` for typed text.
  fileprivate static let textTypes: Set = ["text", "email", "tel", "number", "password", "search", "date"]

  /// The fields for typed text.
  var textFields: [Field] { fields.filter(\.isTyped) }

  var asksForPassword: Bool { fields.contains { $0.type == "password" } }

  /// Whether it only searches for something.
  var isSearch: Bool {
    let typed = textFields
    return !typed.isEmpty && !asksForPassword
      && typed.allSatisfy { field in
        field.type == "search" || field.words == "q" || field.words.utf8.starts(with: "search".utf8)
          || field.words.utf8.starts(with: "query".utf8)
      }
  }

  /// Whether its URL or a field for typed text indicates another purpose than logging in: searching, subscribing, or
  /// contacting someone.
  ///
  /// A box to subscribe in addition to other fields does not.
  var hasNonLoginPurpose: Bool {
    guard !asksForPassword else { return false }
    if let action, PagePath.hasNonLoginPurpose(action) { return true }
    return textFields.contains { PagePath.hasNonLoginPurpose(field: $0.words) }
  }
}

extension ScriptFindings {
  /// The findings in the scripts of a page.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - url: Its URL.
  ///   - findsRequests: Whether requests are wanted too.
  init(_ page: Page, at url: ProbeURL, findingRequests findsRequests: Bool = false) {
    var reader = ScriptReader(page: url, elements: page.elements)
    for script in page.scripts { reader.read(script[...]) }
    if let load = page.onload { reader.read(load[...], when: .loaded) }
    for handler in page.handlers { reader.read(handler[...], when: .event) }
    self = reader.finish(findingRequests: findsRequests)
  }
}

extension PageElement {
  /// Whether an element has more than a name: a URL, or data for scripts.
  static func hasContent(_ element: borrowing HTMLElement) -> Bool {
    element.has("href") || element.has("src") || element.has("action") || element.has("value")
      || element.hasData
  }
}
