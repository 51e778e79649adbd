/// A parsing event of a YAML text (YAML 1.1 §3.1, "serialization"), with its position.
package struct YAMLEvent: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case documentStart
    case documentEnd
    case scalar(YAMLScalar)
    /// A reference to the node with this anchor.
    case alias(String)
    case sequenceStart(YAMLCollection)
    case sequenceEnd
    /// A mapping starts; keys and values follow alternately.
    case mappingStart(YAMLCollection)
    case mappingEnd
  }

  package var kind: Kind
  /// Its start, including an anchor or a tag.
  package var start: YAMLMark
  /// Its end, after its last character.
  package var end: YAMLMark

  package init(_ kind: Kind, start: YAMLMark, end: YAMLMark) {
    self.kind = kind
    self.start = start
    self.end = end
  }
}

package struct YAMLScalar: Hashable, Sendable {
  package enum Style: Hashable, Sendable {
    /// Without quotes.
    case plain
    case singleQuoted
    case doubleQuoted
    /// A block after `|`.
    case literal
    /// A block after `>`.
    case folded
  }

  /// The text with escapes decoded and lines folded.
  package var value: String
  package var style: Style
  /// The tag in its long form, such as `tag:yaml.org,2002:str`, or nil.
  package var tag: String?
  /// The anchor, without the `&`; nil if it has none.
  package var anchor: String?

  package init(_ value: String, style: Style, tag: String? = nil, anchor: String? = nil) {
    self.value = value
    self.style = style
    self.tag = tag
    self.anchor = anchor
  }
}

/// The start of a sequence or a mapping.
package struct YAMLCollection: Hashable, Sendable {
  /// Whether it is in flow style, with brackets or braces.
  package var isFlow: Bool
  /// The tag in its long form, or nil.
  package var tag: String?
  /// The anchor, without the `&`; nil if it has none.
  package var anchor: String?

  package init(isFlow: Bool, tag: String? = nil, anchor: String? = nil) {
    self.isFlow = isFlow
    self.tag = tag
    self.anchor = anchor
  }
}

/// A position in a text.
package struct YAMLMark: Hashable, Sendable {
  /// The line, from 0, as in libyaml.
  package var line: Int
  /// The column in characters, from 0.
  package var column: Int
  /// The offset in bytes from the start of the input, including a byte order mark.
  package var offset: Int

  package init(line: Int, column: Int, offset: Int) {
    self.line = line
    self.column = column
    self.offset = offset
  }
}

/// The reason why a text is not valid YAML, and the position of the error.
package struct YAMLError: Error, Hashable, Sendable {
  /// The kind of error; the set may grow.
  package struct Code: RawRepresentable, Hashable, Sendable {
    /// A short, bounded identifier, suitable as a metric label.
    package let rawValue: String

    package init(rawValue: String) {
      self.rawValue = rawValue
    }

    package static let noMemory = Code(rawValue: "noMemory")
    /// The bytes are not UTF-8.
    package static let encoding = Code(rawValue: "encoding")
    /// A character is not allowed in YAML (YAML 1.1 §4.1).
    package static let character = Code(rawValue: "character")
    /// The scanner found no valid token.
    package static let scanner = Code(rawValue: "scanner")
    /// A token is not allowed at its position.
    package static let parser = Code(rawValue: "parser")
  }

  package var code: Code
  /// A description, from libyaml for an error of the scanner or the parser.
  package var problem: String
  package var mark: YAMLMark
  /// The construct being parsed, as described by libyaml, such as `while parsing a flow mapping`, or nil.
  package var context: String?
  /// The start of the context, or nil.
  var contextMark: YAMLMark?

  package init(
    _ code: Code, _ problem: String, mark: YAMLMark, context: String? = nil, contextMark: YAMLMark? = nil
  ) {
    self.code = code
    self.problem = problem
    self.mark = mark
    self.context = context
    self.contextMark = contextMark
  }
}

extension YAMLError: CustomStringConvertible {
  /// The description and the position, lines and columns from 1.
  package var description: String {
    let position = "line \(mark.line + 1), column \(mark.column + 1)"
    return "\(problem) at \(position)" + (context.map { " \($0)" } ?? "")
  }
}
