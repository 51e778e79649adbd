public import ProbeCore
public import ProbePipeline
internal import SourceDocuments

/// The network check of an operating system or a browser, as a pipeline file.
///
/// ```swift
/// let android = try EngineProfile.named("android")?.plan(with: plugins)
/// ```
/// A profile is a file in the folder `Profiles` and a line in ``all``; no other code refers to a profile by
/// name. Each one is an ordinary pipeline file, and uses no feature that other files cannot use.
public struct EngineProfile: Sendable {
  /// The name of the profile, which is also the `name` of its pipeline.
  public let name: String
  /// The systems or products with this check, as their users know them.
  public let system: String
  /// The user interface that they show when they find a portal, such as `a login window`.
  public let loginDisplay: String
  private let bytes: [UInt8]

  private init(_ name: String, _ bytes: [UInt8], of system: String, showing loginDisplay: String) {
    self.name = name
    self.system = system
    self.loginDisplay = loginDisplay
    self.bytes = bytes
  }

  /// The pipeline file.
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
  /// All profiles: ProbeKit's own first, then the engines in the order of their names.
  public static let all = [
    EngineProfile(
      "default", PackageResources.default_yaml, of: "ProbeKit",
      showing: "the login URL"),
    EngineProfile(
      "android", PackageResources.android_yaml, of: "Android",
      showing: "a notification to sign in"),
    EngineProfile(
      "apple", PackageResources.apple_yaml, of: "iPhone, iPad and Mac",
      showing: "a login sheet"),
    EngineProfile(
      "chromeos", PackageResources.chromeos_yaml, of: "ChromeOS",
      showing: "a notification to sign in"),
    EngineProfile(
      "chromium", PackageResources.chromium_yaml, of: "Chrome and Chromium",
      showing: "a tab with the login page after a failed HTTPS page"),
    EngineProfile(
      "connectivity", PackageResources.connectivity_yaml, of: "apps with Connectivity (iOS)",
      showing: "what the app shows without Internet access"),
    EngineProfile(
      "connman", PackageResources.connman_yaml, of: "ConnMan (cars, TVs, embedded Linux)",
      showing: "the login page in the browser of the device"),
    EngineProfile(
      "firefox", PackageResources.firefox_yaml, of: "Firefox",
      showing: "a bar with a button for the login page"),
    EngineProfile(
      "networkmanager", PackageResources.networkmanager_yaml, of: "GNOME and KDE with NetworkManager",
      showing: "a login window"),
    EngineProfile(
      "networkmanager-debian", PackageResources.networkmanager_debian_yaml, of: "Debian with NetworkManager",
      showing: "a login window"),
    EngineProfile(
      "networkmanager-fedora", PackageResources.networkmanager_fedora_yaml, of: "Fedora with NetworkManager",
      showing: "a login window"),
    EngineProfile(
      "networkmanager-ubuntu", PackageResources.networkmanager_ubuntu_yaml, of: "Ubuntu with NetworkManager",
      showing: "a login window"),
    EngineProfile(
      "windows", PackageResources.windows_yaml, of: "Windows",
      showing: "a browser tab with the login page"),
  ]

  /// ProbeKit's own profile, which `probekit check` uses if no URLs are given.
  public static var own: EngineProfile { all[0] }

  /// Whether a profile probes a URL; the URL is compared as written.
  public static func probe(_ url: String) -> Bool {
    let bytes = Array(url.utf8)
    return all.contains { $0.bytes.firstRange(of: bytes) != nil } && probedURLs.contains(url)
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
