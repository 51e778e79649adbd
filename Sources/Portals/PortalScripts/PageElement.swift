import ProbeBase

/// An element of a page that a script may look up.
package struct PageElement: Hashable {
  /// The name of its tag, in lower case.
  package var tag: String
  /// Its names, its URLs, its method, and its data for scripts.
  package var attributes: [String: String] = [:]
  /// Whether a script adds it; it then has no other attributes, and is not part of the page as received.
  package var isAdded = false

  /// Creates an element of the page as received.
  package init(tag: String, attributes: [String: String] = [:], isAdded: Bool = false) {
    self.tag = tag
    self.attributes = attributes
    self.isAdded = isAdded
  }

  /// Whether an attribute is kept.
  package static func keeps(_ attribute: String) -> Bool {
    ["action", "href", "id", "method", "name", "src", "value"].contains(attribute)
      || attribute.hasPrefix("data-")
  }
}

extension [PageElement] {
  /// The index of the first element that a selector matches.
  ///
  /// - Returns: nil if there is none, if the form of the selector is not supported, or if there are several
  ///   and scripts have added some, which may have replaced others.
  func firstIndex(matching selector: String) -> Int? {
    func named(_ name: Substring, _ attribute: String) -> (PageElement) -> Bool {
      { $0.attributes[attribute].map { $0 == name } ?? false }
    }
    func one(where isFound: (PageElement) -> Bool) -> Int? {
      let matches = indices.filter { isFound(self[$0]) }
      return matches.count > 1 && matches.contains { self[$0].isAdded } ? nil : matches.first
    }
    if selector.hasPrefix("#") { return one(where: named(selector.dropFirst(), "id")) }
    if selector.hasPrefix(":form ") {
      let name = selector.dropFirst(6)
      if let number = Int(text: name) {
        let forms = indices.filter { self[$0].tag == "form" }
        guard forms.indices.contains(number), forms.count == 1 || !forms.contains(where: { self[$0].isAdded })
        else {
          return nil
        }
        return forms[number]
      }
      return one { $0.tag == "form" && (named(name, "name")($0) || named(name, "id")($0)) }
    }
    if selector.hasSuffix("]"), let match = selector.wholeMatch(of: /([a-z]*)\[name=["']?([\w-]+)["']?\]/) {
      return one { (match.1.isEmpty || $0.tag == match.1) && named(match.2, "name")($0) }
    }
    return one { $0.tag == selector }
  }
}
