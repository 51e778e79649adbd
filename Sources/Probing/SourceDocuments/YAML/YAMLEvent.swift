/// A parsing event of a YAML text (YAML 1.1 §3.1, "serialization"), with its position.
package struct YAMLEvent: Hashable, Sendable {
  /// The kind of event.
  package enum Kind: Hashable, Sendable {
    /// A document starts.
    case documentStart
    /// A document ends.
    case documentEnd
    /// A scalar.
    case scalar(YAMLScalar)
    /// A reference to the node with this anchor.
    case alias(String)
    /// A sequence starts.
    case sequenceStart(YAMLCollection)
    /// A sequence ends.
    case sequenceEnd
    /// A mapping starts; keys and values follow alternately.
    case mappingStart(YAMLCollection)
    /// A mapping ends.
    case mappingEnd
  }

  /// The kind of event.
  package var kind: Kind
  /// Its start, including an anchor or a tag.
  package var start: YAMLMark
  /// Its end, after its last character.
  package var end: YAMLMark

  /// An event.
  package init(_ kind: Kind, start: YAMLMark, end: YAMLMark) {
    self.kind = kind
    self.start = start
    self.end = end
  }
}

/// A scalar of a YAML text.
package struct YAMLScalar: Hashable, Sendable {
  /// The style of a scalar.
  package enum Style: Hashable, Sendable {
    /// Without quotes.
    case plain
    /// In single quotes.
    case singleQuoted
    /// In double quotes.
    case doubleQuoted
    /// A block after `|`.
    case literal
    /// A block after `>`.
    case folded
  }

  /// The text with escapes decoded and lines folded.
  package var value: String
  /// The style.
  package var style: Style
  /// The tag in its long form, such as `tag:yaml.org,2002:str`, or nil.
  package var tag: String?
  /// The anchor, or nil.
  package var anchor: String?

  /// A scalar.
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
  /// The anchor, or nil.
  package var anchor: String?

  /// A start.
  package init(isFlow: Bool, tag: String? = nil, anchor: String? = nil) {
    self.isFlow = isFlow
    self.tag = tag
    self.anchor = anchor
  }
}
