// swift-tools-version: 6.2
import PackageDescription

// The layers, from the lowest to the highest: a target depends only on targets of its own layer and of those below it.
// It declares what it imports, and imports what it declares. ArchitectureTests checks both; docs/architecture.md shows
// the layers.

/// A module map for a C library, and what it needs from the headers' macros and variadic functions.
func library(_ name: String, _ package: String, apt: String, brew: String) -> Target {
  .systemLibrary(
    name: "CProbe\(name)", path: "Sources/C/\(name)", pkgConfig: package,
    providers: [.apt([apt]), .brew([brew])])
}

/// A target in the folder of its layer.
func target(
  _ layer: String, _ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = []
) -> Target {
  .target(name: name, dependencies: dependencies, path: "\(layer)/\(name)", resources: resources)
}

/// The commit that `probekit --version` shows; the Makefile sets it for what it installs and packs.
let commit = Context.environment["PROBEKIT_COMMIT"].flatMap { $0.isEmpty ? nil : $0 }

let c: [Target] = [
  library("Ares", "libcares", apt: "libc-ares-dev", brew: "c-ares"),
  library("Brotli", "libbrotlidec", apt: "libbrotli-dev", brew: "brotli"),
  library("Crypt", "libcrypt", apt: "libcrypt-dev", brew: "libxcrypt"),
  library("Curl", "libcurl", apt: "libcurl4-openssl-dev", brew: "curl"),
  library("Gumbo", "gumbo", apt: "libgumbo-dev", brew: "gumbo-parser"),
  library("IDN2", "libidn2", apt: "libidn2-dev", brew: "libidn2"),
  library("Jansson", "jansson", apt: "libjansson-dev", brew: "jansson"),
  library("LDNS", "ldns", apt: "libldns-dev", brew: "ldns"),
  library("OpenSSL", "openssl", apt: "libssl-dev", brew: "openssl@3"),
  library("PCRE2", "libpcre2-8", apt: "libpcre2-dev", brew: "pcre2"),
  library("PSL", "libpsl", apt: "libpsl-dev", brew: "libpsl"),
  library("YAML", "yaml-0.1", apt: "libyaml-dev", brew: "libyaml"),
  library("Zlib", "zlib", apt: "zlib1g-dev", brew: "zlib"),
  library("Zstd", "libzstd", apt: "libzstd-dev", brew: "zstd"),
  // The kernel's own headers, which come with those of the C library.
  .systemLibrary(name: "CProbeNetlink", path: "Sources/C/Netlink"),
  // Functions of the C library and the kernel.
  .target(name: "CProbeSystem", path: "Sources/C/System"),
  .target(name: "CProbeHTML", dependencies: ["CProbeGumbo"], path: "Sources/C/HTML"),
  .target(name: "CProbeTLSStart", dependencies: ["CProbeOpenSSL"], path: "Sources/C/TLSStart"),
  .target(
    name: "CProbeBuild", path: "Sources/C/Build",
    cSettings: commit.map { [.define("PROBEKIT_COMMIT", to: $0)] }),
]

let base: [Target] = [
  target("Sources/Base", "ProbeBase", []),
  target("Sources/Base", "ProbeHTTPWire", ["ProbeBase"]),
  target("Sources/Base", "ProbeJSON", ["CProbeJansson", "ProbeBase"]),
  target("Sources/Base", "ProbePatterns", ["CProbePCRE2", "ProbeBase"]),
  target("Sources/Base", "ProbeSecrets", ["ProbeBase"]),
  target("Sources/Base", "ProbeText", ["CProbeIDN2", "CProbePSL", "ProbeBase"]),
]

let system: [Target] = [
  target("Sources/System", "ProbeCodecs", ["CProbeBrotli", "CProbeZlib", "CProbeZstd"]),
  target(
    "Sources/System", "ProbeServer", ["ProbeBase", "ProbeCodecs", "ProbeHTTPWire", "ProbeSystem", "ProbeTLS"]),
  target(
    "Sources/System", "ProbeStreams",
    ["CProbeAres", "CProbeLDNS", "CProbeSystem", "ProbeBase", "ProbeSystem"]),
  target("Sources/System", "ProbeSystem", ["CProbeNetlink", "CProbeSystem", "ProbeBase"]),
  target(
    "Sources/System", "ProbeTLS",
    ["CProbeCrypt", "CProbeOpenSSL", "CProbeTLSStart", "ProbeBase", "ProbeSystem"]),
]

