import CProbeGumbo
import Glibc

/// An element of an HTML page, valid while the page is visited.
///
/// It refers to the parser's tree, so that only requested data is copied.
@safe package struct HTMLElement: ~Copyable {
  private let element: GumboElement

  /// A view of an element in a tree that outlives it.
  init(_ element: GumboElement) {
    unsafe self.element = element
  }

  /// The tag.
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
