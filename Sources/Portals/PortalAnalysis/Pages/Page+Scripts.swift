import PortalScripts
import ProbeCore

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
