import FoundationEssentials
package import FixtureReplay
import Glibc
import ProbeCore
package import ProbeBase
package import ProbeSystem

/// The router of a replayed network, in separate namespaces; it sets up the network, and runs the command in
/// it.
package struct EnclosureRouter {
  /// The exit codes when the command cannot be started, and when this program is wrong (sysexits.h).
  private static let (unavailable, internalError): (Int32, Int32) = (69, 70)

  let settings: RouterSettings
  let tools: EnclosureTools
  package let network: NetworkPlan
  let environment: [String: String]

  /// Creates the router of a network.
  package init(
    settings: RouterSettings,
    tools: EnclosureTools,
    network: NetworkPlan,
    environment: [String: String]
  ) {
    self.settings = settings
    self.tools = tools
    self.network = network
    self.environment = environment
  }

  /// Brings up the loopback interface: a silent listener fills its queue by connecting to itself.
  ///
  /// - Throws: `InvalidInput` if that fails.
  package func prepare() throws(InvalidInput) {
    try Self.succeed([tools["ip"], "link", "set", "lo", "up"])
  }

  /// Sets up the network around a transparent server.
  ///
  /// - Throws: `InvalidInput` if a step fails.
  package func setUp(_ server: ReplayServer) throws(InvalidInput) {
    guard let targets = server.redirectTargets,
      let rules = RedirectRules(interface: EnclosureScripts.interface, targets: targets)
    else { throw InvalidInput("the replay server takes no redirected connections") }
    // Any user may read the files, regardless of the current umask.
    let mask = umask(0o022)
    defer { umask(mask) }
    let scripts = EnclosureScripts(tools: tools, network: network)
    try Self.succeed(["/bin/sh", "-c", scripts.router, "probekit", rules.ruleset])
    let files = TrustFiles(
      server.authority, nameServer: network.router.description, hostName: Self.hostName)
    do {
      for (path, bytes) in files.files {
        let url = URL(filePath: "\(EnclosureScripts.stage)/upper/\(path)")
        try FileManager.default.createDirectory(
          at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
      }
    } catch {
      throw InvalidInput("cannot set up the network's files: \(error)")
    }
  }

  /// Makes the files visible again that the setup has hidden from this process.
  package func uncover() {
    _ = ProgramOutput(of: [tools["umount"], "-l", EnclosureScripts.stage], environment: [])
  }

  private static var hostName: String? {
    var name = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&name, name.count - 1) == 0 else { return nil }
    let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }

  private static func succeed(_ program: [String]) throws(InvalidInput) {
    let result = ProgramOutput(of: program, environment: ["PATH=/usr/sbin:/usr/bin:/sbin:/bin"])
    guard result.end != .code(0) else { return }
    let reason = result.text.split(separator: "\n").first.map(String.init) ?? "no message"
    throw InvalidInput("cannot set up the network: \(reason)", remedy: Enclosure.otherWay)
  }

  /// Runs the command to its end.
  package func run(_ command: [String]) async -> ProcessEnd {
    // /proc is still the machine's, where a process of the namespace has a different ID.
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self")) ?? "self"
    let isSameUser = !settings.hasUserNamespace || settings.user == 0
    let arguments =
      EnclosureScripts(tools: tools, network: network).command(
        routerProcess: own, user: isSameUser ? nil : (settings.user, settings.group)) + command
    let variables = CommandEnvironment.variables(over: environment, bundle: TrustFiles.bundle)
    _ = fcntl(settings.lifeline, F_SETFD, FD_CLOEXEC)
    // The terminal's signals are for the command.
    for number in [SIGINT, SIGTERM, SIGHUP] { _ = Interruption.arrivals(of: number) }
    var program = SpawnedProgram(arguments: arguments, environment: variables)
    program.keepsCapabilities = true
    let (ends, continuation) = AsyncStream.makeStream(of: ProcessEnd.self)
    do throws(SpawnedProgram.NotStarted) {
      let process = try program.start()
      guard Self.passSignals(from: settings.lifeline, to: process),
        Self.reap(process, { continuation.yield($0) })
      else { return .code(Self.unavailable) }
    } catch {
      return .code(126)
    }
    for await end in ends { return end }
    return .code(Self.internalError)
  }

  /// Forwards the signals from the pipe; when the pipe is closed, ends this process, and thus all others in
  /// its namespace.
  private static func passSignals(from lifeline: Int32, to process: pid_t) -> Bool {
    let thread = try? WorkerThread(named: "probekit-pipe") {
      while true {
        var byte: UInt8 = 0
        let count = unsafe read(lifeline, &byte, 1)
        if count == 1 { kill(process, Int32(truncatingIfNeeded: byte)) }
        if count == 0 || (count < 0 && errno != EINTR) { _exit(Self.internalError) }
      }
    }
    thread?.detach()
    return thread != nil
  }

  /// Reaps every orphaned process, and reports the end of this one.
  private static func reap(_ process: pid_t, _ ended: @escaping @Sendable (ProcessEnd) -> Void) -> Bool {
    let thread = try? WorkerThread(named: "probekit-reaper") {
      while true {
        var status: Int32 = 0
        let found = unsafe waitpid(-1, &status, 0)
        if found == process { return ended(ProcessEnd(status: status)) }
        if found < 0, errno != EINTR { return }
      }
    }
    thread?.detach()
    return thread != nil
  }
}
