import ProbeCore

/// Writes XML 1.0, one element per line.
///
/// Characters that XML cannot represent, such as control characters (XML 1.0 §2.2), are escaped as for a
/// terminal.
package struct XMLWriter {
  /// A name and a value; an attribute without a value is left out.
  package typealias Attribute = (name: String, value: String?)

  /// The text written so far.
  package private(set) var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
  private var depth = 0

  /// Creates a document without elements.
  package init() {}

  /// Writes an element that contains elements.
  package mutating func element(
    _ name: String, _ attributes: [Attribute], _ content: (inout XMLWriter) -> Void
  ) {
    start(name, attributes)
    text += ">\n"
    depth += 1
    content(&self)
    depth -= 1
    text += indentation + "</\(name)>\n"
  }

  /// Writes an element that is empty or contains lines of text.
  package mutating func element(_ name: String, _ attributes: [Attribute], lines: [String] = []) {
    start(name, attributes)
    text += lines.isEmpty ? "/>\n" : ">" + lines.map(Self.escape).joined(separator: "\n") + "</\(name)>\n"
  }

  private mutating func start(_ name: String, _ attributes: [Attribute]) {
    text += indentation + "<" + name
    for case (let name, let value?) in attributes { text += " \(name)=\"\(Self.escape(value))\"" }
  }

  private var indentation: String { String(repeating: "  ", count: depth) }

  /// Escapes text for content, and for attributes in double quotes.
  private static func escape(_ text: String) -> String {
    text.withoutNoncharacters.withMarkupReferences()
  }
}
