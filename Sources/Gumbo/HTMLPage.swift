import CGumbo
import CProbeShims

/// Reads HTML as browsers do, whatever it is, at a bounded cost.
///
/// The pages come from whoever sits between us and the Internet. The parser behind this type knows no limits of its
/// own: its work grows with the square of nesting and of attributes, and its memory with the square of unclosed
/// formatting elements. So the page is cut to ``maximumLength`` bytes and ``maximumTags`` tags (what an honest portal
/// has to say stands in front of that), and beyond that memory, attributes of a tag and stack are limited.
public enum HTMLPage {
  /// How many bytes of a page are read at most.
  public static let maximumLength = 256 * 1024
  /// How many tags of a page, end tags included, are read at most.
  public static let maximumTags = 4096

  /// Parses a page and hands out its elements in document order.
  ///
  /// - Parameters:
  ///   - bytes: The page, read as UTF-8; bytes that are not are replaced.
  ///   - visit: Called for each element.
  /// - Returns: Whether the page could be parsed; false when it asks for more than the limits allow, or when there is
  ///   no memory. Nothing is handed out then.
  public static func visitElements(of bytes: [UInt8], _ visit: (HTMLElement) -> Void) -> Bool {
    unsafe bytes.withUnsafeBytes { buffer in
      let length = unsafe readableLength(of: buffer)
      guard let page = unsafe probe_html_parse(buffer.baseAddress, length) else { return false }
      defer { unsafe probe_html_free(page) }
      guard let document = unsafe probe_html_document(page) else { return false }
      unsafe Self.visit(document.assumingMemoryBound(to: GumboNode.self), visit)
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
  private static func visit(_ document: UnsafePointer<GumboNode>, _ visit: (HTMLElement) -> Void) {
    var pending = unsafe [document]
    while let node = unsafe pending.popLast() {
      switch unsafe node.pointee.type {
      case GUMBO_NODE_DOCUMENT:
        unsafe pending += children(node.pointee.v.document.children).reversed()
      case GUMBO_NODE_ELEMENT, GUMBO_NODE_TEMPLATE:
        let children = unsafe children(node.pointee.v.element.children)
        visit(unsafe HTMLElement(node.pointee.v.element, children: children))
        unsafe pending += children.reversed()
      default:
        break
      }
    }
  }

  private static func children(_ vector: GumboVector) -> [UnsafePointer<GumboNode>] {
    unsafe vector.elements(as: GumboNode.self)
  }
}

extension HTMLElement {
  /// Copies an element out of the tree.
  fileprivate init(_ element: GumboElement, children: [UnsafePointer<GumboNode>]) {
    name = unsafe Self.name(of: element)
    attributes = unsafe element.attributes.elements(as: GumboAttribute.self).map { attribute in
      unsafe Attribute(
        name: String(cString: attribute.pointee.name), value: String(cString: attribute.pointee.value))
    }
    text = unsafe children.compactMap { unsafe Self.text(of: $0.pointee) }.joined()
  }

  private static func text(of node: GumboNode) -> String? {
    switch unsafe node.type {
    case GUMBO_NODE_TEXT, GUMBO_NODE_WHITESPACE, GUMBO_NODE_CDATA: unsafe String(cString: node.v.text.text)
    default: nil
    }
  }

  private static func name(of element: GumboElement) -> String {
    if unsafe element.tag != GUMBO_TAG_UNKNOWN {
      return unsafe String(cString: gumbo_normalized_tagname(element.tag))
    }
    // The parser keeps no name of a tag it does not know, only where the tag stands in the page.
    var tag = unsafe element.original_tag
    unsafe gumbo_tag_from_original_text(&tag)
    let bytes = unsafe UnsafeRawBufferPointer(start: tag.data, count: tag.length)
    return unsafe String(decoding: bytes, as: UTF8.self).lowercased()
  }
}

extension GumboVector {
  fileprivate func elements<Element>(as type: Element.Type) -> [UnsafePointer<Element>] {
    let slots = unsafe UnsafeBufferPointer(start: data, count: Int(length))
    return unsafe slots.compactMap { slot in
      unsafe slot.map { unsafe UnsafePointer($0.assumingMemoryBound(to: type)) }
    }
  }
}
