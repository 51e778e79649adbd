import CGumbo

/// The tags whose meaning a reader of pages asks for.
public struct HTMLTag: Hashable, Sendable {
  /// The parser's number of the tag; all tags it does not know have the same.
  public let number: UInt32

  init(_ tag: GumboTag) {
    number = tag.rawValue
  }

  /// A link.
  public static let a = HTMLTag(GUMBO_TAG_A)
  /// A link that is an area of a picture.
  public static let area = HTMLTag(GUMBO_TAG_AREA)
  /// What references are relative to.
  public static let base = HTMLTag(GUMBO_TAG_BASE)
  /// The content of a page.
  public static let body = HTMLTag(GUMBO_TAG_BODY)
  /// A button, which submits its form unless it says otherwise.
  public static let button = HTMLTag(GUMBO_TAG_BUTTON)
  /// A form.
  public static let form = HTMLTag(GUMBO_TAG_FORM)
  /// A page within a frameset.
  public static let frame = HTMLTag(GUMBO_TAG_FRAME)
  /// A page within a page.
  public static let iframe = HTMLTag(GUMBO_TAG_IFRAME)
  /// A picture.
  public static let img = HTMLTag(GUMBO_TAG_IMG)
  /// A field of a form.
  public static let input = HTMLTag(GUMBO_TAG_INPUT)
  /// Something said of the page itself.
  public static let meta = HTMLTag(GUMBO_TAG_META)
  /// What stands for frames where there are none; its text is no part of the page.
  public static let noframes = HTMLTag(GUMBO_TAG_NOFRAMES)
  /// A script.
  public static let script = HTMLTag(GUMBO_TAG_SCRIPT)
  /// A field with choices.
  public static let select = HTMLTag(GUMBO_TAG_SELECT)
  /// Rules for the look.
  public static let style = HTMLTag(GUMBO_TAG_STYLE)
  /// A field of several lines.
  public static let textarea = HTMLTag(GUMBO_TAG_TEXTAREA)
  /// The page's title.
  public static let title = HTMLTag(GUMBO_TAG_TITLE)
}
