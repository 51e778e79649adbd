import Gumbo
import ProbeCore

/// Where a page leads: its refresh and its first link, as far as they lead to pages of the web.
struct PageLinks {
  /// Where a `<meta http-equiv="refresh">` leads.
  private(set) var refresh: ProbeURL?
  /// Where the first link leads.
  private(set) var firstLink: ProbeURL?

  /// Reads a page; nil when the bytes are too much for the parser.
  ///
  /// - Parameters:
  ///   - body: The page's bytes.
  ///   - url: The URL the page was got from.
  init?(_ body: [UInt8], at url: ProbeURL) {
    var refresh: String?
    var links: [String] = []
    var base: String?
    let isRead = HTMLPage.visitElements(of: body) { element in
      switch element.name {
      // The first of each counts, as in browsers (HTML standard §4.2.3), wherever in the page it stands.
      case "base": base = base ?? element["href"]
      case "meta":
        guard element["http-equiv"]?.lowercased() == "refresh", let content = element["content"] else {
          break
        }
        refresh = refresh ?? MetaRefresh(content)?.url
      case "a", "area":
        // Bounded, because all that is wanted is the first one that can be used.
        if let href = element["href"], links.count < 100 { links.append(href) }
      default: break
      }
    }
    guard isRead else { return nil }
    let start = base.flatMap(url.resolve).flatMap { $0.isWebPage ? $0 : nil } ?? url
    func page(_ reference: String) -> ProbeURL? {
      guard let target = start.resolve(reference), target.isWebPage else { return nil }
      return target
    }
    self.refresh = refresh.flatMap(page)
    // A link within the page leads nowhere else.
    self.firstLink = links.lazy.filter { !$0.isEmpty && !$0.hasPrefix("#") }.compactMap(page).first
  }
}
