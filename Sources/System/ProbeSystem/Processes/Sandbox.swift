internal import Glibc
internal import ProbeBase

/// Runs a program in bubblewrap (bwrap(1)), without network access and with only its own and system files.
///
/// Nothing of the machine can be written in it, even as root, who owns files such as those below /proc/sys. User
/// namespaces do not change that, because there is only one user to map.
struct Sandbox {
  /// The size of each of its folders for temporary files, in bytes.
  let memory: Int
  /// The paths of files that are hidden in it.
  var hiddenFiles = Self.filesOfUser
  /// Whether the system permits user namespaces, in which a program could have the rights to mount a file system of
  /// the machine, such as that of its control groups.
  var hasUserNamespaces = Self.permitsUserNamespaces

  /// The folders of programs and libraries, some of which are links to others.
  private static let systemFolders = [
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32",
  ]
  /// The files below /etc that dynamic linking and the links of alternatives need.
  private static let systemFiles = ["/etc/ld.so.cache", "/etc/alternatives"]

  /// The process of bubblewrap to start instead of a program.
  ///
  /// - Parameters:
  ///   - program: The process.
  ///   - path: The PATH to search for bubblewrap.
  /// - Returns: The process of bubblewrap.
  /// - Throws: ``ProgramNotStarted`` if there is no bubblewrap.
  func enclosing(_ program: ProgramLaunch, searching path: String?) throws(ProgramNotStarted)
    -> ProgramLaunch
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
    // Its working directory is not visible inside.
    enclosed.folder = nil
    enclosed.isConfined = true
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
    // A separate session, so that the program cannot inject input into the user's terminal (CVE-2017-5226).
    var arguments = ["--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    for (folder, target) in links {
      arguments += target.map { ["--symlink", $0, folder] } ?? ["--ro-bind", folder, folder]
    }
    for file in Self.systemFiles { arguments += ["--ro-bind-try", file, file] }
    if hasUserNamespaces { arguments += ["--unshare-user", "--disable-userns"] }
    arguments += ["--proc", "/proc", "--dev", "/dev"]
    for file in hiddenFiles { arguments += ["--ro-bind-try", "/dev/null", file] }
    for folder in ["/dev/shm", "/tmp"] { arguments += ["--size", size, "--tmpfs", folder] }
    if !links.contains(where: { path.hasPrefix("\($0.folder)/") }) { arguments += ["--ro-bind", path, path] }
    for folder in ["/proc", "/dev", "/"] { arguments += ["--remount-ro", folder] }
    return arguments + ["--chdir", "/tmp"]
  }

  /// The reason why bubblewrap did not start the program, if it did not.
  ///
  /// - Parameters:
  ///   - code: The exit code.
  ///   - errors: The standard error, which begins with `bwrap: ` only if the program was not started.
  ///   - wrapper: The path of bubblewrap.
  /// - Returns: The reason, or nil.
  static func failure(_ code: Int, errors: [UInt8], of wrapper: String) -> ProgramNotStarted? {
    guard code == 1, errors.starts(with: "bwrap: ".utf8) else { return nil }
    let reason = String(decoding: errors.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self).escapedForDisplay
    if reason.contains("Unknown option --disable-userns") {
      return ProgramNotStarted(
        "this machine's bubblewrap is too old for the sandbox (\(reason)); install version 0.8 or later, or leave "
          + "out sandbox")
    }
    let signs = ["namespace", "uid map", "Operation not permitted", "setuid mode"]
    let isForbidden = signs.contains { reason.contains($0) }
    // It is confined before it starts, and in that mode it would have neither --size nor --disable-userns (bwrap(1)).
    let mode =
      isSetuid(wrapper) ? "; that bubblewrap is setuid has no effect, because it may gain no rights" : ""
    return ProgramNotStarted(
      isForbidden
        ? "this system does not permit the sandbox (\(reason))\(mode); permit user namespaces, such as with sysctl "
          + "kernel.unprivileged_userns_clone=1 or kernel.apparmor_restrict_unprivileged_userns=0, or leave "
          + "out sandbox"
        : "the program does not start in the sandbox (\(reason)); its interpreter must be below /usr, and it "
          + "sees no file but its own")
  }

  /// Whether a file runs as another user than this one.
  ///
  /// bubblewrap has no option that reports this mode; it compares its real and its effective user.
  private static func isSetuid(_ path: String) -> Bool {
    var facts = stat()
    return unsafe stat(path, &facts) == 0 && facts.st_mode & S_ISUID != 0 && facts.st_uid != getuid()
  }

  /// The files of /proc that only root may read, such as `/proc/slabinfo`, if this process is root's, and the list
  /// of the user's keys.
  private static let filesOfUser: [String] = {
    guard let folder = unsafe opendir("/proc") else { return [] }
    defer { unsafe closedir(folder) }
    let isRoot = geteuid() == 0
    var paths: [String] = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
        unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      var facts = stat()
      guard unsafe stat("/proc/\(name)", &facts) == 0, facts.st_mode & S_IFMT == S_IFREG,
        name == "keys" || isRoot && facts.st_mode & S_IROTH == 0
      else { continue }
      paths.append("/proc/\(name)")
    }
    return paths
  }()

  /// Whether this user may create user namespaces, as far as the system's limit is concerned.
  private static var permitsUserNamespaces: Bool {
    let path = "/proc/sys/user/max_user_namespaces"
    guard let file = try? FileStream(path), let bytes = try? file.read(upTo: 32) else { return false }
    let number = String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
    return number.isEmpty || number != "0"
  }

  /// The existing system folders, with the target of each that is a link.
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
