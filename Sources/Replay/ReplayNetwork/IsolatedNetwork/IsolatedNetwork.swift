internal import FixtureReplay
internal import Glibc
internal import ProbeCore
internal import ProbeSystem
package import ProbeBase

/// Runs a command on behalf of the user, in a network that consists of the fixtures.
///
/// There are three processes. This one stays in the real network, forwards signals and returns the command's
/// exit code. In new namespaces, the same program is the router (``IsolatedNetworkRouter``): it serves the
/// fixtures, and starts the command in a network whose only gateway is the router. The router has process ID
/// 1 in its namespace, so that all processes in the namespace end with it. It ends when the pipe from this
/// process is closed, no matter how this process ended.
package struct IsolatedNetwork {
  /// The namespaces, as options of unshare(1); a user namespace is added if they are not permitted without
  /// it.
  private static let namespaces = ["--net", "--mount", "--pid", "--fork"]
  private static let userNamespace = ["--user", "--map-root-user"]

  /// The alternative for machines on which `--exec` does not work.
  package static let otherWay =
    "serve the fixture without --exec and connect to it with --connect-to (see docs/replay.md)"

  let tools: IsolatedNetworkTools
  let environment: [String]
  /// The path of this program, and its arguments after the name of the command.
  let program: [String]

  /// Creates the network of a command.
  package init(
    tools: IsolatedNetworkTools,
    environment: [String],
    program: [String]
  ) {
    self.tools = tools
    self.environment = environment
    self.program = program
  }

  /// Runs the command, and returns when it has ended.
  ///
  /// - Throws: `InvalidInput` if the system does not permit it.
  package func run() async throws(InvalidInput) -> Int32 {
    let options = try permittedOptions()
    let (reading, writing) = try Self.pipe()
    // From here on, signals are for the command.
    // A terminal sends SIGINT to the command itself.
    _ = Interruption.arrivals(of: SIGINT)
    let signals = [SIGTERM, SIGHUP].map { (number: $0, arrivals: Interruption.arrivals(of: $0)) }
    let settings = RouterSettings(
      lifeline: reading, user: getuid(), group: getgid(), hasUserNamespace: options.contains("--user"))
    let arguments =
      [tools["unshare"]] + options + [program[0], "replay", RouterSettings.option, settings.description]
      + program.dropFirst()
    // The command has the rights of its user, in a network of its own.
    var router = ProgramLaunch(arguments: arguments, environment: environment)
    router.keepsCapabilities = true
    let process: pid_t
    do throws(ProgramLaunch.NotStarted) {
      process = try router.start()
    } catch {
      throw InvalidInput("cannot start \(tools["unshare"]): \(error)")
    }
    close(reading)
    let passing = Task {
      await withDiscardingTaskGroup { group in
        for (number, arrivals) in signals {
          group.addTask {
            for await _ in arrivals {
              unsafe withUnsafePointer(to: UInt8(truncatingIfNeeded: number)) {
                _ = unsafe write(writing, $0, 1)
              }
            }
          }
        }
      }
    }
    defer { passing.cancel() }
    let end = await Self.end(of: process)
    close(writing)
    return end.exitCode
  }

  /// The options of unshare(1) that this system permits.
  private func permittedOptions() throws(InvalidInput) -> [String] {
    var output = ""
    for options in geteuid() == 0
      ? [Self.namespaces, Self.userNamespace + Self.namespaces] : [Self.userNamespace + Self.namespaces]
    {
      let test = ProgramOutput(of: [tools["unshare"]] + options + ["/bin/true"], environment: environment)
      if test.end == .code(0) { return options }
      output = test.text
    }
    throw InvalidInput(
      IsolatedNetworkObstacle.message(output) { name in
        let path = "/proc/sys/" + name.replacing(".", with: "/")
        let bytes = try? FileReading.bytes(of: path, limit: 64, .regularFiles)
        return bytes.map { String(decoding: $0.filter { $0 > 0x20 }, as: UTF8.self) }
      })
  }

  /// A pipe whose read end is inherited by child processes.
  private static func pipe() throws(InvalidInput) -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    guard unsafe Glibc.pipe(&ends) == 0 else { throw InvalidInput("no file descriptor is left") }
    _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
    return (ends[0], ends[1])
  }

  /// Waits on a separate thread, because a task must not block a thread of the runtime.
  private static func end(of process: pid_t) async -> ProcessEnd {
    await withCheckedContinuation { continuation in
      let wait: @Sendable () -> Void = {
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) == -1, errno == EINTR {}
        continuation.resume(returning: ProcessEnd(status: status))
      }
      if let thread = try? WorkerThread(named: "probekit-exec", wait) { thread.detach() } else { wait() }
    }
  }
}

/// The settings of the router from its parent process: the value of a hidden option.
package struct RouterSettings: Hashable, Sendable, CustomStringConvertible {
  /// The name of the option.
  package static let option = "--as-router"

  /// The pipe from the process that started it.
  var lifeline: Int32
  /// The IDs of the user and group outside the namespaces.
  var user: UInt32
  var group: UInt32
  /// Whether there is a user namespace, in which the router is root.
  var hasUserNamespace: Bool

  package var description: String { "\(lifeline),\(user),\(group),\(hasUserNamespace ? 1 : 0)" }
}

