import ProbeCore

/// The list of profiles.
extension EngineProfile {
  /// All profiles: ProbeKit's own first, then the engines in the order of their names.
  public static let all =
    [own] + android + [apple, chromeos, chromium, connectivity, connman] + firefox + networkManager + [
      windows
    ]

  /// ProbeKit's own profile, which `probekit check` uses if no URLs are given.
  public static var own: EngineProfile { probeKit }

  private static let probeKit = EngineProfile(
    "default", PackageResources.default_yaml, of: "ProbeKit", showing: "the login URL",
    version: "ProbeKit \(probeKitVersion)",
    source: FieldSource(
      "the endpoints of the profiles of Apple, Android, Firefox and Windows", on: "2026-11-30"))

  private static let apple = EngineProfile(
    "apple", PackageResources.apple_yaml, of: "iPhone, iPad and Mac", showing: "a login sheet",
    version: "CaptiveNetworkSupport 514 (iOS 26)",
    source: FieldSource(
      "requests in access logs of portals, and the texts in the program that blacktop/ipsw-diffs lists, as Apple "
        + "publishes no source", on: "2026-11-30"))

  private static let chromeos = EngineProfile(
    "chromeos", PackageResources.chromeos_yaml, of: "ChromeOS", showing: "a notification to sign in",
    version: "platform2 of August 2026",
    source: FieldSource("shill/network/portal_detector.cc", on: "2026-11-30"))

  private static let chromium = EngineProfile(
    "chromium", PackageResources.chromium_yaml, of: "Chrome and Chromium",
    showing: "a tab with the login page after a failed HTTPS page", version: "Chromium 156.0.8078.108",
    source: FieldSource(
      "components/captive_portal/core/captive_portal_detector.cc, and the browser itself in replayed networks",
      on: "2026-11-29"))

  private static let connectivity = EngineProfile(
    "connectivity", PackageResources.connectivity_yaml, of: "apps with Connectivity (iOS)",
    showing: "what the app shows without Internet access", version: "Connectivity 8.0.1",
    source: FieldSource("Connectivity/Classes/Connectivity.swift", on: "2026-11-21"))

  private static let connman = EngineProfile(
    "connman", PackageResources.connman_yaml, of: "ConnMan (cars, TVs, embedded Linux)",
    showing: "the login page in the browser of the device", version: "ConnMan 1.42",
    source: FieldSource(
      "src/wispr.c and gweb/gweb.c, and the program itself in replayed networks", on: "2026-11-29"))

  private static let windows = EngineProfile(
    "windows", PackageResources.windows_yaml, of: "Windows", showing: "a browser tab with the login page",
    version: "Windows 10 (1607) and later",
    source: FieldSource(
      "Microsoft's documentation of NCSI (KB 4494446), and captured requests of NCSI and of the browser (an access log "
        + "in 23ewrdtf/Captive-Portal#2)", on: "2026-11-29"))
}