let probing: [Target] = [
  target(
    "Sources/Probing", "ByteStreams",
    ["ProbeBase", "ProbeCore", "ProbeHTTPWire", "ProbeStreams", "ProbeSystem", "ProbeTLS"]),
  target(
    "Sources/Probing", "ProbeCore", ["ProbeBase", "ProbeHTTPWire", "ProbeJSON", "ProbeSecrets", "ProbeText"]),
  target("Sources/Probing", "SourceDocuments", ["CProbeYAML", "ProbeBase", "ProbeCore"]),
]

let portals: [Target] = [
  target(
    "Sources/Portals", "PortalAnalysis",
    ["CProbeGumbo", "CProbeHTML", "PortalScripts", "ProbeBase", "ProbeCore", "ProbeJSON", "ProbeText"],
    resources: [.embedInCode("Words/Lists")]),
  target("Sources/Portals", "PortalScripts", ["ProbeBase", "ProbeCore"]),
]

let pipelines: [Target] = [
  target(
    "Sources/Pipelines", "EngineProfiles", ["ProbeCore", "ProbePipeline", "SourceDocuments"],
    resources: [.embedInCode("Profiles")]),
  target(
    "Sources/Pipelines", "ProbePipeline",
    [
      "PortalAnalysis", "ProbeBase", "ProbeCore", "ProbePatterns", "ProbeSystem", "ProbeText",
      "SourceDocuments",
    ]),
]

let plugins: [Target] = [
  target(
    "Plugins", "BundledPlugins", ["CurlTransport", "ProbeCore", "ProbeSystem", "Transports", "Validators"]),
  target(
    "Plugins", "CurlTransport",
    [
      "ByteStreams", "CProbeCurl", "ProbeBase", "ProbeCore", "ProbeHTTPWire", "ProbeStreams", "ProbeSystem",
      "ProbeTLS",
    ]),
  target(
    "Plugins", "Transports",
    [
      "ByteStreams", "ProbeBase", "ProbeCodecs", "ProbeCore", "ProbeHTTPWire", "ProbeJSON", "ProbePatterns",
      "ProbeStreams", "ProbeSystem", "ProbeText", "ProbeTLS", "Validators",
    ]),
  target(
    "Plugins", "Validators",
    ["CProbeSystem", "ProbeCore", "ProbeJSON", "ProbePatterns", "ProbeStreams", "ProbeText", "ProbeTLS"]),
]

let replay: [Target] = [
  target(
    "Sources/Replay", "FixtureCapture",
    [
      "FixtureReplay", "PortalAnalysis", "ProbeBase", "ProbeCodecs", "ProbeCore", "ProbeHTTPWire",
      "ProbePatterns", "ProbePipeline", "ProbeSystem", "SourceDocuments",
    ]),
  target(
    "Sources/Replay", "FixtureReplay",
    [
      "CProbeSystem", "PortalAnalysis", "ProbeBase", "ProbeCore", "ProbeHTTPWire", "ProbePipeline",
      "ProbeStreams",
      "ProbeSystem", "ProbeTLS", "SourceDocuments",
    ]),
  target(
    "Sources/Replay", "ReplayControl",
    ["FixtureReplay", "ProbeBase", "ProbeCore", "ProbeJSON", "ProbeServer", "ProbeSystem", "SourceDocuments"]),
  target(
    "Sources/Replay", "ReplayNetwork", ["FixtureReplay", "ProbeBase", "ProbeCore", "ProbeSystem", "ProbeTLS"]),
]