extension RouterSettings {
  /// Parses a ``description``; nil if it is invalid.
  package init?(_ text: String) {
    let parts = text.split(separator: ",")
    guard parts.count == 4, let lifeline = Int32(text: parts[0]), lifeline > STDERR_FILENO,
      let user = UInt32(text: parts[1]),
      let group = UInt32(text: parts[2]), ["0", "1"].contains(parts[3])
    else { return nil }
    self.init(lifeline: lifeline, user: user, group: group, hasUserNamespace: parts[3] == "1")
  }
}

/// The system programs that a replayed network needs, by path.
package struct IsolatedNetworkTools: Sendable {
  /// A program, and the Debian package that contains it.
  static let all = [
    ("unshare", "util-linux"), ("nsenter", "util-linux"), ("mount", "mount"), ("umount", "mount"),
    ("ip", "iproute2"), ("nft", "nftables"),
  ]

  /// The folders of programs for administrators, which a user's PATH may lack.
  private static let folders = ["/usr/sbin", "/usr/bin", "/sbin", "/bin"]

  private let paths: [String: String]

  /// Finds the programs in folders.
  ///
  /// - Throws: `InvalidInput` with the missing programs and their packages.
  package init(in folders: [String] = folders) throws(InvalidInput) {
    var paths: [String: String] = [:]
    var missing: [(name: String, package: String)] = []
    for (name, package) in Self.all {
      let path = folders.lazy.map { "\($0)/\(name)" }.first { ProgramFile.state(of: $0) == .runnable }
      if let path { paths[name] = path } else { missing.append((name, package)) }
    }
    guard missing.isEmpty else {
      let packages = Set(missing.map(\.package)).sorted().joined(separator: " ")
      throw InvalidInput(
        "--exec needs \(missing.map(\.name).joined(separator: ", ")), which this machine lacks",
        remedy: "install \(packages), or \(IsolatedNetwork.otherWay)")
    }
    self.paths = paths
  }

  /// The path of a program; its name if it is not one of these programs.
  subscript(_ name: String) -> String { paths[name] ?? name }
}

/// The reason why the system does not permit namespaces, according to its settings.
enum IsolatedNetworkObstacle {
  /// The settings of Linux and of distributions that forbid them, each with the value that permits them.
  private static let settings = [
    ("user.max_user_namespaces", "0", "a number such as 10000"),
    ("user.max_net_namespaces", "0", "a number such as 10000"),
    ("kernel.unprivileged_userns_clone", "0", "1"),
    ("kernel.apparmor_restrict_unprivileged_userns", "1", "0"),
  ]

  /// The message for a user.
  ///
  /// - Parameters:
  ///   - output: The output of the program that failed to create them.
  ///   - setting: Reads a setting by its name; nil if there is none.
  /// - Returns: The error and its remedies.
  static func message(_ output: String, setting: (String) -> String?) -> String {
    let found = settings.first { setting($0.0) == $0.1 }
    let reason = output.split(separator: "\n").last.map { ": \($0)" } ?? ""
    let remedy = found.map { name, value, other in
      "\(name) is \(value): set it to \(other) with sysctl, run it as root"
    }
    return "this system does not permit the namespaces that --exec needs\(reason); "
      + (remedy ?? "run it as root") + ", or \(IsolatedNetwork.otherWay)"
  }
}

/// A short program that has ended, and the beginning of its output.
struct ProgramOutput {
  /// The end of its process; nil if it could not be started.
  let end: ProcessEnd?
  /// Its standard output and standard error, at most 4 KiB.
  let text: String

  /// Runs a program.
  init(of arguments: [String], environment: [String]) {
    guard let pipe = SystemPipe() else {
      (end, text) = (nil, "no file descriptor is left")
      return
    }
    defer { close(pipe.reading) }
    let process: pid_t
    do throws(ProgramLaunch.NotStarted) {
      defer { close(pipe.writing) }
      var program = ProgramLaunch(
        arguments: arguments, environment: environment,
        descriptors: .init(input: nil, output: pipe.writing, errors: pipe.writing))
      // The tools that prepare a network, such as dnsmasq, need the rights of this process.
      program.keepsCapabilities = true
      process = try program.start()
    } catch {
      (end, text) = (nil, "\(arguments[0]): \(error)")
      return
    }
    var bytes: [UInt8] = []
    while true {
      let part = unsafe [UInt8](unsafeUninitializedCapacity: 1024) { buffer, count in
        count = max(0, unsafe read(pipe.reading, buffer.baseAddress, buffer.count))
      }
      if part.isEmpty { break }
      if bytes.count < 4096 { bytes += part }
    }
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) == -1, errno == EINTR {}
    end = ProcessEnd(status: status)
    text = String(decoding: bytes, as: UTF8.self)
  }
}

extension ProcessEnd {
  /// The exit code that represents the end of the process, as in a shell.
  package var exitCode: Int32 {
    switch self {
    case .code(let code): code
    case .signal(let number): 128 + number
    }
  }
}
