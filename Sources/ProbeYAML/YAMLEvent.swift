/// One step of a YAML text as it is read (YAML 1.1 §3.1, "serialization"), with the place it stands at.
package struct YAMLEvent: Hashable, Sendable {
  /// What the step is.
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
    /// A mapping starts; keys and values follow in turn.
    case mappingStart(YAMLCollection)
    /// A mapping ends.
    case mappingEnd
  }

  /// What the step is.
  package var kind: Kind
  /// Where it starts: at the anchor or the tag, where there is one.
  package var start: YAMLMark
  /// Where it ends, behind its last character.
  package var end: YAMLMark

  /// A step.
  package init(_ kind: Kind, start: YAMLMark, end: YAMLMark) {
    self.kind = kind
    self.start = start
    self.end = end
  }
}

/// A scalar of a YAML text.
package struct YAMLScalar: Hashable, Sendable {
  /// How a scalar is written.
  package enum Style: Hashable, Sendable {
    /// Without quotes.
    case plain
    /// In single quotes.
    case singleQuoted
    /// In double quotes.
    case doubleQuoted
    /// As a block behind `|`.
    case literal
    /// As a block behind `>`.
    case folded
  }

  /// The text, escapes resolved and lines folded.
  package var value: String
  /// How it is written.
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

/// How a sequence or a mapping of a YAML text starts.
package struct YAMLCollection: Hashable, Sendable {
  /// Whether it is written in brackets or braces.
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
