import CProbeGumbo

/// The tags that matter when reading pages.
package struct HTMLTag: Hashable, Sendable {
  /// The parser's number of the tag; all unknown tags have the same.
  package let number: UInt32

  init(_ tag: GumboTag) {
    number = tag.rawValue
  }

  /// A link.
  package static let a = HTMLTag(GUMBO_TAG_A)
  /// A link that is an area of an image map.
  package static let area = HTMLTag(GUMBO_TAG_AREA)
  /// Text beside the message of a page.
  package static let aside = HTMLTag(GUMBO_TAG_ASIDE)
  /// The base URL of references.
  package static let base = HTMLTag(GUMBO_TAG_BASE)
  /// The content of a page.
  package static let body = HTMLTag(GUMBO_TAG_BODY)
  /// A button, which submits its form by default.
  package static let button = HTMLTag(GUMBO_TAG_BUTTON)
  /// A group of fields.
  package static let fieldset = HTMLTag(GUMBO_TAG_FIELDSET)
  /// The end of a page or a section.
  package static let footer = HTMLTag(GUMBO_TAG_FOOTER)
  /// A form.
  package static let form = HTMLTag(GUMBO_TAG_FORM)
  /// A page within a frameset.
  package static let frame = HTMLTag(GUMBO_TAG_FRAME)
  /// The whole page.
  package static let html = HTMLTag(GUMBO_TAG_HTML)
  /// A page within a page.
  package static let iframe = HTMLTag(GUMBO_TAG_IFRAME)
  /// An image.
  package static let img = HTMLTag(GUMBO_TAG_IMG)
  /// A field of a form.
  package static let input = HTMLTag(GUMBO_TAG_INPUT)
  /// A file that belongs to the page, such as a style sheet.
  package static let link = HTMLTag(GUMBO_TAG_LINK)
  /// Metadata of the page.
  package static let meta = HTMLTag(GUMBO_TAG_META)
  /// Links for navigation.
  package static let nav = HTMLTag(GUMBO_TAG_NAV)
  /// The fallback for browsers without frames; its text is not part of the page.
  package static let noframes = HTMLTag(GUMBO_TAG_NOFRAMES)
  /// A script.
  package static let script = HTMLTag(GUMBO_TAG_SCRIPT)
  /// A field with choices.
  package static let select = HTMLTag(GUMBO_TAG_SELECT)
  /// One of several files of a picture or a video.
  package static let source = HTMLTag(GUMBO_TAG_SOURCE)
  /// A style sheet.
  package static let style = HTMLTag(GUMBO_TAG_STYLE)
  /// Content that is shown only when a script inserts it.
  package static let template = HTMLTag(GUMBO_TAG_TEMPLATE)
  /// A field of several lines.
  package static let textarea = HTMLTag(GUMBO_TAG_TEXTAREA)
  /// The page's title.
  package static let title = HTMLTag(GUMBO_TAG_TITLE)
  /// A video.
  package static let video = HTMLTag(GUMBO_TAG_VIDEO)
}
