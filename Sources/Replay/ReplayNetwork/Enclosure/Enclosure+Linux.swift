import FixtureReplay
import Glibc
import ProbeCore
import ProbeSystem
package import ProbeBase

/// Runs a command on behalf of the user, in a network that consists of the fixtures.
///
/// There are three processes. This one stays in the real network, forwards signals and returns the command's
/// exit code. In new namespaces, the same program is the router (``EnclosureRouter``): it serves the
/// fixtures, and starts the command in a network whose only gateway is the router. The router has process ID
/// 1 in its namespace, so that all processes in the namespace end with it. It ends when the pipe from this
/// process is closed, no matter how this process ended.
package struct Enclosure {
  /// The namespaces, as options of unshare(1); a user namespace is added if they are not permitted without
  /// it.
  private static let namespaces = ["--net", "--mount", "--pid", "--fork"]
  private static let userNamespace = ["--user", "--map-root-user"]

  /// The alternative for machines on which `--exec` does not work.
  package static let otherWay =
    "serve the fixture without --exec and connect to it with --connect-to (see docs/replay.md)"

  let tools: EnclosureTools
  let environment: [String]
  /// The path of this program, and its arguments after the name of the command.
  let program: [String]

  /// Creates the network of a command.
  package init(
    tools: EnclosureTools,
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
    var router = SpawnedProgram(arguments: arguments, environment: environment)
    router.keepsCapabilities = true
    let process: pid_t
    do throws(SpawnedProgram.NotStarted) {
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
      EnclosureObstacle.message(output) { name in
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
