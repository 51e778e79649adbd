import CProbeGumbo
import CProbeShims

/// Reads HTML as browsers do, whatever it is, at a bounded cost.
///
/// The pages come from whoever sits between us and the Internet. The parser behind this type knows no limits of its
/// own: its work grows with the square of nesting and of attributes, and its memory with the square of unclosed
/// formatting elements. So the page is cut to ``maximumLength`` bytes and ``maximumTags`` tags (what an honest portal
/// has to say stands in front of that), and beyond that memory, attributes of a tag and stack are limited.
package enum HTMLPage {
  /// How many bytes of a page are read at most.
  package static let maximumLength = 256 * 1024
  /// How many tags of a page, end tags included, are read at most.
  package static let maximumTags = 4096

  /// Parses a page and hands out what it holds in document order.
  ///
  /// - Parameters:
  ///   - bytes: The page, read as UTF-8; bytes that are not are replaced.
  ///   - visitor: Is told every element, and the text in it.
  /// - Returns: Whether the page could be parsed; false when it asks for more than the limits allow, or when there is
  ///   no memory. Nothing is handed out then.
  package static func visit(_ bytes: borrowing Span<UInt8>, with visitor: inout some HTMLVisitor) -> Bool {
    unsafe bytes.withUnsafeBytes { buffer in
      let length = unsafe readableLength(of: buffer)
      guard let page = unsafe probe_html_parse(buffer.baseAddress, length) else { return false }
      defer { unsafe probe_html_free(page) }
      guard let document = unsafe probe_html_document(page) else { return false }
      unsafe walk(document.assumingMemoryBound(to: GumboNode.self), &visitor)
      return true
    }
  }

  /// How much of a page is read: up to the limit of bytes, or to the tag that is one too many.
  private static func readableLength(of page: UnsafeRawBufferPointer) -> Int {
    var tags = 0
    let limit = min(page.count, maximumLength)
    for index in 0..<limit where unsafe page[index] == UInt8(ascii: "<") {
      tags += 1
      if tags > maximumTags { return index }
    }
    return limit
  }

  /// Walks the tree with a stack of its own: a page may be nested deeper than a thread's stack allows.
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
    unsafe pending += children.elements(as: GumboNode.self).reversed().map { unsafe ($0, false) }
  }
}

/// Is told what a page holds, in document order.
package protocol HTMLVisitor {
  /// An element begins.
  mutating func enter(_ element: borrowing HTMLElement)
  /// Text stands here, character references decoded; white space between elements too.
  mutating func text(_ bytes: borrowing Span<UInt8>)
  /// An element ends.
  mutating func leave(_ tag: HTMLTag)
}

extension GumboVector {
  func elements<Element>(as type: Element.Type) -> [UnsafePointer<Element>] {
    let slots = unsafe UnsafeBufferPointer(start: data, count: Int(length))
    return unsafe slots.compactMap { slot in
      unsafe slot.map { unsafe UnsafePointer($0.assumingMemoryBound(to: type)) }
    }
  }
}
