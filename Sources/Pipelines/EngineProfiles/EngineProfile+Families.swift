/// The families: profiles with the rules of one engine, which differ in URLs and texts.
extension EngineProfile {
  /// Android's NetworkMonitor.
  static let android = [
    EngineProfile(
      "android", PackageResources.android_yaml, of: "Android", showing: "a notification to sign in",
      version: "Android 11 and later", source: networkMonitor),
    EngineProfile(
      "android-strict-dns", like: PackageResources.android_yaml,
      with: [
        (
          """
              classify:
                - &empty

          """,
          """
              classify:
                # A private address is none of the host's: the probe has failed, whatever it would respond.
                - when:
                    partial:
                      address: [10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 169.254.0.0/16, "fe80::/10", "fec0::/10", "fc00::/7"]
                  outcome: failed
                  reason: android.privateAddress
                - &empty

          """
        ),
        (
          """
            - when: { set: fallback, outcome: intercepted }

          """,
          """
            # The failure is final: there is no fallback, and no notification.
            - when: { set: http, reason: android.privateAddress }
              verdict: offline
            - when: { set: fallback, outcome: intercepted }

          """
        ),
      ],
      description:
        "Android with its guard against forged DNS: if the host of the plain probe resolves to a private address, the "
        + "probe has failed, and without HTTPS the network has no Internet access, so no notification to sign in appears; "
        + "otherwise as android. The portal API and a probe over HTTPS count as before. The guard is off in Android's "
        + "source; a setting of Google's servers (dns_probe_private_ip_no_internet) or of the maker "
        + "(config_force_dns_probe_private_ip_no_internet) turns it on. Not verified: which phones have it on is not "
        + "public; a decompiled monitor of Samsung has the same guard on. Not exact: Android looks at all addresses of the "
        + "host, here it is the one that is connected to. Where it is not known, as in a replayed network without DNS, "
        + "the guard does not apply.",
      of: "Android with its guard against forged DNS", showing: "a notification to sign in",
      version: "Android 11 and later, dns_probe_private_ip_no_internet on", source: networkMonitor),
  ]

  private static let networkMonitor = FieldSource(
    "com/android/server/connectivity/NetworkMonitor.java of the NetworkStack module", on: "2026-11-30")

  /// Firefox and its release with extended support.
  static let firefox = [
    EngineProfile(
      "firefox", PackageResources.firefox_yaml, of: "Firefox",
      showing: "a bar with a button for the login page",
      version: "Firefox 155 and later",
      source: FieldSource(
        "toolkit/components/captivedetect/CaptiveDetect.sys.mjs of mozilla/enterprise-firefox, bug 2049252, what "
          + "inverse-inc/packetfence#9292 and v2fly/domain-list-community#4023 say of the host",
        on: "2026-11-30")),
    EngineProfile(
      "firefox-esr", like: PackageResources.firefox_yaml,
      with: [
        ("rv:157.0) Gecko/20100101 Firefox/157.0", "rv:153.0) Gecko/20100101 Firefox/153.0"),
        (
          "http://firefox-portal-detection.com/generate_204", "http://detectportal.firefox.com/canonical.html"
        ),
        (
          """
                - when: { all: [{ status: [200, 204] }, { size: { max: 0 } }] }
                  outcome: accepted
                - when: { status: [200-399, 511] }

          """,
          """
                - when:
                    all:
                      - status: 200
                      - equals:
                          text: '<meta http-equiv="refresh" content="0;url=https://support.mozilla.org/kb/captive-portal"/>'
                          trim: false
                  outcome: accepted
                - when: { status: [200, 300-399, 511] }

          """
        ),
      ],
      description:
        "Firefox ESR's captive portal detector. A page must be exactly the expected one; any other page, a redirect and "
        + "status 511 are a portal. Other responses are repeated, up to six attempts, and then the state is unknown "
        + "(\"inconclusive\"). Not exact: here only transient failures are tried again, which changes how long it takes; a "
        + "network that changes between the tries may be judged differently.",
      of: "Firefox ESR", showing: "a bar with a button for the login page", version: "Firefox 153.8 ESR",
      source: FieldSource(
        "modules/CaptiveDetect.sys.mjs and greprefs.js in Debian's package, and the browser itself in replayed networks",
        on: "2026-11-30")),
  ]

