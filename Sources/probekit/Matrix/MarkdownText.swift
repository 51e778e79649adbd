import ProbeCore

extension String {
  /// The text escaped for Markdown (CommonMark §2.4), including table cells.
  var escapedForMarkdown: String { escapedForDisplay.withBackslashes(before: "\\`*_{}[]<>#|!&~$:@") }
}
