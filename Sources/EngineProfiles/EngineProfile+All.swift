import ProbeCore

/// The list of profiles.
extension EngineProfile {
  /// All profiles: ProbeKit's own first, then the engines in the order of their names.
  public static let all = [
    EngineProfile(
      "default", PackageResources.default_yaml, of: "ProbeKit",
      showing: "the login URL", version: "ProbeKit \(probeKitVersion)",
      source: FieldSource(
        "the endpoints of the profiles apple, android, firefox-esr and windows",
        on: "2026-11-29")),
    EngineProfile(
      "android", PackageResources.android_yaml, of: "Android",
      showing: "a notification to sign in", version: "Android 11 and later",
      source: FieldSource(
        "com/android/server/connectivity/NetworkMonitor.java of the NetworkStack module",
        on: "2026-11-30")),
    EngineProfile(
      "apple", PackageResources.apple_yaml, of: "iPhone, iPad and Mac",
      showing: "a login sheet", version: "CaptiveNetworkSupport 480 (iOS 18)",
      source: FieldSource(
        "requests in access logs of portals, as Apple publishes no source",
        on: "2026-11-25")),
    EngineProfile(
      "chromeos", PackageResources.chromeos_yaml, of: "ChromeOS",
      showing: "a notification to sign in", version: "platform2 of 2024",
      source: FieldSource(
        "shill/portal_detector.cc",
        on: "2026-11-21")),
    EngineProfile(
      "chromium", PackageResources.chromium_yaml, of: "Chrome and Chromium",
      showing: "a tab with the login page after a failed HTTPS page", version: "Chromium 156.0.8078.108",
      source: FieldSource(
        "components/captive_portal/core/captive_portal_detector.cc, and the browser "
          + "itself in replayed networks",
        on: "2026-11-29")),
    EngineProfile(
      "connectivity", PackageResources.connectivity_yaml, of: "apps with Connectivity (iOS)",
      showing: "what the app shows without Internet access", version: "Connectivity 8.0.1",
      source: FieldSource(
        "Connectivity/Classes/Connectivity.swift",
        on: "2026-11-21")),
    EngineProfile(
      "connman", PackageResources.connman_yaml, of: "ConnMan (cars, TVs, embedded Linux)",
      showing: "the login page in the browser of the device", version: "ConnMan 1.42",
      source: FieldSource(
        "src/wispr.c and gweb/gweb.c, and the program itself in replayed networks",
        on: "2026-11-29")),
    EngineProfile(
      "firefox", PackageResources.firefox_yaml, of: "Firefox",
      showing: "a bar with a button for the login page", version: "Firefox 153.7 ESR",
      source: FieldSource(
        "toolkit/components/captivedetect/CaptiveDetect.sys.mjs, and the browser itself "
          + "in replayed networks",
        on: "2026-11-25")),
    EngineProfile(
      "networkmanager", PackageResources.networkmanager_yaml, of: "GNOME and KDE with NetworkManager",
      showing: "a login window", version: "NetworkManager 1.42.4 with libcurl 7.88",
      source: FieldSource(
        "src/core/nm-connectivity.c, and the program itself in replayed networks",
        on: "2026-11-25")),
    EngineProfile(
      "networkmanager-debian", PackageResources.networkmanager_debian_yaml, of: "Debian with NetworkManager",
      showing: "a login window", version: "NetworkManager 1.42.4 of Debian 12",
      source: FieldSource(
        "src/core/nm-connectivity.c, and the program itself in replayed networks",
        on: "2026-11-25")),
    EngineProfile(
      "networkmanager-fedora", PackageResources.networkmanager_fedora_yaml, of: "Fedora with NetworkManager",
      showing: "a login window", version: "NetworkManager 1.42.4 with the settings of Fedora",
      source: FieldSource(
        "src/core/nm-connectivity.c, and the program itself in replayed networks",
        on: "2026-11-25")),
    EngineProfile(
      "networkmanager-ubuntu", PackageResources.networkmanager_ubuntu_yaml, of: "Ubuntu with NetworkManager",
      showing: "a login window", version: "NetworkManager 1.42.4 with the settings of Ubuntu",
      source: FieldSource(
        "src/core/nm-connectivity.c, and the program itself in replayed networks",
        on: "2026-11-25")),
    EngineProfile(
      "windows", PackageResources.windows_yaml, of: "Windows",
      showing: "a browser tab with the login page", version: "Windows 10 (1607) and later",
      source: FieldSource(
        "Microsoft's documentation of NCSI (KB 4494446), and captured requests of NCSI "
          + "and of the browser (an access log in 23ewrdtf/Captive-Portal#2)",
        on: "2026-11-29")),
  ]
}
