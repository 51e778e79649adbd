// swift-tools-version: 6.2
import PackageDescription

// Each C library has one module map target and one Swift wrapper; nothing else imports it.
let systemLibraries: [Target] = [
  .systemLibrary(
    name: "CAres", pkgConfig: "libcares", providers: [.apt(["libc-ares-dev"]), .brew(["c-ares"])]),
  .systemLibrary(
    name: "CPCRE2", pkgConfig: "libpcre2-8", providers: [.apt(["libpcre2-dev"]), .brew(["pcre2"])]),
  .systemLibrary(
    name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
  .systemLibrary(
    name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
  .systemLibrary(
    name: "CGumbo", pkgConfig: "gumbo", providers: [.apt(["libgumbo-dev"]), .brew(["gumbo-parser"])]),
  .systemLibrary(
    name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
  .systemLibrary(
    name: "CJansson", pkgConfig: "jansson", providers: [.apt(["libjansson-dev"]), .brew(["jansson"])]),
  // The kernel's own headers, which come with those of the C library.
  .systemLibrary(name: "CNetlink"),
  // What of the heap is in use, for the tests.
  .systemLibrary(name: "CMalloc", path: "Tests/CMalloc"),
  .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
  .systemLibrary(
    name: "CBrotli", pkgConfig: "libbrotlidec", providers: [.apt(["libbrotli-dev"]), .brew(["brotli"])]),
  .systemLibrary(
    name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
]

let wrappers: [Target] = [
  .target(name: "CProbeShims", dependencies: ["CAres", "CCurl", "CGumbo", "COpenSSL"]),
  .target(name: "Ares", dependencies: ["CAres", "CProbeShims", "Files", "ProbeCore", "Sockets"]),
  .target(name: "PCRE2", dependencies: ["CPCRE2"]),
  .target(name: "OpenSSL", dependencies: ["COpenSSL", "CProbeShims", "Files", "Locking", "ProbeCore"]),
  .target(name: "Files", dependencies: ["CProbeShims"]),
  .target(name: "Locking"),
  .target(
    name: "Curl",
    dependencies: [
      "CCurl", "COpenSSL", "CProbeShims", "Locking", "OpenSSL", "ProbeCore", "Sockets", "Threading",
    ]),
  .target(name: "Gumbo", dependencies: ["CGumbo", "CProbeShims"]),
  .target(name: "Iconv"),
  .target(name: "Jansson", dependencies: ["CJansson"]),
  .target(name: "Netlink", dependencies: ["CNetlink", "ProbeCore"]),
  .target(name: "YAML", dependencies: ["CYAML"]),
  .target(name: "Sockets", dependencies: ["CProbeShims", "ProbeCore"]),
  .target(name: "Threading", dependencies: ["CProbeShims", "Locking"]),
  .target(name: "Unpacking"),
  .target(name: "Zlib", dependencies: ["CZlib", "Unpacking"]),
  .target(name: "Brotli", dependencies: ["CBrotli", "Unpacking"]),
  .target(name: "Zstd", dependencies: ["CZstd", "Unpacking"]),
]

let libraries: [Target] = [
  .target(name: "ASCII"),
  .target(name: "HTTPWire", dependencies: ["ASCII"]),
  .target(name: "ProbeCore", dependencies: ["ASCII", "HTTPWire"]),
  .target(name: "TextDecoding", dependencies: ["Iconv", "Locking", "ProbeCore"]),
  .target(
    name: "PortalAnalysis", dependencies: ["Gumbo", "Jansson", "ProbeCore", "TextDecoding"],
    resources: [.embedInCode("Words/Lists")]),
  .target(
    name: "ProbePipeline",
    dependencies: ["Files", "Locking", "PortalAnalysis", "ProbeCore", "SourceDocuments"]),
  .target(name: "SourceDocuments", dependencies: ["ProbeCore", "YAML"]),
  .target(
    name: "EngineProfiles", dependencies: ["ProbeCore", "ProbePipeline", "SourceDocuments"],
    resources: [.embedInCode("Profiles")]),
  .target(
    name: "FixtureReplay",
    dependencies: [
      "CProbeShims", "Files", "HTTPWire", "Locking", "OpenSSL", "PortalAnalysis", "ProbeCore",
      "ProbePipeline", "Sockets", "SourceDocuments", "Threading",
    ]),
  .target(
    name: "FixtureCapture",
    dependencies: [
      "Files", "FixtureReplay", "HTTPWire", "Locking", "PCRE2", "ProbeCore", "ProbePipeline",
      "SourceDocuments",
      "Zlib",
    ]),
  .target(
    name: "ConnectivityMonitor",
    dependencies: [
      "BundledPlugins", "ByteStreams", "CProbeShims", "Locking", "Netlink", "PortalAnalysis", "ProbeCore",
      "ProbePipeline", "StringValidators", "Threading",
    ]),
  // Apart, because Foundation takes its time to start, and a command needs nothing of it.
  .target(name: "ConnectivityNotifications", dependencies: ["ConnectivityMonitor"]),
  .target(
    name: "ByteStreams",
    dependencies: [
      "Ares", "CProbeShims", "Files", "HTTPWire", "Locking", "OpenSSL", "ProbeCore", "Sockets", "Threading",
    ]),
  .target(name: "ProbeReporting", dependencies: ["ProbeCore", "ProbePipeline", "PortalAnalysis"]),
  .target(name: "ProbeTesting", dependencies: ["Locking", "ProbeCore", "SourceDocuments", "Threading"]),
]

func plugin(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: ["ProbeCore"] + dependencies, path: "Plugins/\(name)")
}

let plugins: [Target] = [
  plugin("StringValidators", ["PCRE2", "CProbeShims", "TextDecoding"]),
  plugin("PCRE2Validator", ["PCRE2", "TextDecoding"]),
  plugin("HTTPValidators", ["PCRE2Validator"]),
  plugin("ConnectionValidators", []),
  plugin("CurlTransport", ["ByteStreams", "Curl", "Locking", "OpenSSL", "Sockets", "Threading"]),
  plugin(
    "HTTPTransport",
    [
      "ASCII", "Brotli", "ByteStreams", "HTTPWire", "OpenSSL", "Sockets", "Threading", "Unpacking", "Zlib",
      "Zstd",
    ]),
  plugin("TCPTransport", ["ByteStreams", "OpenSSL", "PCRE2", "PCRE2Validator", "Sockets", "Threading"]),
  plugin(
    "BundledPlugins",
    [
      "StringValidators", "PCRE2Validator", "HTTPValidators", "ConnectionValidators", "CurlTransport",
      "HTTPTransport", "TCPTransport", "Threading",
    ]),
]

// The command is a library and an executable over one folder, so that a user's own executable gets the whole
// command line with its own plugins.
let command: [Target] = [
  .target(
    name: "ProbeCommand",
    dependencies: [
      "CProbeShims", "ConnectivityMonitor", "EngineProfiles", "ProbeCore", "ProbePipeline", "ProbeReporting",
      "Files", "FixtureCapture", "FixtureReplay",
      "Locking", "OpenSSL", "PortalAnalysis", "SourceDocuments",
      "StringValidators", "PCRE2Validator", "HTTPValidators", "ConnectionValidators", "TCPTransport",
      "Threading",
    ],
    path: "Sources/probekit",
    exclude: ["Main.swift"]),
  .executableTarget(
    name: "probekit",
    dependencies: ["BundledPlugins", "ProbeCommand", "ProbeCore"],
    path: "Sources/probekit",
    exclude: ["CommandLine", "Commands", "Matrix", "Monitoring", "Pipelines"],
    sources: ["Main.swift"]),
]

func tests(
  of name: String, _ dependencies: [Target.Dependency] = [], snapshots: Bool = false
) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: [.byName(name: name)] + dependencies,
    exclude: snapshots ? ["Snapshots"] : [])
}

let tests: [Target] = [
  .target(name: "TestSupport", dependencies: ["Locking", "Threading"], path: "Tests/TestSupport"),
  // Apart from that one, which programs use that are no tests.
  .target(name: "TestRequirements", dependencies: ["TestSupport"], path: "Tests/TestRequirements"),
  .target(
    name: "LoopbackServer", dependencies: ["CProbeShims", "Locking", "OpenSSL", "ProbeCore", "Threading"],
    path: "Tests/LoopbackServer"),
  .target(
    name: "LoopbackDNS", dependencies: ["CProbeShims", "Locking", "ProbeCore", "Threading"],
    path: "Tests/LoopbackDNS"),
  .executableTarget(
    name: "routed-probes", dependencies: ["BundledPlugins", "FixtureReplay", "ProbeCore"],
    path: "Tests/RoutedProbes"),
  .executableTarget(
    name: "round-trip",
    dependencies: [
      "BundledPlugins", "FixtureCapture", "FixtureReplay", "OpenSSL", "ProbeCore", "SourceDocuments",
    ],
    path: "Tests/RoundTrip"),
  .executableTarget(
    name: "one-exchange", dependencies: ["BundledPlugins", "ProbeCore"],
    path: "Tests/ClientJudges/OneExchange"),
  .executableTarget(
    name: "path-watcher", dependencies: ["ConnectivityMonitor", "Locking", "ProbeCore"],
    path: "Tests/PathWatcher"),
  .executableTarget(
    name: "soak",
    dependencies: [
      "BundledPlugins", "CMalloc", "ConnectivityMonitor", "FixtureReplay", "Locking", "LoopbackServer",
      "OpenSSL",
      "PCRE2Validator", "ProbeCore", "ProbePipeline", "StringValidators", "TestClients", "TestSupport",
      "Threading",
    ],
    path: "Tests/Soak"),
  .target(name: "TestClients", dependencies: ["COpenSSL", "OpenSSL"], path: "Tests/TestClients"),
  tests(of: "LoopbackServer", ["OpenSSL", "TestClients", "TestRequirements"]),
  tests(
    of: "OpenSSL",
    ["COpenSSL", "LoopbackServer", "ProbeCore", "TestClients", "TestRequirements", "TestSupport"]),
  .testTarget(name: "HTTPWireTests", dependencies: ["HTTPWire"], exclude: ["Browsers"]),
  tests(of: "ProbeCore", ["Locking", "TestSupport"]),
  tests(of: "Threading", ["Locking", "LoopbackServer"]),
  tests(
    of: "ByteStreams",
    ["Ares", "Locking", "LoopbackDNS", "LoopbackServer", "OpenSSL", "ProbeCore", "TestSupport", "Threading"]),
  tests(of: "Curl", ["CCurl", "CProbeShims", "LoopbackServer", "ProbeCore", "Threading"]),
  tests(
    of: "HTTPTransport",
    [
      "BundledPlugins", "ByteStreams", "Curl", "CurlTransport", "LoopbackServer", "OpenSSL",
      "ProbeCore", "TestSupport", "Threading",
    ]),
  tests(of: "TCPTransport", ["LoopbackServer", "ProbeCore", "TestSupport"]),
  tests(
    of: "ProbeReporting",
    ["ProbeCore", "ProbePipeline", "PortalAnalysis", "TestRequirements", "TestSupport"], snapshots: true),
  tests(
    of: "ProbeCommand",
    [
      "BundledPlugins", "EngineProfiles", "FixtureReplay", "Locking", "LoopbackServer", "OpenSSL",
      "ConnectivityMonitor", "PortalAnalysis", "ProbeCore", "ProbePipeline", "ProbeReporting",
      "SourceDocuments",
      "TestRequirements", "TestSupport", "probekit",
    ],
    snapshots: true),
  tests(of: "Files", ["TestRequirements", "TestSupport"]),
  tests(of: "Ares", ["CProbeShims", "LoopbackDNS", "ProbeCore", "TestSupport", "Threading"]),
  tests(of: "PCRE2"),
  tests(of: "YAML"),
  tests(of: "Jansson"),
  tests(of: "Zlib", ["Unpacking"]),
  tests(of: "Brotli", ["Unpacking"]),
  tests(of: "Zstd", ["Unpacking"]),
  tests(
    of: "SourceDocuments",
    [
      "ConnectionValidators", "HTTPValidators", "PCRE2Validator", "ProbeCore", "StringValidators",
      "TCPTransport", "TestSupport",
    ], snapshots: true),
  tests(of: "TextDecoding", ["PCRE2Validator", "ProbeCore", "StringValidators", "TestSupport"]),
  tests(of: "StringValidators", ["ProbeCore"]),
  tests(of: "PCRE2Validator", ["ProbeCore"]),
  tests(of: "ConnectionValidators", ["ProbeCore"]),
  tests(of: "HTTPValidators", ["PCRE2Validator", "ProbeCore"]),
  tests(of: "Gumbo"),
  tests(of: "PortalAnalysis", ["ProbeCore", "TestSupport", "TextDecoding"]),
  .testTarget(
    name: "ProbePipelineTests",
    dependencies: [
      "BundledPlugins", "ConnectionValidators", "HTTPValidators", "Locking", "PCRE2Validator",
      "PortalAnalysis",
      "ProbeCore", "ProbePipeline", "SourceDocuments", "StringValidators", "TCPTransport", "TestSupport",
    ],
    exclude: ["Files"]),
  tests(
    of: "FixtureReplay",
    [
      "BundledPlugins", "Locking", "LoopbackServer", "OpenSSL", "ProbeCore", "ProbePipeline",
      "SourceDocuments", "TestClients", "TestRequirements", "TestSupport", "Threading", "routed-probes",
    ], snapshots: true),
  tests(
    of: "FixtureCapture",
    [
      "BundledPlugins", "CurlTransport", "FixtureReplay", "Locking", "LoopbackServer", "ProbeCore",
      "ProbePipeline", "SourceDocuments", "TestSupport", "round-trip",
    ], snapshots: true),
  tests(
    of: "EngineProfiles",
    [
      "BundledPlugins", "FixtureReplay", "PortalAnalysis", "ProbeCore", "ProbePipeline", "TestSupport",
    ]),
  tests(of: "Netlink", ["ProbeCore", "TestRequirements", "TestSupport"]),
  tests(
    of: "ConnectivityMonitor",
    [
      "BundledPlugins", "ConnectivityNotifications", "FixtureReplay", "Locking", "Netlink", "PortalAnalysis",
      "ProbeCore", "ProbePipeline", "StringValidators", "TestRequirements", "TestSupport", "path-watcher",
    ]),
  tests(of: "ProbeTesting", ["BundledPlugins", "Locking", "LoopbackServer", "OpenSSL", "ProbeCore"]),
  // The command against servers, files and signals that mean harm.
  .testTarget(
    name: "AttackTests",
    dependencies: ["LoopbackServer", "OpenSSL", "TestRequirements", "TestSupport", "probekit"]),
  .testTarget(
    name: "ReadmeTests",
    dependencies: [
      "BundledPlugins", "ByteStreams", "ConnectivityMonitor", "ConnectivityNotifications", "CurlTransport",
      "EngineProfiles", "FixtureCapture", "FixtureReplay", "HTTPValidators", "LoopbackServer", "OpenSSL",
      "PCRE2Validator", "PortalAnalysis", "ProbeCommand", "ProbeCore", "ProbePipeline", "ProbeReporting",
      "ProbeTesting", "SourceDocuments", "StringValidators", "TCPTransport", "TextDecoding",
    ]),
]

let package = Package(
  name: "ProbeKit",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "ProbeCore", targets: ["ProbeCore"]),
    .library(name: "ProbePipeline", targets: ["ProbePipeline"]),
    .library(name: "PortalAnalysis", targets: ["PortalAnalysis"]),
    .library(name: "ProbeReporting", targets: ["ProbeReporting"]),
    .library(name: "TextDecoding", targets: ["TextDecoding"]),
    .library(name: "SourceDocuments", targets: ["SourceDocuments"]),
    .library(name: "EngineProfiles", targets: ["EngineProfiles"]),
    .library(
      name: "ConnectivityMonitor", targets: ["ConnectivityMonitor", "ConnectivityNotifications"]),
    .library(name: "FixtureReplay", targets: ["FixtureReplay"]),
    .library(name: "FixtureCapture", targets: ["FixtureCapture"]),
    .library(name: "ProbeTesting", targets: ["ProbeTesting"]),
    .library(name: "ByteStreams", targets: ["ByteStreams"]),
    .library(name: "BundledPlugins", targets: plugins.map(\.name)),
    .library(name: "ProbeCommand", targets: ["ProbeCommand"]),
    .executable(name: "probekit", targets: ["probekit"]),
  ],
  targets: systemLibraries + wrappers + libraries + plugins + command + tests,
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
