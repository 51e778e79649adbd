import ProbeCore

/// A part of a page with a purpose of its own.
enum PagePlace: Hashable {
  /// What the page says to its reader.
  case message
  /// Navigation, and what surrounds the message on every page of a site.
  case menu
  /// What is not shown until a script shows it.
  case hidden
  /// The choices of a field.
  case options
}

/// A set of parts of a page.
struct PagePlaces: OptionSet {
  let rawValue: UInt8

  static let message = PagePlaces(rawValue: 1)
  static let menu = PagePlaces(rawValue: 2)
  static let hidden = PagePlaces(rawValue: 4)
  static let options = PagePlaces(rawValue: 8)
  static let all: PagePlaces = [.message, .menu, .hidden, .options]

  /// Whether a part is in the set.
  func contains(_ place: PagePlace) -> Bool {
    switch place {
    case .message: contains(PagePlaces.message)
    case .menu: contains(PagePlaces.menu)
    case .hidden: contains(PagePlaces.hidden)
    case .options: contains(PagePlaces.options)
    }
  }
}

/// The text of a page in its order, and the part that each piece belongs to.
struct PageText {
  private(set) var bytes: [UInt8] = []
  /// The end of each run of pieces of the same part.
  private var runs: [(place: PagePlace, end: Int)] = []

  /// Appends a piece and a space.
  mutating func append(_ piece: borrowing Span<UInt8>, in place: PagePlace) {
    bytes.append(word: piece)
    if runs.last?.place == place {
      runs[runs.count - 1].end = bytes.count
    } else {
      runs.append((place, bytes.count))
    }
  }

  /// The text of some parts.
  func bytes(in places: PagePlaces) -> [UInt8] {
    if runs.allSatisfy({ places.contains($0.place) }) { return bytes }
    var kept: [UInt8] = []
    var start = 0
    for run in runs {
      if places.contains(run.place) { kept += bytes[start..<run.end] }
      start = run.end
    }
    return kept
  }
}

extension Page {
  /// The text of some parts of the page, in the order of the page.
  func text(in places: PagePlaces) -> [UInt8] { content.bytes(in: places) }

  /// The text of the message, with the title.
  var text: [UInt8] { text(in: .message) }
  /// The text of menus.
  var menuText: [UInt8] { text(in: .menu) }
  /// The text that is not shown.
  var hiddenText: [UInt8] { text(in: .hidden) }
  /// The text of the choices of fields.
  var optionText: [UInt8] { text(in: .options) }

  /// The languages in which its words count.
  ///
  /// - Parameter fields: The header fields of the response, which may declare languages, too.
  /// - Returns: The languages that are declared or found, as far as the text does not contradict them.
  func languages(in fields: HeaderFields) -> PageLanguages {
    let fields = fields.values(for: "Content-Language").flatMap { $0.split(separator: ",") }
    let declared =
      declaredLanguages
      + fields.prefix(Limit.languages).map { String($0.drop { $0 == " " || $0 == "\t" }) }
    let message = text(in: [.message, .hidden])
    return PageLanguages(of: message.span, declared: declared)
  }
}

extension PagePlace {
  /// The part that an element begins, within another part; nil if it is the same one.
  func place(in element: borrowing HTMLElement) -> PagePlace? {
    guard self != .hidden else { return nil }
    let tag = element.tag
    if tag == .template { return .hidden }
    if !element.isBare, element.has("hidden") || Self.isHiddenByStyle(element) { return .hidden }
    guard self == .message else { return nil }
    switch tag {
    case .select: return .options
    case .nav, .footer, .aside: return .menu
    case .html, .body, .form: return nil
    default: return !element.isBare && Self.isMenu(element) ? .menu : nil
    }
  }

  private static func isHiddenByStyle(_ element: borrowing HTMLElement) -> Bool {
    var isHidden = false
    element.withValue(of: "style") { value in
      var style: [UInt8] = []
      style.reserveCapacity(value.count)
      for place in value.indices where value[place] > 0x20 { style.append(value[place].asciiLowercased) }
      isHidden = hidingStyles.contains { style.contains(bytes: $0.utf8) }
    }
    return isHidden
  }

  private static let hidingStyles = ["display:none", "visibility:hidden"]

  private static func isMenu(_ element: borrowing HTMLElement) -> Bool {
    var isMenu = false
    element.withValue(of: "class") { isMenu = hasName($0, in: menuNames) }
    if !isMenu { element.withValue(of: "id") { isMenu = hasName($0, in: menuNames) } }
    if !isMenu { element.withValue(of: "role") { isMenu = hasName($0, in: menuRoles) } }
    return isMenu
  }

  private static let menuRoles = ["navigation", "contentinfo", "menu", "menubar", "complementary"]
    .map { Array($0.utf8) }
  private static let menuNames = ["menu", "nav", "navbar", "footer", "breadcrumb", "breadcrumbs", "sidebar"]
    .map { Array($0.utf8) }

  /// The lengths of the names of both lists.
  private static let nameLengths = 3...13

  /// Whether one of the names in an attribute is in a list, ignoring case.
  private static func hasName(_ value: Span<UInt8>, in names: [[UInt8]]) -> Bool {
    var start = 0
    for place in 0...value.count where place == value.count || value[place] <= 0x20 {
      let range = start..<place
      start = place + 1
      guard nameLengths.contains(range.count) else { continue }
      let isName = names.contains { name in
        name.count == range.count
          && name.indices.allSatisfy { value[range.lowerBound + $0].asciiLowercased == name[$0] }
      }
      if isName { return true }
    }
    return false
  }
}
