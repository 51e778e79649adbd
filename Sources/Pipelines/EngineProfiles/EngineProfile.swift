internal import SourceDocuments
public import ProbeCore
public import ProbePipeline

/// The network check of an operating system or a browser, as a pipeline file.
///
/// ```swift
/// let android = try EngineProfile.named("android")?.plan(with: plugins)
/// ```
/// A profile is a file in the folder `Profiles`, or another profile's file with a few changes, and an entry of
/// ``all``; no other code refers to a profile by name. Each one is an ordinary pipeline file, and uses no feature that
/// other files cannot use.
public struct EngineProfile: Sendable {
  /// The name of the profile, which is also the `name` of its pipeline.
  public let name: String
  /// The systems or products with this check, as their users know them.
  public let system: String
  /// The user interface that they show when they find a portal, such as `a login window`.
  public let loginDisplay: String
  /// The modelled version, such as `Firefox 153.7 ESR`.
  public let version: String
  /// Where the rules are from, and when they were read.
  public let source: FieldSource
  private let bytes: [UInt8]

  /// Creates a profile.
  ///
  /// - Parameters:
  ///   - name: The name, which is that of its pipeline.
  ///   - file: The pipeline file, without the comment with ``version`` and ``source``.
  ///   - system: The systems with this check.
  ///   - loginDisplay: What they show when they find a portal.
  ///   - version: The modelled version.
  ///   - source: Where the rules are from.
  init(
    _ name: String, _ file: [UInt8], of system: String, showing loginDisplay: String, version: String,
    source: FieldSource
  ) {
    self.name = name
    self.system = system
    self.loginDisplay = loginDisplay
    self.version = version
    self.source = source
    bytes = Array("# Version: \(version)\n# Source: \(source.text), \(source.date)\n".utf8) + file
  }

  /// The pipeline file; it begins with a comment that has ``version`` and ``source``.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// A description of the profile for humans: which behavior it reproduces exactly, and which it does not.
  public var description: String {
    let file = SourceFile(path: "\(name).yaml", bytes: bytes)
    guard let root = SourceDocument.read(SourceFindings(file)),
      case .scalar(let text)? = root.entry("description")?.value.content
    else { return "" }
    return text.text
  }

  /// Reads the pipeline file.
  ///
  /// - Parameter plugins: The transports and validators; the bundled plugins support every profile.
  /// - Returns: The pipeline, or the errors with these plugins.
  public func loaded(with plugins: PluginRegistry) -> LoadedPipeline {
    PipelineLoader(plugins).load(path: "\(name).yaml", bytes: bytes)
  }

  /// Makes the plan of the pipeline.
  ///
  /// - Parameter plugins: The transports and validators.
  /// - Returns: The plan.
  /// - Throws: `UnusablePipeline` if these plugins do not support the profile.
  public func plan(with plugins: PluginRegistry) throws(UnusablePipeline) -> ProbePlan {
    try loaded(with: plugins).plan()
  }
}

extension EngineProfile {
  /// Whether a profile probes a URL; the URL is compared as written.
  package static func probe(_ url: String) -> Bool {
    let bytes = Array(url.utf8)
    return all.contains { includes(bytes, in: $0.bytes) } && probedURLs.contains(url)
  }

  private static func includes(_ part: [UInt8], in text: [UInt8]) -> Bool {
    guard let first = part.first else { return true }
    var start = 0
    while start + part.count <= text.count {
      if text[start] == first, text[start..<(start + part.count)] == part[...] { return true }
      start += 1
    }
    return false
  }

  /// The URLs of all profiles, read only once: a list may contain many URLs to look up.
  private static let probedURLs = all.reduce(into: Set<String>()) { $0.formUnion($1.urls) }

  /// The URLs of the pipeline.
  private var urls: Set<String> {
    let file = SourceFile(path: "\(name).yaml", bytes: bytes)
    guard let root = SourceDocument.read(SourceFindings(file)) else { return [] }
    let targets = (root.entry("sets")?.value.items ?? []).flatMap { $0.entry("urls")?.value.items ?? [] }
    return Set(targets.compactMap { $0.text ?? $0.entry("url")?.value.text })
  }

  /// The profile with this name, or nil when there is none.
  public static func named(_ name: String) -> EngineProfile? { all.first { $0.name == name } }
}

extension SourceNode {
  /// The items of a sequence; empty for anything else.
  fileprivate var items: [SourceNode] { if case .sequence(let items) = content { items } else { [] } }

  /// The text of a scalar; nil for anything else.
  fileprivate var text: String? { if case .scalar(let scalar) = content { scalar.text } else { nil } }
}

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
