import FixtureReplay

/// The shell scripts that set up a replayed network.
///
/// They contain only paths of programs and addresses; the command is an argument.
struct EnclosureScripts {
  /// The router's interface.
  static let interface = "probekit0"
  /// The mount point of a temporary file system while files of /etc are replaced; the folder exists on every
  /// system.
  static let stage = "/mnt"

  let tools: EnclosureTools
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