let features: [Target] = [
  target(
    "Sources/Features", "BlackboxExporter",
    [
      "ByteStreams", "ProbeBase", "ProbeCodecs", "ProbeCore", "ProbePatterns", "ProbePipeline",
      "ProbeReporting", "ProbeServer", "ProbeStreams", "ProbeSystem", "ProbeTLS", "SourceDocuments",
    ]),
  target(
    "Sources/Features", "ConnectivityMonitor",
    [
      "ByteStreams", "CProbeSystem", "PortalAnalysis", "ProbeBase", "ProbeCore", "ProbePipeline",
      "ProbeStreams", "ProbeSystem", "Validators",
    ]),
  target("Sources/Features", "ConnectivityNotifications", ["ConnectivityMonitor"]),
  target(
    "Sources/Features", "PortalSurvey",
    [
      "EngineProfiles", "PortalAnalysis", "ProbeBase", "ProbeCore", "ProbeJSON", "ProbePipeline",
      "ProbeReporting", "ProbeSystem", "ProbeTLS",
    ], resources: [.embedInCode("Conditions/conditions.yaml")]),
  target(
    "Sources/Features", "ProbeReporting",
    ["PortalAnalysis", "ProbeBase", "ProbeCore", "ProbeJSON", "ProbePipeline", "ProbeSystem"]),
  target(
    "Sources/Features", "ProbeScan",
    [
      "ProbeBase", "ProbeCodecs", "ProbeCore", "ProbeJSON", "ProbePipeline", "ProbeReporting", "ProbeSystem",
      "ProbeTLS", "SourceDocuments",
    ]),
  target(
    "Sources/Features", "ProfileMatrix",
    [
      "FixtureReplay", "PortalAnalysis", "ProbeBase", "ProbeCore", "ProbePipeline", "ProbeReporting",
      "ProbeTLS", "SourceDocuments",
    ]),
]

let kits: [Target] = [
  target("Sources/Kits", "ConnectivityKit", ["BundledPlugins", "ConnectivityMonitor", "ProbeCore"]),
  target(
    "Sources/Kits", "ProbeKit",
    [
      "BundledPlugins", "EngineProfiles", "PortalAnalysis", "ProbeCore", "ProbePipeline", "ProbeReporting",
      "SourceDocuments", "Transports", "Validators",
    ]),
  target("Sources/Kits", "ProbeReplay", ["FixtureCapture", "FixtureReplay"]),
  target(
    "Sources/Kits", "ProbeTesting",
    ["ProbeBase", "ProbeCore", "ProbeJSON", "ProbeSystem", "SourceDocuments", "Transports"]),
]

let command: [Target] = [
  target("Sources/Command", "CommandKit", ["CProbeSystem", "ProbeBase", "ProbeSystem"]),
  target(
    "Sources/Command", "ProbeCommand",
    [
      "BlackboxExporter", "ByteStreams", "CommandKit", "ConnectivityMonitor", "CProbeBuild", "CurlTransport",
      "EngineProfiles", "FixtureCapture", "FixtureReplay", "PortalAnalysis", "PortalSurvey", "ProbeBase",
      "ProbeCodecs", "ProbeCore", "ProbeJSON", "ProbePatterns", "ProbePipeline", "ProbeReporting",
      "ProbeScan", "ProbeServer", "ProbeStreams", "ProbeSystem", "ProbeTesting", "ProbeText", "ProbeTLS",
      "ProfileMatrix", "ReplayControl", "ReplayNetwork", "SourceDocuments", "Transports", "Validators",
    ]),
  .executableTarget(
    name: "probekit", dependencies: ["BundledPlugins", "ProbeCommand", "ProbeCore"],
    path: "Sources/Command/probekit"),
]

/// A test target, and its files that are no sources.
func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(name: name, dependencies: dependencies, path: "Tests/Unit/\(name)", exclude: exclude)
}

/// A program that a test or a reference test runs.
func program(_ name: String, _ folder: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(name: name, dependencies: dependencies, path: "Tests/\(folder)")
}

