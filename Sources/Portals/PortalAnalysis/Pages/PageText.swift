import ProbeCore

/// A region of a page with a purpose of its own.
enum PageRegion: Hashable {
  /// The message of the page to its reader.
  case message
  /// Navigation, and what surrounds the message on every page of a site.
  case menu
  /// What is not shown until a script shows it.
  case hidden
  /// The choices of a field.
  case options
}

struct PageRegions: OptionSet {
  let rawValue: UInt8

  static let message = PageRegions(rawValue: 1)
  static let menu = PageRegions(rawValue: 2)
  static let hidden = PageRegions(rawValue: 4)
  static let options = PageRegions(rawValue: 8)
  static let all: PageRegions = [.message, .menu, .hidden, .options]

  /// Whether a region is in the set.
  func contains(_ region: PageRegion) -> Bool {
    switch region {
    case .message: contains(PageRegions.message)
    case .menu: contains(PageRegions.menu)
    case .hidden: contains(PageRegions.hidden)
    case .options: contains(PageRegions.options)
    }
  }
}

/// The text of a page in its order, and the region that each piece belongs to.
struct PageText {
  private(set) var bytes: [UInt8] = []
  /// The end of each run of pieces of the same region.
  private var runs: [(region: PageRegion, end: Int)] = []

  /// Appends a piece and a space.
  mutating func append(_ piece: borrowing Span<UInt8>, in region: PageRegion) {
    bytes.append(word: piece)
    if runs.last?.region == region {
      runs[runs.count - 1].end = bytes.count
    } else {
      runs.append((region, bytes.count))
    }
  }

  func bytes(in regions: PageRegions) -> [UInt8] {
    if runs.allSatisfy({ regions.contains($0.region) }) { return bytes }
    var kept: [UInt8] = []
    var start = 0
    for run in runs {
      if regions.contains(run.region) { kept += bytes[start..<run.end] }
      start = run.end
    }
    return kept
  }
}

extension Page {
  /// The text of some regions of the page, in the order of the page.
  func text(in regions: PageRegions) -> [UInt8] { content.bytes(in: regions) }

  /// The text of the message, with the title.
  var text: [UInt8] { text(in: .message) }
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

extension PageRegion {
  /// The region that an element begins, within another region; nil if it is the same one.
  func region(in element: borrowing HTMLElement) -> PageRegion? {
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
      for index in value.indices where value[index] > 0x20 { style.append(value[index].asciiLowercased) }
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
    for index in 0...value.count where index == value.count || value[index] <= 0x20 {
      let range = start..<index
      start = index + 1
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
