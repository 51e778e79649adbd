import PortalAnalysis

/// A copy of a page's content.
struct ReadPage: HTMLVisitor {
  struct Element {
    let name: String
    let attributes: [(name: String, value: String)]
    /// The text directly inside the element.
    var text = ""

    subscript(attribute: String) -> String? { attributes.first { $0.name == attribute }?.value }
  }

  private(set) var elements: [Element] = []
  private var open: [Int] = []

  /// Reads a page; nil when it is refused.
  init?(_ page: [UInt8]) {
    guard HTMLPage.visit(page.span, with: &self) else { return nil }
  }

  init?(_ page: String) {
    self.init(Array(page.utf8))
  }

  mutating func enter(_ element: borrowing HTMLElement) {
    open.append(elements.count)
    elements.append(Element(name: element.name, attributes: element.attributes))
  }

  mutating func text(_ bytes: borrowing Span<UInt8>) {
    guard let last = open.last else { return }
    elements[last].text += String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
  }

  mutating func leave(_ tag: HTMLTag) {
    open.removeLast()
  }
}
