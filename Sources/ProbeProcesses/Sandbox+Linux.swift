internal import Glibc
internal import ProbeCore

/// Encloses a program by bubblewrap (bwrap(1)): no network, and no files but those of the system and its own.
struct Sandbox {
  /// The size of each of its folders for temporary files, in bytes.
  let memory: Int

  /// The folders of programs and libraries, of which some are links into another one.
  private static let systemFolders = [
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32",
  ]
  /// The files below /etc that dynamic linking and the links of alternatives need.
  private static let systemFiles = ["/etc/ld.so.cache", "/etc/alternatives"]

  /// A process to start in place of another one.
  ///
  /// - Parameters:
  ///   - program: The process.
  ///   - path: The PATH in which bubblewrap is looked for.
  /// - Returns: The process of bubblewrap.
  /// - Throws: ``ProgramNotStarted`` if there is no bubblewrap.
  func enclosing(_ program: SpawnedProgram, searching path: String?) throws(ProgramNotStarted)
    -> SpawnedProgram
  {
    guard let wrapper = ProgramFile.found("bwrap", in: ProgramFile.folders(ofPath: path)) else {
      throw ProgramNotStarted(
        "a sandbox needs bubblewrap, which this machine lacks; install the package bubblewrap, or leave out "
          + "sandbox")
    }
    var enclosed = program
    enclosed.path = ProgramFile.absolute(wrapper)
    enclosed.arguments =
      ["bwrap"] + arguments(for: program.path, links: Self.links) + ["--", program.path]
      + program.arguments.dropFirst()
    // Its own folder is not visible inside.
    enclosed.folder = nil
    return enclosed
  }

  /// The options of bwrap(1).
  ///
  /// - Parameters:
  ///   - path: The path of the program.
  ///   - links: The system's folders, with the target of each that is a link.
  /// - Returns: The options up to the program.
  func arguments(for path: String, links: [(folder: String, target: String?)]) -> [String] {
    let size = String(memory)
    // A session of its own, because a program could type into the user's terminal otherwise (CVE-2017-5226).
    var arguments = ["--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    for (folder, target) in links {
      arguments += target.map { ["--symlink", $0, folder] } ?? ["--ro-bind", folder, folder]
    }
    for file in Self.systemFiles { arguments += ["--ro-bind-try", file, file] }
    arguments += ["--proc", "/proc", "--dev", "/dev"]
    for folder in ["/dev/shm", "/tmp"] { arguments += ["--size", size, "--tmpfs", folder] }
    if !links.contains(where: { path.hasPrefix("\($0.folder)/") }) { arguments += ["--ro-bind", path, path] }
    return arguments + ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/tmp"]
  }

  /// The reason why bubblewrap has not started the program, if that is how it ended.
  ///
  /// - Parameters:
  ///   - code: The exit code.
  ///   - errors: The standard error; only that of a program that has not started begins with `bwrap: `.
  /// - Returns: The reason, or nil.
  static func failure(_ code: Int, errors: [UInt8]) -> ProgramNotStarted? {
    guard code == 1, errors.starts(with: "bwrap: ".utf8) else { return nil }
    let reason = String(decoding: errors.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self).escapedForDisplay
    let isForbidden = ["namespace", "uid map", "Operation not permitted"].contains { reason.contains($0) }
    return ProgramNotStarted(
      isForbidden
        ? "this system does not permit the sandbox (\(reason)); permit user namespaces, such as with sysctl "
          + "kernel.unprivileged_userns_clone=1 or kernel.apparmor_restrict_unprivileged_userns=0, or leave "
          + "out sandbox"
        : "the program does not start in the sandbox (\(reason)); its interpreter must be below /usr, and it "
          + "sees no file but its own")
  }

  /// The system's folders here, with the target of each that is a link.
  private static var links: [(folder: String, target: String?)] {
    systemFolders.filter(ProgramFile.isFolder).map { folder in
      var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
      let count = unsafe bytes.withUnsafeMutableBytes { room in
        unsafe room.baseAddress.map { unsafe readlink(folder, $0, room.count) } ?? -1
      }
      return (folder, count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil)
    }
  }
}