let support: [Target] = [
  // What of the heap is in use.
  .systemLibrary(name: "CProbeMalloc", path: "Tests/Support/CProbeMalloc"),
  target("Tests/Support", "ExampleCommand", ["CommandKit", "ProbeBase", "ProbeCore", "ProbeSystem"]),
  target("Tests/Support", "LoopbackDNS", ["CProbeSystem", "ProbeBase", "ProbeCore", "ProbeSystem"]),
  target(
    "Tests/Support", "LoopbackServer", ["CProbeSystem", "ProbeBase", "ProbeCore", "ProbeSystem", "ProbeTLS"]),
  target("Tests/Support", "TestClients", ["CProbeOpenSSL", "ProbeCore", "ProbeTLS"]),
  target("Tests/Support", "TestRequirements", ["ProbeBase", "TestSupport"]),
  target("Tests/Support", "TestSupport", ["ProbeBase", "ProbeSystem"]),
  target("Tests/Support", "TestTransports", ["ProbeBase", "ProbeCore"]),
  program("field-facts", "Programs/FieldFacts", ["EngineProfiles", "PortalSurvey"]),
  program(
    "go-patterns", "Judges/PatternJudges/GoPatterns", ["BlackboxExporter", "ProbeCore", "ProbePatterns"]),
  program("guarded-probes", "Programs/GuardedProbes", ["BundledPlugins", "ProbeCore"]),
  program("one-exchange", "Judges/ClientJudges/OneExchange", ["BundledPlugins", "ProbeCore"]),
  program(
    "page-signs", "Programs/PageSigns/Dump",
    [
      "BundledPlugins", "EngineProfiles", "FixtureReplay", "PortalAnalysis", "ProbeBase", "ProbeCore",
      "ProbePipeline", "ProbeReporting",
    ]),
  program("path-watcher", "Programs/PathWatcher", ["ConnectivityMonitor", "ProbeCore"]),
  program("plugin-load", "Programs/PluginLoad", ["ProbeBase", "ProbeCore", "ProbeSystem", "Transports"]),
  program(
    "round-trip", "Programs/RoundTrip",
    [
      "BundledPlugins", "FixtureCapture", "FixtureReplay", "ProbeCore", "ProbeTLS", "SourceDocuments",
      "TestSupport",
    ]),
  program("routed-probes", "Programs/RoutedProbes", ["BundledPlugins", "FixtureReplay", "ProbeCore"]),
  program(
    "soak", "Programs/Soak",
    [
      "BundledPlugins", "ConnectivityMonitor", "CProbeMalloc", "FixtureReplay", "LoopbackServer", "ProbeBase",
      "ProbeCore", "ProbePipeline", "ProbeSystem", "ProbeTLS", "TestClients", "TestSupport", "Validators",
    ]),
]

