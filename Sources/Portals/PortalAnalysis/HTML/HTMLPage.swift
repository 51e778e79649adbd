import CProbeGumbo
import CProbeHTML
import Glibc

/// Parses arbitrary HTML as browsers do, at a bounded cost.
///
/// The pages are untrusted. The underlying parser has no limits: its work is quadratic in nesting and
/// attributes, and its memory is quadratic in unclosed formatting elements. Therefore a page is truncated to
/// ``maximumLength`` bytes and ``maximumTags`` tags (the relevant part of a genuine portal's page comes
/// before that). Memory, attributes per tag and stack are limited as well: a page that exceeds one of these
/// limits is not parsed. Inlined images and style sheets are removed first (``CondensedPage``), so that they
/// do not count.
package enum HTMLPage {
  /// The maximum number of bytes of a page to parse, without inlined images and style sheets.
  package static let maximumLength = 256 * 1024
  /// The maximum number of tags of a page to parse; every `<` counts, so end tags and comments do too.
  package static let maximumTags = 4096

  /// Parses a page and visits its contents in document order.
  ///
  /// - Parameters:
  ///   - bytes: The page in UTF-8; invalid bytes are replaced.
  ///   - keepsStyles: Whether style sheets in the page count, and are visited.
  ///   - visitor: Receives every element and its text.
  /// - Returns: Whether the page could be parsed; false if parsing it exceeds the limits of memory, attributes
  ///   per tag or stack, or if no memory is available. In that case nothing is visited.
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

  /// The length of the part to parse: up to the maximum length, or to the first `<` that exceeds the limit.
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
    // An element that was entered is pending a second time, behind its children, to be left.
    var pending = unsafe [(node: document, isEntered: false)]
    while let (node, isEntered) = unsafe pending.popLast() {
      switch unsafe node.pointee.type {
      case GUMBO_NODE_DOCUMENT:
        unsafe push(node.pointee.v.document.children, on: &pending)
      case GUMBO_NODE_ELEMENT, GUMBO_NODE_TEMPLATE:
        let element = unsafe node.pointee.v.element
        if isEntered {
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
    _ children: GumboVector, on pending: inout [(node: UnsafePointer<GumboNode>, isEntered: Bool)]
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

/// An element of an HTML page, valid while the page is visited.
///
/// It refers to the parser's tree, so that only requested data is copied.
@safe package struct HTMLElement: ~Copyable {
  private let element: GumboElement

  /// A view of an element in a tree that outlives it.
  init(_ element: GumboElement) {
    unsafe self.element = element
  }

  package var tag: HTMLTag { unsafe HTMLTag(element.tag) }

  /// The parser's number of the tag; all unknown tags have the same.
  var tagNumber: UInt32 { unsafe element.tag.rawValue }

  /// Whether it is an HTML element, not one of SVG or MathML.
  var isHTML: Bool { unsafe element.tag_namespace == GUMBO_NAMESPACE_HTML }

  /// The tag name in lower case, including unknown tags.
  package var name: String {
    if unsafe element.tag != GUMBO_TAG_UNKNOWN {
      return unsafe String(cString: gumbo_normalized_tagname(element.tag))
    }
    // The parser stores no name of an unknown tag, only its position in the page.
    var tag = unsafe element.original_tag
    unsafe gumbo_tag_from_original_text(&tag)
    let bytes = unsafe UnsafeRawBufferPointer(start: tag.data, count: tag.length)
    return unsafe String(decoding: bytes, as: UTF8.self).lowercased()
  }

  /// The value of an attribute by its lowercase name, with character references decoded; nil if there is
  /// none.
  ///
  /// If there are several attributes with the same name, the parser keeps the first.
  package subscript(attribute: StaticString) -> String? {
    let value = unsafe pointer(to: attribute)
    return unsafe value.map { unsafe String(cString: $0) }
  }

  /// Whether there is no attribute.
  package var isBare: Bool { unsafe element.attributes.length == 0 }

  /// Whether there is an attribute with this lowercase name.
  package func has(_ attribute: StaticString) -> Bool {
    unsafe pointer(to: attribute) != nil
  }

  /// Whether there is an attribute whose name begins with `data-` (HTML standard §3.2.6.6).
  var hasData: Bool {
    unsafe element.attributes.elements(as: GumboAttribute.self).contains {
      unsafe strncmp($0.pointee.name, "data-", 5) == 0
    }
  }

  /// Calls a closure with the bytes of an attribute's value, unless there is none.
  package func withValue(of attribute: StaticString, _ body: (Span<UInt8>) -> Void) {
    guard let value = unsafe pointer(to: attribute) else { return }
    unsafe withBytes(ofCString: value, body)
  }

  /// The attributes in the order of the page, names in lower case.
  package var attributes: [(name: String, value: String)] {
    unsafe element.attributes.elements(as: GumboAttribute.self).map { attribute in
      unsafe (String(cString: attribute.pointee.name), String(cString: attribute.pointee.value))
    }
  }

  private func pointer(to attribute: StaticString) -> UnsafePointer<CChar>? {
    var attributes = unsafe element.attributes
    let found = unsafe attribute.utf8Start.withMemoryRebound(
      to: CChar.self, capacity: attribute.utf8CodeUnitCount + 1
    ) { unsafe gumbo_get_attribute(&attributes, $0) }
    return unsafe found?.pointee.value
  }
}

/// Calls a closure with the bytes of a C string without its NUL.
func withBytes(ofCString text: UnsafePointer<CChar>, _ body: (Span<UInt8>) -> Void) {
  var length = 0
  while unsafe text[length] != 0 { length += 1 }
  let bytes = unsafe UnsafeRawBufferPointer(start: text, count: length).bindMemory(to: UInt8.self)
  body(unsafe bytes.span)
}

/// The tags that matter when reading pages.
package enum HTMLTag: Hashable, Sendable {
  /// A link.
  case a
  /// A link that is an area of an image map.
  case area
  /// Text next to the message of a page.
  case aside
  /// The base URL of references.
  case base
  /// The content of a page.
  case body
  /// A button, which submits its form by default.
  case button
  /// A group of fields.
  case fieldset
  /// The end of a page or a section.
  case footer
  case form
  /// A page within a frameset.
  case frame
  /// The whole page.
  case html
  /// A page within a page.
  case iframe
  /// An image.
  case img
  /// A field of a form.
  case input
  /// A file that belongs to the page, such as a style sheet.
  case link
  /// Metadata of the page.
  case meta
  /// Links for navigation.
  case nav
  /// The fallback for browsers without frames; its text is not part of the page.
  case noframes
  /// Content for browsers that run no scripts.
  case noscript
  case script
  /// A field with choices.
  case select
  /// One of several files of a picture or a video.
  case source
  /// A style sheet.
  case style
  /// Content that is shown only when a script inserts it.
  case template
  /// A field of several lines.
  case textarea
  case title
  case video
  /// Any other tag, known or not.
  case other

  init(_ tag: GumboTag) {
    self =
      switch tag {
      case GUMBO_TAG_A: .a
      case GUMBO_TAG_AREA: .area
      case GUMBO_TAG_ASIDE: .aside
      case GUMBO_TAG_BASE: .base
      case GUMBO_TAG_BODY: .body
      case GUMBO_TAG_BUTTON: .button
      case GUMBO_TAG_FIELDSET: .fieldset
      case GUMBO_TAG_FOOTER: .footer
      case GUMBO_TAG_FORM: .form
      case GUMBO_TAG_FRAME: .frame
      case GUMBO_TAG_HTML: .html
      case GUMBO_TAG_IFRAME: .iframe
      case GUMBO_TAG_IMG: .img
      case GUMBO_TAG_INPUT: .input
      case GUMBO_TAG_LINK: .link
      case GUMBO_TAG_META: .meta
      case GUMBO_TAG_NAV: .nav
      case GUMBO_TAG_NOFRAMES: .noframes
      case GUMBO_TAG_NOSCRIPT: .noscript
      case GUMBO_TAG_SCRIPT: .script
      case GUMBO_TAG_SELECT: .select
      case GUMBO_TAG_SOURCE: .source
      case GUMBO_TAG_STYLE: .style
      case GUMBO_TAG_TEMPLATE: .template
      case GUMBO_TAG_TEXTAREA: .textarea
      case GUMBO_TAG_TITLE: .title
      case GUMBO_TAG_VIDEO: .video
      default: .other
      }
  }
}
