import ProbeCore
import CommandKit

/// The common options of `probekit portal` and `probekit login`.
struct PortalOptions: Sendable {
  /// The folder of the fixture to survey instead of the network, or nil.
  var fixture: String?
  /// The file with host names to test for access before the login, or nil.
  var namesFile: String?
  /// The user's server for tests of ways around the portal, or nil.
  var leakServer: String?
  /// Whether to continue while the user logs in.
  var watches = false
  /// Whether to open the login URL.
  var opens = false
  /// The common options of commands that probe.
  var probing = ProbingOptions()
}

extension [OptionSpec<PortalOptions>] {
  /// The specifications of the common options.
  static let ofNetwork: [OptionSpec<PortalOptions>] = [
    .option(
      "--replay", value: "FIXTURE", takes: .folder,
      help: "survey the replayed network of this fixture in place of the real one"
    ) { options, path in
      guard !path.isEmpty else {
        throw InvalidInput("the path is empty", remedy: "name the folder of a fixture")
      }
      options.fixture = path
    },
    .option(
      "--capport", value: "URL",
      help:
        "the captive-portal API that the network announces (RFC 8910), in place of the URL in DHCP lease files"
    ) {
      guard !$1.isEmpty else {
        throw InvalidInput("the URL is empty", remedy: "give the URL, or omit the option")
      }
      $0.probing.announcedCapport = $1
    },
    .timeout(\.probing, default: "that of each profile"), .connectTo(\.probing), .authorities(\.probing),
    .source(\.probing),
  ]
}