let units: [Target] = [
  tests("AttackTests", ["LoopbackServer", "probekit", "ProbeTLS", "TestRequirements", "TestSupport"]),
  tests(
    "BlackboxExporterTests",
    [
      "BlackboxExporter", "BundledPlugins", "ByteStreams", "LoopbackDNS", "LoopbackServer", "ProbeBase",
      "ProbeCodecs", "ProbeCore", "probekit", "ProbePatterns", "ProbePipeline", "ProbeServer", "ProbeTLS",
      "SourceDocuments",
      "TestClients", "TestRequirements", "TestSupport",
    ]),
  tests(
    "ByteStreamsTests",
    [
      "ByteStreams", "guarded-probes", "LoopbackServer", "ProbeCore", "ProbeSystem", "ProbeTLS",
      "TestRequirements", "TestSupport",
    ]),
  tests(
    "CommandKitTests",
    [
      "CommandKit", "ExampleCommand", "ProbeCore", "ProbeSystem", "TestRequirements", "TestSupport",
    ]),
  tests(
    "ConnectivityMonitorTests",
    [
      "ConnectivityMonitor", "ConnectivityNotifications", "path-watcher", "PortalAnalysis", "ProbeBase",
      "ProbeCore", "ProbePipeline", "ProbeSystem", "TestRequirements", "TestSupport", "Validators",
    ]),
  tests(
    "CurlTransportTests",
    ["CProbeCurl", "CurlTransport", "LoopbackServer", "ProbeCore", "ProbeSystem", "TestRequirements"]),
  tests(
    "DNSTransportTests",
    [
      "BundledPlugins", "ByteStreams", "LoopbackDNS", "LoopbackServer", "ProbeBase", "ProbeCore",
      "ProbeStreams", "ProbeTLS", "TestSupport", "Transports", "Validators",
    ]),
  tests(
    "EngineProfilesTests",
    [
      "BundledPlugins", "EngineProfiles", "FixtureReplay", "PortalAnalysis", "ProbeCore", "ProbePipeline",
      "TestSupport",
    ]),
  tests(
    "FixtureCaptureTests",
    [
      "FixtureCapture", "FixtureReplay", "LoopbackServer", "PortalAnalysis", "ProbeCodecs", "ProbeCore",
      "ProbePatterns", "ProbePipeline", "round-trip", "SourceDocuments", "TestRequirements", "TestSupport",
    ], exclude: ["Snapshots"]),
  tests(
    "FixtureReplayTests",
    [
      "BundledPlugins", "FixtureReplay", "LoopbackServer", "ProbeBase", "ProbeCore", "ProbePipeline",
      "ProbeStreams", "ProbeSystem", "ProbeTLS", "routed-probes", "SourceDocuments", "TestClients",
      "TestRequirements", "TestSupport", "Transports", "Validators",
    ], exclude: ["Snapshots"]),
  tests(
    "HTTPTransportTests",
    [
      "BundledPlugins", "ByteStreams", "CurlTransport", "LoopbackServer", "ProbeBase", "ProbeCore",
      "ProbeSystem", "ProbeTLS", "TestRequirements", "TestSupport", "Transports",
    ]),
  tests(
    "ICMPTransportTests",
    ["ByteStreams", "ProbeCore", "probekit", "ProbeStreams", "TestRequirements", "TestSupport", "Transports"]),
  tests("LoopbackServerTests", ["LoopbackServer", "ProbeTLS", "TestClients", "TestRequirements"]),
  tests(
    "PortalAnalysisTests",
    ["PortalAnalysis", "PortalScripts", "ProbeCore", "ProbeText", "TestRequirements", "TestSupport"]),
  tests(
    "PortalScriptsTests",
    [
      "PortalAnalysis", "PortalScripts", "ProbeCore", "TestRequirements", "TestSupport",
    ]),
  tests(
    "PortalSurveyTests",
    [
      "BundledPlugins", "EngineProfiles", "FixtureReplay", "PortalSurvey", "ProbeBase", "ProbeCore",
      "ProbePipeline", "TestRequirements", "TestSupport",
    ]),
  tests("ProbeBaseTests", ["ProbeBase", "ProbeCore", "TestRequirements", "TestSupport"]),
  tests("ProbeCodecsTests", ["ProbeCodecs"]),
  tests(
    "ProbeCommandTests",
    [
      "BundledPlugins", "CommandKit", "ConnectivityMonitor", "EngineProfiles", "ExampleCommand",
      "FixtureCapture", "FixtureReplay", "LoopbackDNS", "LoopbackServer", "PortalAnalysis", "PortalSurvey",
      "ProbeBase", "ProbeCommand", "ProbeCore", "probekit", "ProbePipeline", "ProbeReporting", "ProbeServer",
      "ProbeSystem", "ProbeTLS", "ReplayNetwork", "SourceDocuments", "TestClients", "TestRequirements",
      "TestSupport", "TestTransports",
    ], exclude: ["Snapshots"]),
  tests(
    "ProbeCoreTests", ["ProbeBase", "ProbeCore", "TestRequirements", "TestSupport"], exclude: ["Cookies"]),
  tests("ProbeHTTPWireTests", ["ProbeHTTPWire", "TestRequirements"], exclude: ["Browsers"]),
  tests("ProbeJSONTests", ["ProbeCore", "ProbeJSON", "TestRequirements", "TestSupport"]),
  tests("ProbePatternsTests", ["CProbePCRE2", "ProbePatterns", "TestRequirements", "TestSupport"]),
  tests(
    "ProbePipelineTests",
    [
      "BundledPlugins", "PortalAnalysis", "ProbeBase", "ProbeCore", "ProbePipeline", "SourceDocuments",
      "TestRequirements", "TestSupport", "TestTransports", "Transports", "Validators",
    ], exclude: ["Files"]),
  tests(
    "ProbeReportingTests",
    [
      "PortalAnalysis", "ProbeCore", "ProbePipeline", "ProbeReporting", "ProbeScan", "TestRequirements",
      "TestSupport",
    ], exclude: ["Snapshots"]),
  tests(
    "ProbeScanTests",
    [
      "ProbeBase", "ProbeCore", "ProbePipeline", "ProbeReporting", "ProbeScan", "ProbeSystem", "ProbeTLS",
      "TestRequirements", "TestSupport", "TestTransports",
    ]),
  tests("ProbeSecretsTests", ["ProbeCore", "ProbeSecrets", "TestRequirements", "TestSupport"]),
  tests(
    "ProbeServerTests",
    [
      "ProbeBase", "ProbeCodecs", "ProbeCore", "ProbeHTTPWire", "ProbeServer", "ProbeSystem", "ProbeTLS",
      "TestClients", "TestRequirements", "TestSupport",
    ]),
  tests(
    "ProbeStreamsTests",
    ["CProbeSystem", "LoopbackDNS", "ProbeBase", "ProbeCore", "ProbeStreams", "ProbeSystem", "TestSupport"]),
  tests(
    "ProbeSystemTests",
    ["LoopbackServer", "ProbeBase", "ProbeCore", "ProbeSystem", "TestRequirements", "TestSupport"]),
  tests(
    "ProbeTLSTests",
    ["LoopbackServer", "ProbeCore", "ProbeTLS", "TestClients", "TestRequirements", "TestSupport"]),
  tests(
    "ProbeTestingTests",
    [
      "BundledPlugins", "LoopbackDNS", "LoopbackServer", "ProbeBase", "ProbeCore", "ProbeTesting", "ProbeTLS",
      "TestRequirements", "Transports",
    ]),
  tests("ProbeTextTests", ["ProbeCore", "ProbeText", "TestRequirements", "TestSupport", "Validators"]),
  tests(
    "ProcessPluginsTests",
    ["LoopbackServer", "ProbeCore", "probekit", "TestRequirements", "TestSupport", "Transports"]),
  tests(
    "ProfileMatrixTests",
    [
      "FixtureReplay", "PortalAnalysis", "ProbeCore", "ProbePipeline", "ProbeReporting", "ProfileMatrix",
      "SourceDocuments", "TestSupport",
    ], exclude: ["Snapshots"]),
  tests("ProgramPluginsTests", ["ProbeBase", "ProbeCore", "ProbeTesting", "TestRequirements", "Transports"]),
  tests(
    "ReadmeTests",
    [
      "BundledPlugins", "ByteStreams", "CommandKit", "ConnectivityKit", "ConnectivityMonitor",
      "ConnectivityNotifications", "CurlTransport", "EngineProfiles", "FixtureCapture", "FixtureReplay",
      "LoopbackServer", "PortalAnalysis", "ProbeCommand", "ProbeCore", "ProbeKit", "probekit",
      "ProbePipeline", "ProbeReplay", "ProbeReporting", "ProbeSystem", "ProbeTesting", "ProbeTLS",
      "SourceDocuments", "TestRequirements", "TestSupport", "Transports", "Validators",
    ]),
  tests(
    "ReplayControlTests",
    [
      "BundledPlugins", "FixtureReplay", "ProbeCore", "ProbeHTTPWire", "ProbeServer", "ReplayControl",
      "TestRequirements", "TestSupport",
    ]),
  tests(
    "ReplayNetworkTests",
    [
      "FixtureReplay", "ProbeCore", "ProbeTLS", "ReplayNetwork", "TestRequirements", "TestSupport",
    ]),
  tests(
    "SourceDocumentsTests",
    ["ProbeCore", "SourceDocuments", "TestRequirements", "TestSupport", "Transports", "Validators"],
    exclude: ["Snapshots"]),
  tests(
    "TCPTransportTests",
    [
      "ByteStreams", "LoopbackServer", "ProbeCore", "ProbeStreams", "ProbeTLS", "TestRequirements",
      "TestSupport", "Transports",
    ]),
  tests("ValidatorsTests", ["ProbeCore", "TestRequirements", "TestSupport", "Validators"]),
]

let package = Package(
  name: "ProbeKit",
  products: [
    // One import for everyday use.
    .library(name: "ProbeKit", targets: ["ProbeKit"]),
    // What the author of a plugin needs.
    .library(name: "ProbeCore", targets: ["ProbeCore", "ByteStreams", "ProbeText"]),
    .library(
      name: "ConnectivityMonitor",
      targets: ["ConnectivityKit", "ConnectivityMonitor", "ConnectivityNotifications"]),
    // Replay and capture.
    .library(name: "ProbeReplay", targets: ["ProbeReplay"]),
    .library(name: "ProbeTesting", targets: ["ProbeTesting"]),
    .library(name: "ProbeCommand", targets: ["ProbeCommand"]),
    .executable(name: "probekit", targets: ["probekit"]),
  ],
  targets: c + base + system + probing + portals + pipelines + plugins + replay + features + kits + command
    + support
    + units,
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
  target.swiftSettings = [
    .treatAllWarnings(as: .error),
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  ]
}
