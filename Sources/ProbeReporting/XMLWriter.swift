import ProbeCore

/// Writes XML 1.0, an element a line.
///
/// What XML has no way to write, such as control characters (XML 1.0 §2.2), is escaped as for a terminal.
struct XMLWriter {
  /// A name and a value; one without a value is left out.
  typealias Attribute = (name: String, value: String?)

  /// What has been written so far.
  private(set) var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
  private var depth = 0

  /// Writes an element with elements in it.
  mutating func element(_ name: String, _ attributes: [Attribute], _ content: (inout XMLWriter) -> Void) {
    start(name, attributes)
    text += ">\n"
    depth += 1
    content(&self)
    depth -= 1
    text += indentation + "</\(name)>\n"
  }

  /// Writes an element with nothing in it, or lines of text.
  mutating func element(_ name: String, _ attributes: [Attribute], lines: [String] = []) {
    start(name, attributes)
    text += lines.isEmpty ? "/>\n" : ">" + lines.map(Self.escape).joined(separator: "\n") + "</\(name)>\n"
  }

  private mutating func start(_ name: String, _ attributes: [Attribute]) {
    text += indentation + "<" + name
    for case (let name, let value?) in attributes { text += " \(name)=\"\(Self.escape(value))\"" }
  }

  private var indentation: String { String(repeating: "  ", count: depth) }

  /// A text as it stands in content and in attributes between double quotes.
  private static func escape(_ text: String) -> String {
    // The greater-than sign always, so that no `]]>` is left in content.
    text.withoutNoncharacters.replacing([
      "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;",
    ])
  }
}
