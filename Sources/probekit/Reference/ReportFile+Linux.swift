import Glibc

extension ReportFile {
  /// Makes the folders that a file's path names, unless they are there.
  ///
  /// - Throws: ``OutputSink/Failure`` with the system's words.
  static func makeFolders(of path: String) throws(OutputSink.Failure) {
    var folder = ""
    for part in path.split(separator: "/", omittingEmptySubsequences: false).dropLast() {
      folder += part + "/"
      guard folder != "/" else { continue }
      if unsafe mkdir(folder, 0o777) != 0, errno != EEXIST { throw .lastError }
    }
  }
}
