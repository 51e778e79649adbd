internal import FoundationEssentials
internal import Glibc
internal import ProbeCore
package import FixtureReplay
package import ProbeBase
package import ProbeSystem

/// The router of a replayed network, in separate namespaces; it sets up the network, and runs the command in
/// it.
package struct IsolatedNetworkRouter {
  /// The exit codes when the command cannot be started, and when this program is wrong (sysexits.h).
  private static let (unavailable, internalError): (Int32, Int32) = (69, 70)

  let settings: RouterSettings
  let tools: IsolatedNetworkTools
  package let network: NetworkPlan
  let environment: [String: String]

  package init(
    settings: RouterSettings,
    tools: IsolatedNetworkTools,
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
      let rules = RedirectRules(interface: IsolatedNetworkScripts.interface, targets: targets)
    else { throw InvalidInput("the replay server takes no redirected connections") }
    // Any user may read the files, regardless of the current umask.
    let mask = umask(0o022)
    defer { umask(mask) }
    let scripts = IsolatedNetworkScripts(tools: tools, network: network)
    try Self.succeed(["/bin/sh", "-c", scripts.router, "probekit", rules.ruleset])
    let files = TrustFiles(
      server.authority, nameServer: network.router.description, hostName: Self.hostName)
    do {
      for (path, bytes) in files.files {
        let url = URL(filePath: "\(IsolatedNetworkScripts.stage)/upper/\(path)")
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
    _ = ProgramOutput(of: [tools["umount"], "-l", IsolatedNetworkScripts.stage], environment: [])
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
    throw InvalidInput("cannot set up the network: \(reason)", remedy: IsolatedNetwork.otherWay)
  }

  /// Runs the command to its end.
  package func run(_ command: [String]) async -> ProcessEnd {
    // /proc is still the machine's, where a process of the namespace has a different ID.
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self")) ?? "self"
    let isSameUser = !settings.hasUserNamespace || settings.user == 0
    let arguments =
      IsolatedNetworkScripts(tools: tools, network: network).command(
        routerProcess: own, user: isSameUser ? nil : (settings.user, settings.group)) + command
    let variables = CommandEnvironment.variables(over: environment, bundle: TrustFiles.bundle)
    _ = fcntl(settings.lifeline, F_SETFD, FD_CLOEXEC)
    // The terminal's signals are for the command.
    for number in [SIGINT, SIGTERM, SIGHUP] { _ = Interruption.arrivals(of: number) }
    var program = ProgramLaunch(arguments: arguments, environment: variables)
    program.keepsCapabilities = true
    let (ends, continuation) = AsyncStream.makeStream(of: ProcessEnd.self)
    do throws(ProgramLaunch.NotStarted) {
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

/// The shell scripts that set up a replayed network.
///
/// They contain only paths of programs and addresses; the command is an argument.
struct IsolatedNetworkScripts {
  /// The router's interface.
  static let interface = "probekit0"
  /// The mount point of a temporary file system while files of /etc are replaced; the folder exists on every
  /// system.
  static let stage = "/mnt"

  let tools: IsolatedNetworkTools
  let network: NetworkPlan

  /// The script of the router, in its network: creates the interfaces and redirects traffic.
  ///
  /// The ruleset is the first argument.
  var router: String {
    """
    set -e
    \(tools["ip"]) link add \(Self.interface) type veth peer name eth0
    \(tools["ip"]) address add \(network.router)/\(NetworkPlan.prefixLength) dev \(Self.interface)
    \(tools["ip"]) -6 address add \(network.routerV6)/\(NetworkPlan.prefixLengthV6) dev \(Self.interface) nodad \
    2>/dev/null || :
    \(tools["ip"]) link set \(Self.interface) up
    printf %s "$1" | \(tools["nft"]) -f -
    \(tools["mount"]) -t tmpfs -o mode=755 tmpfs \(Self.stage)
    /bin/mkdir \(Self.stage)/upper \(Self.stage)/work \(Self.stage)/copy
    """
  }

  /// The script of the command: creates separate network and mount namespaces, sets them up, and executes the
  /// command.
  ///
  /// - Parameters:
  ///   - routerProcess: The ID of the router's process in /proc.
  ///   - user: The IDs of the user and group that the command runs as, if they differ in the namespaces.
  /// - Returns: The arguments of a program, to be followed by the command and its arguments.
  func command(routerProcess: String, user: (id: UInt32, group: UInt32)?) -> [String] {
    [
      tools["unshare"], "--net", "--mount", "/bin/sh", "-c", inner(routerProcess: routerProcess, user: user),
      "probekit",
    ]
  }

  private func inner(routerProcess: String, user: (id: UInt32, group: UInt32)?) -> String {
    // The route is for the router only: no other host is on the link, so every other address is reached
    // through it.
    let become = user.map {
      "\(tools["unshare"]) --user --map-user=\($0.id) --map-group=\($0.group) -- "
    }
    return """
      set -e
      \(tools["ip"]) link set lo up
      \(tools["nsenter"]) --net=/proc/\(routerProcess)/ns/net \(tools["ip"]) link set eth0 netns $$
      \(tools["ip"]) link set eth0 address 02:00:5e:00:53:17
      \(tools["ip"]) address add \(network.client)/\(NetworkPlan.prefixLength) brd + dev eth0 noprefixroute
      \(tools["ip"]) link set eth0 up
      \(tools["ip"]) route add \(network.router) dev eth0 src \(network.client)
      \(tools["ip"]) route add default via \(network.router) dev eth0
      {
        \(tools["ip"]) -6 address add \(network.clientV6)/\(NetworkPlan.prefixLengthV6) dev eth0 nodad &&
        \(tools["ip"]) -6 route add default via \(network.routerV6) dev eth0
      } 2>/dev/null || :
      for groups in "0 2147483647" "0 0"; do
        echo "$groups" >/proc/sys/net/ipv4/ping_group_range && break
      done 2>/dev/null || :
      \(files)
      exec \(become ?? "")"$@"
      """
  }

  /// Replaces files of /etc without changing the machine's, and hides the files of its real network.
  private var files: String {
    let overlay = "\(tools["mount"]) -t overlay overlay -o lowerdir=/etc,upperdir=\(Self.stage)/upper"
    let work = "workdir=\(Self.stage)/work"
    // The files are in the upper layer before the mount, because root of a namespace may not change folders
    // of the machine's root. If an overlay cannot be mounted, a copy of all readable files replaces it.
    return """
      \(overlay),\(work),userxattr /etc 2>/dev/null || \(overlay),\(work) /etc 2>/dev/null || {
        /bin/cp -a /etc/. \(Self.stage)/copy 2>/dev/null || :
        /bin/cp -R --remove-destination \(Self.stage)/upper/. \(Self.stage)/copy
        \(tools["mount"]) --bind \(Self.stage)/copy /etc
      }
      \(tools["umount"]) -l \(Self.stage)
      for folder in /run/nscd /run/systemd/resolve; do
        if [ -d $folder ]; then \(tools["mount"]) -t tmpfs tmpfs $folder; fi
      done
      \(tools["mount"]) -t sysfs sysfs /sys 2>/dev/null || :
      \(tools["mount"]) -t proc proc /proc 2>/dev/null || :
      """
  }
}

/// The environment of a command in a replayed network: that of this process, without proxies, and with the
/// variables that name certificate authorities.
enum CommandEnvironment {
  /// The variables that name a bundle of certificates instead of the system's.
  static let bundleVariables = [
    "SSL_CERT_FILE", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS",
  ]
  /// The variables that would make a program bypass the network or the bundle.
  private static let removed: Set<String> = [
    "http_proxy", "https_proxy", "ftp_proxy", "all_proxy", "no_proxy", "ws_proxy", "wss_proxy",
    "ssl_cert_dir",
  ]

  /// The environment for a command, as `NAME=value`.
  ///
  /// - Parameters:
  ///   - environment: The environment of this process.
  ///   - bundle: The path of the bundle with the replay server's authority.
  /// - Returns: The variables, sorted.
  static func variables(over environment: [String: String], bundle: String) -> [String] {
    var variables = environment.filter { !removed.contains($0.key.lowercased()) }
    for name in bundleVariables { variables[name] = bundle }
    return variables.map { "\($0.key)=\($0.value)" }.sorted()
  }
}
