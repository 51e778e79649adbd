internal import Glibc

/// A program as a file, found as a shell finds it.
package enum ProgramFile {
  /// What a path is.
  package enum State: Hashable, Sendable {
    case runnable
    /// A folder, or a file that this user may not execute.
    case notRunnable
    case missing
  }

  /// What a path is.
  package static func state(of path: String) -> State {
    var facts = stat()
    guard unsafe stat(path, &facts) == 0 else { return .missing }
    let isFile = facts.st_mode & S_IFMT == S_IFREG
    return unsafe isFile && access(path, X_OK) == 0 ? .runnable : .notRunnable
  }

  /// What a command is: a path if it contains a slash, or else a name that is looked for in the folders of PATH.
  package static func state(ofCommand name: String, path: String?) -> State {
    guard !name.isEmpty else { return .missing }
    guard !name.contains("/") else { return state(of: name) }
    return found(name, in: folders(ofPath: path)).map { state(of: $0) } ?? .missing
  }

  /// The folders of PATH, or the usual ones if it is not set.
  static func folders(ofPath path: String?) -> [String] {
    (path ?? "/usr/bin:/bin").split(separator: ":", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "." : String($0) }
  }

  /// The path of a program in the first folder that has it, or else that of a file that cannot be executed.
  static func found(_ name: String, in folders: [String]) -> String? {
    let paths = folders.map { "\($0)/\(name)" }
    return paths.first { state(of: $0) == .runnable } ?? paths.first { state(of: $0) == .notRunnable }
  }

  /// Whether a path is that of a folder.
  static func isFolder(_ path: String) -> Bool {
    var facts = stat()
    return unsafe stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
  }

  /// The path from the root; a relative one starts at a folder, or at the working directory if that is empty.
  static func absolute(_ path: String, from folder: String = "") -> String {
    if path.hasPrefix("/") { return path }
    var base = folder
    if !base.hasPrefix("/") {
      guard let current = unsafe getcwd(nil, 0) else { return path }
      let working = unsafe String(cString: current)
      unsafe free(current)
      base = base.isEmpty ? working : absolute(base, from: working)
    }
    var rest = path[...]
    while rest.hasPrefix("./") { rest = rest.dropFirst(2) }
    if rest.isEmpty || rest == "." { return base }
    return base.hasSuffix("/") ? "\(base)\(rest)" : "\(base)/\(rest)"
  }

  /// The path of the program that is running, or nil if its file has been removed.
  package static var own: String? {
    guard let path = unsafe realpath("/proc/self/exe", nil) else { return nil }
    defer { unsafe free(path) }
    return unsafe String(cString: path)
  }
}