  /// NetworkManager as distributions configure it.
  static let networkManager = [
    EngineProfile(
      "networkmanager", PackageResources.networkmanager_yaml, of: "GNOME and KDE with NetworkManager",
      showing: "a login window", version: "NetworkManager 1.42.4 with libcurl 7.88",
      source: connectivitySource),
    networkManager(
      "arch", of: "Arch Linux", with: [(gnomeURL, "http://ping.archlinux.org/nm-check.txt")],
      description:
        "NetworkManager as Arch Linux configures it: a page of its own host with the default text; otherwise as "
        + "networkmanager.",
      source: FieldSource("the PKGBUILD of Arch's package networkmanager", on: "2026-11-30")),
    networkManager(
      "debian", of: "Debian", with: [(gnomeURL, debianURL)],
      description:
        "NetworkManager as Debian configures it: a page of its own host with the default text; otherwise as "
        + "networkmanager.",
      source: connectivitySource),
    networkManager(
      "fedora", of: "Fedora",
      with: [
        (gnomeURL, "http://fedoraproject.org/static/hotspot.txt"),
        ("startsWith: NetworkManager is online", "startsWith: OK"),
      ],
      description:
        "NetworkManager as Fedora configures it: a page of its own host, which starts with \"OK\"; otherwise as "
        + "networkmanager.",
      source: connectivitySource),
    networkManager(
      "kde", of: "KDE Plasma up to 6.2", showing: "a notification to log in",
      with: [(gnomeURL, debianURL), ("loginURL: probeURL", "opens: http://networkcheck.kde.org")],
      description:
        "NetworkManager with KDE Plasma 5.9 to 6.2, such as that of Debian 12: Plasma opens a page of KDE, and not that of the "
        + "check, so the portal has to intercept that too. From 6.3 on, it opens the page of the check. Not exact: the "
        + "distribution chooses the URL of the check; here it is Debian's. Otherwise as networkmanager.",
      source: FieldSource(
        "kded/connectivitymonitor.cpp of plasma-nm, at 407cb2cf and c718eeba", on: "2026-11-30")),
    networkManager(
      "ubuntu", of: "Ubuntu", with: [(gnomeURL, "http://connectivity-check.ubuntu.com/")],
      description:
        "NetworkManager as Ubuntu configures it: an empty response of its own host, whose header line says that the "
        + "network is online. Without that line it is a portal, because the default text counts too. Otherwise as "
        + "networkmanager.",
      source: connectivitySource),
  ]

  private static let gnomeURL = "http://nmcheck.gnome.org/check_network_status.txt"
  private static let debianURL = "http://network-test.debian.org/nm"

  private static let connectivitySource = FieldSource(
    "src/core/nm-connectivity.c, which decides in the same way up to 1.59.2, and the program itself in replayed networks",
    on: "2026-11-30")

  private static func networkManager(
    _ suffix: String, of system: String, showing loginDisplay: String = "a login window",
    with changes: [(text: String, replacement: String)], description: String, source: FieldSource
  ) -> EngineProfile {
    EngineProfile(
      "networkmanager-\(suffix)", like: PackageResources.networkmanager_yaml, with: changes,
      description: description, of: "\(system) with NetworkManager", showing: loginDisplay,
      version: "NetworkManager 1.42.4 with the settings of \(system)", source: source)
  }
}

/// A pipeline file that is another one with other texts, so that the rules of a family of profiles are written once.
struct ProfileVariant {
  /// The name of the profile.
  let name: String
  /// The description, which replaces the one of the other file.
  let description: String
  /// The texts to replace, which are in the other file, and what replaces them.
  let changes: [(text: String, replacement: String)]

  /// The width of the lines of a description, without their margin.
  private static let width = 116

  /// Makes the file.
  ///
  /// - Parameter base: The file of the other profile.
  /// - Returns: The file, with everything that ``changes`` does not name as in the other one.
  func file(from base: [UInt8]) -> [UInt8] {
    let lines = base.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let margin = Array("  ".utf8)
    var head: [ArraySlice<UInt8>] = []
    var rest = lines[...]
    while let line = rest.popFirst() {
      if line.starts(with: "name:".utf8) {
        head.append(ArraySlice("name: \(name)".utf8))
      } else if line.starts(with: "description:".utf8) {
        head += ([">-"] + wrapped).enumerated().map { index, text in
          ArraySlice(((index == 0 ? "description: " : "  ") + text).utf8)
        }
        rest = rest.drop { $0.starts(with: margin) }
        break
      } else {
        head.append(line)
      }
    }
    var file = Array((head + rest).joined(separator: [UInt8(ascii: "\n")]))
    for change in changes {
      file.replace(Array(change.text.utf8), with: Array(change.replacement.utf8))
    }
    return file
  }

  /// The lines of the description.
  private var wrapped: [String] {
    var lines: [String] = []
    for word in description.split(separator: " ") {
      if let last = lines.last, last.utf8.count + 1 + word.utf8.count <= Self.width {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}

extension EngineProfile {
  /// Creates a profile whose file is that of another one with a few changes.
  ///
  /// - Parameters:
  ///   - name: The name, which is that of its pipeline.
  ///   - base: The file of the other profile.
  ///   - changes: The texts to replace, and what replaces them.
  ///   - description: The description.
  ///   - system: The systems with this check.
  ///   - loginDisplay: What they show when they find a portal.
  ///   - version: The modelled version.
  ///   - source: Where the rules are from.
  init(
    _ name: String, like base: [UInt8], with changes: [(text: String, replacement: String)],
    description: String,
    of system: String, showing loginDisplay: String, version: String, source: FieldSource
  ) {
    let variant = ProfileVariant(name: name, description: description, changes: changes)
    self.init(
      name, variant.file(from: base), of: system, showing: loginDisplay, version: version, source: source)
  }
}
