extension String {
  /// The folder of the file with this path, such as `a` for `a/b`, `.` for `b` and `/` for `/b`; a slash at the end counts.
  package var folderOfPath: String {
    guard let slash = lastIndex(of: "/") else { return "." }
    return slash == startIndex ? "/" : String(self[..<slash])
  }
}
