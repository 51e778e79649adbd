import CProbeGumbo
import CProbeHTML

/// Parses arbitrary HTML as browsers do, at a bounded cost.
///
/// The pages are untrusted. The underlying parser has no limits: its work is quadratic in nesting and
/// attributes, and its memory is quadratic in unclosed formatting elements. Therefore a page is truncated to
/// ``maximumLength`` bytes and ``maximumTags`` tags (the relevant part of a genuine portal's page comes
/// before that), and memory, attributes per tag and stack are limited as well. Inlined images and style
/// sheets are removed first (``CondensedPage``), so that they do not count.
package enum HTMLPage {
  /// The maximum number of bytes of a page to parse, without inlined images and style sheets.
  package static let maximumLength = 256 * 1024
  /// The maximum number of tags of a page to parse, including end tags.
  package static let maximumTags = 4096

  /// Parses a page and visits its contents in document order.
  ///
  /// - Parameters:
  ///   - bytes: The page in UTF-8; invalid bytes are replaced.
  ///   - keepsStyles: Whether style sheets in the page count, and are visited.
  ///   - visitor: Receives every element and its text.
  /// - Returns: Whether the page could be parsed; false if it exceeds the limits, or if no memory is
  ///   available. In that case nothing is visited.
  package static func visit(
    _ bytes: borrowing Span<UInt8>, keepingStyles keepsStyles: Bool = false,
    with visitor: inout some HTMLVisitor
  ) -> Bool {
    if let condensed = CondensedPage.bytes(of: bytes, upTo: maximumLength, keepingStyles: keepsStyles) {
      return visit(condensed: condensed.span, with: &visitor)
    }
    return visit(condensed: bytes, with: &visitor)
  }

  private static func visit(
    condensed bytes: borrowing Span<UInt8>, with visitor: inout some HTMLVisitor
  ) -> Bool {
    unsafe bytes.withUnsafeBytes { buffer in
      let length = unsafe readableLength(of: buffer)
      guard let page = unsafe probe_html_parse(buffer.baseAddress, length) else { return false }
      defer { unsafe probe_html_free(page) }
      guard let document = unsafe probe_html_document(page) else { return false }
      unsafe walk(document.assumingMemoryBound(to: GumboNode.self), &visitor)
      return true
    }
  }

  /// The length of the part to parse: up to the maximum length, or to the first tag that exceeds the limit.
  private static func readableLength(of page: UnsafeRawBufferPointer) -> Int {
    var tags = 0
    let limit = min(page.count, maximumLength)
    for index in 0..<limit where unsafe page[index] == UInt8(ascii: "<") {
      tags += 1
      if tags > maximumTags { return index }
    }
    return limit
  }

  /// Walks the tree with an explicit stack: a page may be nested deeper than a thread's stack allows.
  private static func walk(_ document: UnsafePointer<GumboNode>, _ visitor: inout some HTMLVisitor) {
    var pending = unsafe [(node: document, isLeft: false)]
    while let (node, isLeft) = unsafe pending.popLast() {
      switch unsafe node.pointee.type {
      case GUMBO_NODE_DOCUMENT:
        unsafe push(node.pointee.v.document.children, on: &pending)
      case GUMBO_NODE_ELEMENT, GUMBO_NODE_TEMPLATE:
        let element = unsafe node.pointee.v.element
        if isLeft {
          visitor.leave(unsafe HTMLTag(element.tag))
        } else {
          visitor.enter(unsafe HTMLElement(element))
          unsafe pending.append((node, true))
          unsafe push(element.children, on: &pending)
        }
      case GUMBO_NODE_TEXT, GUMBO_NODE_WHITESPACE, GUMBO_NODE_CDATA:
        unsafe withBytes(ofCString: node.pointee.v.text.text) { visitor.text($0) }
      default:
        break
      }
    }
  }

  private static func push(
    _ children: GumboVector, on pending: inout [(node: UnsafePointer<GumboNode>, isLeft: Bool)]
  ) {
    let nodes = unsafe children.elements(as: GumboNode.self)
    for index in unsafe nodes.indices.reversed() { unsafe pending.append((nodes[index], false)) }
  }
}

/// Receives the contents of a page in document order.
package protocol HTMLVisitor {
  /// The start of an element.
  mutating func enter(_ element: borrowing HTMLElement)
  /// Text with character references decoded, including white space between elements.
  mutating func text(_ bytes: borrowing Span<UInt8>)
  /// The end of an element.
  mutating func leave(_ tag: HTMLTag)
}

extension GumboVector {
  func elements<Element>(as type: Element.Type) -> [UnsafePointer<Element>] {
    let slots = unsafe UnsafeBufferPointer(start: data, count: Int(clamping: length))
    return unsafe slots.compactMap { slot in
      unsafe slot.map { unsafe UnsafePointer($0.assumingMemoryBound(to: type)) }
    }
  }
}
