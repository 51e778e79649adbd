public import ProbeCore
public import ProbePipeline
internal import SourceDocuments

/// How a system or a browser judges a network, written as a pipeline file.
///
/// ```swift
/// let android = try EngineProfile.named("android")?.plan(with: plugins)
/// ```
/// A profile is a file in the folder `Profiles` and a line in ``all``; nothing else knows them by name. Each is an
/// ordinary pipeline file: what it can say, any other can.
public struct EngineProfile: Sendable {
  /// The name by which it is asked for, and the `name` of its pipeline.
  public let name: String
  private let bytes: [UInt8]

  private init(_ name: String, _ bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }

  /// The pipeline file.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// What it says of itself, in words for a person: what it is exact in, and in what it is not.
  public var description: String {
    let file = SourceFile(path: "\(name).yaml", bytes: bytes)
    guard let root = SourceDocument.read(SourceFindings(file)),
      case .scalar(let text)? = root.entry("description")?.value.content
    else { return "" }
    return text.text
  }

  /// The pipeline, read.
  ///
  /// - Parameter plugins: What probes travel by; the bundled plugins know all that profiles name.
  /// - Returns: The pipeline, or what is wrong with it over these plugins.
  public func loaded(with plugins: PluginRegistry) -> LoadedPipeline {
    PipelineLoader(plugins).load(path: "\(name).yaml", bytes: bytes)
  }

  /// The plan of the pipeline.
  ///
  /// - Parameter plugins: What probes travel by.
  /// - Returns: The plan.
  /// - Throws: `UnusablePipeline` when these plugins lack what the profile names.
  public func plan(with plugins: PluginRegistry) throws(UnusablePipeline) -> ProbePlan {
    try loaded(with: plugins).plan()
  }
}

extension EngineProfile {
  /// Our own first, then the engines in the order of their names.
  public static let all = [
    EngineProfile("default", PackageResources.default_yaml),
    EngineProfile("android", PackageResources.android_yaml),
    EngineProfile("apple", PackageResources.apple_yaml),
    EngineProfile("chromeos", PackageResources.chromeos_yaml),
    EngineProfile("chromium", PackageResources.chromium_yaml),
    EngineProfile("connectivity", PackageResources.connectivity_yaml),
    EngineProfile("connman", PackageResources.connman_yaml),
    EngineProfile("firefox", PackageResources.firefox_yaml),
    EngineProfile("networkmanager", PackageResources.networkmanager_yaml),
    EngineProfile("networkmanager-debian", PackageResources.networkmanager_debian_yaml),
    EngineProfile("networkmanager-fedora", PackageResources.networkmanager_fedora_yaml),
    EngineProfile("networkmanager-ubuntu", PackageResources.networkmanager_ubuntu_yaml),
    EngineProfile("windows", PackageResources.windows_yaml),
  ]

  /// Our own, which `probekit check` asks without URLs.
  public static var own: EngineProfile { all[0] }

  /// The profile with this name, or nil when there is none.
  public static func named(_ name: String) -> EngineProfile? { all.first { $0.name == name } }
}
