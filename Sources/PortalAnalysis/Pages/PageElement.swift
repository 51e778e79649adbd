import ProbeGumbo

/// An element of a page that a script may look up.
struct PageElement: Hashable {
  /// The name of its tag, in lower case.
  var tag: String
  /// Its attributes; see ``isOfUse(_:)``.
  var attributes: [String: String] = [:]
  /// Whether a script adds it, so that it has no other attributes, and the page is known without it.
  var isAdded = false

  /// Whether an element has more than a name: a URL, or data for scripts.
  static func isOfUse(_ element: borrowing HTMLElement) -> Bool {
    element.has("href") || element.has("src") || element.has("action") || element.has("value")
      || element.hasData
  }

  /// Whether an attribute is such, or a name, or the method of a form.
  static func isOfUse(_ attribute: String) -> Bool {
    ["action", "href", "id", "method", "name", "src", "value"].contains(attribute)
      || attribute.hasPrefix("data-")
  }
}

extension [PageElement] {
  /// The first element that a selector finds; nil if there is none, or the selector is of another form.
  func found(by selector: String) -> PageElement? {
    func named(_ name: Substring, _ attribute: String) -> (PageElement) -> Bool {
      { $0.attributes[attribute].map { $0 == name } ?? false }
    }
    if selector.hasPrefix("#") { return first(where: named(selector.dropFirst(), "id")) }
    if selector.hasPrefix("form ") {
      let name = selector.dropFirst(5)
      let forms = filter { $0.tag == "form" }
      if let index = Int(name) { return forms.indices.contains(index) ? forms[index] : nil }
      return forms.first { named(name, "name")($0) || named(name, "id")($0) }
    }
    if selector.hasSuffix("]"), let match = selector.wholeMatch(of: /([a-z]*)\[name=["']?([\w-]+)["']?\]/) {
      return first { (match.1.isEmpty || $0.tag == match.1) && named(match.2, "name")($0) }
    }
    return first { $0.tag == selector }
  }
}
