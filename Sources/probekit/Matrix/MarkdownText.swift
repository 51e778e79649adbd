import ProbeCore

extension String {
  /// The text escaped for Markdown (CommonMark §2.4), including table cells.
  var escapedForMarkdown: String {
    var result = ""
    for character in escapedForDisplay {
      if "\\`*_{}[]<>#|!&~$:@".contains(character) { result.append("\\") }
      result.append(character)
    }
    return result
  }
}
