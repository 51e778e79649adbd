import Glibc

extension ReportFile {
  /// Creates the missing folders in a file's path.
  ///
  /// - Throws: ``OutputSink/Failure`` with the system's error message.
  static func makeFolders(of path: String) throws(OutputSink.Failure) {
    var folder = ""
    for part in path.split(separator: "/", omittingEmptySubsequences: false).dropLast() {
      folder += part + "/"
      guard folder != "/" else { continue }
      if unsafe mkdir(folder, 0o777) != 0, errno != EEXIST { throw .lastError }
    }
  }
}
