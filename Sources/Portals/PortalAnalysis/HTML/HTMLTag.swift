import CProbeGumbo

/// The tags that matter when reading pages.
package enum HTMLTag: Hashable, Sendable {
  /// A link.
  case a
  /// A link that is an area of an image map.
  case area
  /// Text beside the message of a page.
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
  /// A form.
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
  /// A script.
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
  /// The page's title.
  case title
  /// A video.
  case video
  /// Any other tag.
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
