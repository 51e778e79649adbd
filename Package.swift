// swift-tools-version: 6.2
import PackageDescription

// Each C library has one module map target and one Swift wrapper; nothing else imports it.
let systemLibraries: [Target] = [
  .systemLibrary(
    name: "CProbeAres", pkgConfig: "libcares", providers: [.apt(["libc-ares-dev"]), .brew(["c-ares"])]),
  .systemLibrary(
    name: "CProbePCRE2", pkgConfig: "libpcre2-8", providers: [.apt(["libpcre2-dev"]), .brew(["pcre2"])]),
  .systemLibrary(
    name: "CProbeCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
  .systemLibrary(
    name: "CProbeOpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
  .systemLibrary(
    name: "CProbeGumbo", pkgConfig: "gumbo", providers: [.apt(["libgumbo-dev"]), .brew(["gumbo-parser"])]),
  .systemLibrary(
    name: "CProbeYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
  .systemLibrary(
    name: "CProbeJansson", pkgConfig: "jansson", providers: [.apt(["libjansson-dev"]), .brew(["jansson"])]),
  // The kernel's own headers, which come with those of the C library.
  .systemLibrary(name: "CProbeNetlink"),
  // What of the heap is in use, for the tests.
  .systemLibrary(name: "CProbeMalloc", path: "Tests/CProbeMalloc"),
  .systemLibrary(name: "CProbeZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
  .systemLibrary(
    name: "CProbeBrotli", pkgConfig: "libbrotlidec", providers: [.apt(["libbrotli-dev"]), .brew(["brotli"])]),
  .systemLibrary(
    name: "CProbeCrypt", pkgConfig: "libcrypt", providers: [.apt(["libcrypt-dev"]), .brew(["libxcrypt"])]),
  .systemLibrary(
    name: "CProbeIDN2", pkgConfig: "libidn2", providers: [.apt(["libidn2-dev"]), .brew(["libidn2"])]),
  .systemLibrary(
    name: "CProbeLDNS", pkgConfig: "ldns", providers: [.apt(["libldns-dev"]), .brew(["ldns"])]),
  .systemLibrary(
    name: "CProbePSL", pkgConfig: "libpsl", providers: [.apt(["libpsl-dev"]), .brew(["libpsl"])]),
  .systemLibrary(
    name: "CProbeZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
]

// The commit that `probekit --version` shows; the Makefile sets it for what it installs and packs.
let commit = Context.environment["PROBEKIT_COMMIT"].flatMap { $0.isEmpty ? nil : $0 }

let wrappers: [Target] = [
  .target(name: "CProbeBuild", cSettings: commit.map { [.define("PROBEKIT_COMMIT", to: $0)] }),
  .target(name: "CProbeShims", dependencies: ["CProbeAres", "CProbeCurl", "CProbeGumbo", "CProbeOpenSSL"]),
  .target(
    name: "ProbeAres", dependencies: ["CProbeAres", "CProbeShims", "ProbeFiles", "ProbeCore", "ProbeSockets"]),
  .target(name: "ProbeCrypt", dependencies: ["CProbeCrypt", "ProbeASCII"]),
  .target(name: "ProbePCRE2", dependencies: ["CProbePCRE2", "ProbeASCII"]),
  .target(
    name: "ProbeOpenSSL",
    dependencies: ["CProbeOpenSSL", "CProbeShims", "ProbeFiles", "ProbeLocking", "ProbeCore"]),
  .target(name: "ProbeFiles", dependencies: ["CProbeShims"]),
  .target(name: "ProbeLocking"),
  .target(
    name: "ProbeCurl",
    dependencies: [
      "CProbeCurl", "CProbeOpenSSL", "CProbeShims", "ProbeLocking", "ProbeOpenSSL", "ProbeCore",
      "ProbeSockets", "ProbeThreading",
    ]),
  .target(name: "ProbeGumbo", dependencies: ["CProbeGumbo", "CProbeShims"]),
  .target(name: "ProbeIconv"),
  .target(name: "ProbeIDN2", dependencies: ["CProbeIDN2"]),
  .target(name: "ProbeJansson", dependencies: ["CProbeJansson", "ProbeCore"]),
  .target(name: "ProbeLDNS", dependencies: ["CProbeLDNS", "ProbeCore"]),
  .target(name: "ProbeNetlink", dependencies: ["CProbeNetlink", "ProbeCore"]),
  .target(name: "ProbePSL", dependencies: ["CProbePSL"]),
  .target(name: "ProbeYAML", dependencies: ["CProbeYAML"]),
  .target(name: "ProbeSockets", dependencies: ["CProbeShims", "ProbeCore", "ProbeLocking", "ProbeNetlink"]),
  .target(name: "ProbeThreading", dependencies: ["CProbeShims", "ProbeLocking"]),
  .target(name: "ProbeUnpacking"),
  .target(name: "ProbeZlib", dependencies: ["CProbeZlib", "ProbeUnpacking"]),
  .target(name: "ProbeBrotli", dependencies: ["CProbeBrotli", "ProbeUnpacking"]),
  .target(name: "ProbeZstd", dependencies: ["CProbeZstd", "ProbeUnpacking"]),
]

let libraries: [Target] = [
  .target(name: "ProbeASCII"),
  .target(name: "ProbeHTTPWire", dependencies: ["ProbeASCII"]),
  .target(
    name: "ProbeCore",
    dependencies: ["ProbeASCII", "ProbeHTTPWire", "ProbeIDN2", "ProbeLocking", "ProbePSL"]),
  .target(name: "TextDecoding", dependencies: ["ProbeIconv", "ProbeLocking", "ProbeCore"]),
  .target(
    name: "PortalAnalysis",
    dependencies: ["ProbeGumbo", "ProbeJansson", "ProbePSL", "ProbeCore", "TextDecoding"],
    resources: [.embedInCode("Words/Lists")]),
  .target(
    name: "ProbePipeline",
    dependencies: [
      "ProbeFiles", "ProbeLocking", "ProbePCRE2", "ProbePSL", "PortalAnalysis", "ProbeCore", "ProbeThreading",
      "SourceDocuments",
    ]),
  .target(name: "SourceDocuments", dependencies: ["ProbeCore", "ProbeYAML"]),
  .target(
    name: "EngineProfiles", dependencies: ["ProbeCore", "ProbePipeline", "SourceDocuments"],
    resources: [.embedInCode("Profiles")]),
  .target(
    name: "FixtureReplay",
    dependencies: [
      "CProbeShims", "ProbeFiles", "ProbeHTTPWire", "ProbeLDNS", "ProbeLocking", "ProbeOpenSSL",
      "PortalAnalysis", "ProbeCore", "ProbePipeline", "ProbeSockets", "SourceDocuments", "ProbeThreading",
    ]),
  .target(
    name: "FixtureCapture",
    dependencies: [
      "ProbeFiles", "FixtureReplay", "PortalAnalysis", "ProbeHTTPWire", "ProbeLocking", "ProbePCRE2",
      "ProbeCore", "ProbePipeline",
      "SourceDocuments",
      "ProbeUnpacking", "ProbeZlib",
    ]),
  .target(
    name: "ConnectivityMonitor",
    dependencies: [
      "BundledPlugins", "ByteStreams", "CProbeShims", "ProbeLocking", "ProbeNetlink", "PortalAnalysis",
      "ProbeCore",
      "ProbePipeline", "StringValidators", "ProbeThreading",
    ]),
  // Apart, because Foundation takes its time to start, and a command needs nothing of it.
  .target(name: "ConnectivityNotifications", dependencies: ["ConnectivityMonitor"]),
  .target(
    name: "ByteStreams",
    dependencies: [
      "ProbeAres", "CProbeShims", "ProbeFiles", "ProbeHTTPWire", "ProbeLocking", "ProbeOpenSSL", "ProbeCore",
      "ProbeSockets", "ProbeThreading",
    ]),
  .target(
    name: "HTTPService",
    dependencies: [
      "ProbeASCII", "ProbeCore", "ProbeCrypt", "ProbeHTTPWire", "ProbeLocking", "ProbeOpenSSL",
      "ProbeSockets", "ProbeThreading", "ProbeZlib",
    ]),
  .target(
    name: "ProbeExporter",
    dependencies: [
      "ByteStreams", "DNSTransport", "HTTPService", "ICMPTransport", "ProbeBrotli", "ProbeCore", "ProbeCrypt",
      "ProbeFiles", "ProbeLDNS", "ProbeLocking", "ProbeOpenSSL", "ProbePCRE2", "ProbePipeline",
      "ProbeReporting", "SourceDocuments", "ProbeThreading", "ProbeUnpacking", "ProbeZlib",
    ]),
  .target(
    name: "ProbeProcesses",
    dependencies: ["CProbeShims", "ProbeCore", "ProbeFiles", "ProbeLocking", "ProbeThreading"]),
  .target(
    name: "ProcessPlugins",
    dependencies: ["ProbeCore", "ProbeJansson", "ProbeLocking", "ProbeProcesses", "ProbeThreading"]),
  .target(name: "ProbeReporting", dependencies: ["ProbeCore", "ProbePipeline", "PortalAnalysis"]),
  .target(
    name: "PortalReport",
    dependencies: [
      "EngineProfiles", "PortalAnalysis", "ProbeCore", "ProbeJansson", "ProbeLocking", "ProbePipeline",
    ],
    resources: [.embedInCode("Conditions/conditions.yaml")]),
  .target(
    name: "ProbeTesting",
    dependencies: [
      "ProbeCore", "ProbeJansson", "ProbeLocking", "ProbeThreading", "ProcessPlugins", "SourceDocuments",
    ]),
]

func plugin(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: ["ProbeCore"] + dependencies, path: "Plugins/\(name)")
}

let plugins: [Target] = [
  plugin("StringValidators", ["ProbeOpenSSL", "ProbePCRE2", "CProbeShims", "TextDecoding"]),
  plugin("PCRE2Validator", ["ProbePCRE2", "TextDecoding"]),
  plugin("HTTPValidators", ["PCRE2Validator"]),
  plugin("JSONValidator", ["PCRE2Validator", "ProbeJansson"]),
  plugin("ConnectionValidators", ["ProbeOpenSSL"]),
  plugin("DNSValidators", ["PCRE2Validator", "ProbeLDNS"]),
  plugin(
    "CurlTransport",
    [
      "ByteStreams", "ProbeCurl", "ProbeHTTPWire", "ProbeLocking", "ProbeOpenSSL", "ProbeSockets",
      "ProbeThreading",
    ]),
  plugin(
    "HTTPTransport",
    [
      "ProbeASCII", "ProbeBrotli", "ByteStreams", "ProbeHTTPWire", "ProbeOpenSSL", "ProbeSockets",
      "ProbeThreading", "ProbeUnpacking", "ProbeZlib",
      "ProbeZstd",
    ]),
  plugin(
    "TCPTransport",
    ["ByteStreams", "ProbeOpenSSL", "ProbePCRE2", "PCRE2Validator", "ProbeSockets", "ProbeThreading"]),
  plugin(
    "DNSTransport",
    [
      "ByteStreams", "ProbeAres", "ProbeFiles", "ProbeIDN2", "ProbeLDNS", "ProbeSockets", "ProbeThreading",
    ]),
  plugin("ICMPTransport", ["ByteStreams", "ProbeThreading"]),
  plugin("ProgramPlugins", []),
  plugin(
    "BundledPlugins",
    [
      "StringValidators", "PCRE2Validator", "HTTPValidators", "JSONValidator", "ConnectionValidators",
      "CurlTransport", "DNSTransport", "DNSValidators", "HTTPTransport", "ICMPTransport", "ProgramPlugins",
      "TCPTransport",
      "ProbeThreading",
    ]),
]

// Products that are several modules: each is an import for all of them.
let umbrellas: [Target] = [
  .target(
    name: "ProbeKit",
    dependencies: [
      "BundledPlugins", "ConnectionValidators", "DNSTransport", "DNSValidators", "EngineProfiles",
      "HTTPValidators", "ICMPTransport", "JSONValidator", "PCRE2Validator", "PortalAnalysis", "ProbeCore",
      "ProbePipeline", "ProbeReporting", "SourceDocuments", "StringValidators", "TCPTransport",
    ]),
  .target(name: "ProbeReplay", dependencies: ["FixtureCapture", "FixtureReplay"]),
]

// The command is a library and an executable over one folder, so that a user's own executable gets the whole
// command line with its own plugins.
let command: [Target] = [
  .target(
    name: "ProbeCommand",
    dependencies: [
      "CProbeBuild", "CProbeShims", "ConnectivityMonitor", "EngineProfiles", "ProbeCore", "ProbePipeline",
      "ProbeReporting",
      "PortalReport", "ByteStreams", "ProbeExporter", "ProbeSockets", "ProbeTesting", "ProcessPlugins",
      "ProbeFiles", "FixtureCapture", "FixtureReplay", "HTTPService", "ProbeJansson", "ProbeNetlink",
      "ProbeLocking", "ProbeOpenSSL", "PortalAnalysis", "SourceDocuments",
      "ProbeASCII", "ProbeProcesses", "ProbeUnpacking", "ProbeZlib", "ProbeZstd",
      // For their versions.
      "ProbeAres", "ProbeBrotli", "ProbeCurl", "ProbeIDN2", "ProbeLDNS", "ProbePCRE2", "ProbePSL",
      "ProbeYAML",
      "StringValidators", "PCRE2Validator", "HTTPValidators", "ConnectionValidators", "TCPTransport",
      "ProbeThreading",
    ],
    path: "Sources/probekit",
    exclude: ["Main.swift"]),
  .executableTarget(
    name: "probekit",
    dependencies: ["BundledPlugins", "ProbeCommand", "ProbeCore"],
    path: "Sources/probekit",
    exclude: [
      "CommandLine", "Commands", "Comparison", "Control", "Enclosure", "Gateway", "Matrix", "Monitoring",
      "Pipelines", "Plugins", "Portal", "Reference", "Scanning", "Serving",
    ],
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
  .target(name: "TestSupport", dependencies: ["ProbeLocking", "ProbeThreading"], path: "Tests/TestSupport"),
  // Apart from that one, which programs use that are no tests.
  .target(
    name: "TestRequirements", dependencies: ["ProbeLocking", "TestSupport"], path: "Tests/TestRequirements"),
  .target(
    name: "LoopbackServer",
    dependencies: ["CProbeShims", "ProbeLocking", "ProbeOpenSSL", "ProbeCore", "ProbeThreading"],
    path: "Tests/LoopbackServer"),
  .target(
    name: "LoopbackDNS",
    dependencies: ["CProbeShims", "ProbeLocking", "ProbeCore", "ProbeSockets", "ProbeThreading"],
    path: "Tests/LoopbackDNS"),
  .executableTarget(
    name: "routed-probes", dependencies: ["BundledPlugins", "FixtureReplay", "ProbeCore"],
    path: "Tests/RoutedProbes"),
  .executableTarget(
    name: "page-signs",
    dependencies: [
      "BundledPlugins", "EngineProfiles", "FixtureReplay", "PortalAnalysis", "ProbeCore", "ProbePipeline",
      "ProbeLocking", "ProbeReporting",
    ],
    path: "Tests/PageSigns/Dump"),
  .executableTarget(
    name: "field-facts", dependencies: ["EngineProfiles", "PortalReport"], path: "Tests/FieldFacts"),
  .executableTarget(
    name: "guarded-probes", dependencies: ["BundledPlugins", "ProbeCore"], path: "Tests/GuardedProbes"),
  .executableTarget(
    name: "round-trip",
    dependencies: [
      "BundledPlugins", "FixtureCapture", "FixtureReplay", "ProbeOpenSSL", "ProbeCore", "SourceDocuments",
      "TestSupport",
    ],
    path: "Tests/RoundTrip"),
  .executableTarget(
    name: "one-exchange", dependencies: ["BundledPlugins", "ProbeCore"],
    path: "Tests/ClientJudges/OneExchange"),
  .executableTarget(
    name: "go-patterns", dependencies: ["ProbeCore", "ProbeExporter"], path: "Tests/PatternJudges/GoPatterns"),
  .executableTarget(
    name: "plugin-load",
    dependencies: ["ProbeCore", "ProbeFiles", "ProbeLocking", "ProbeThreading", "ProcessPlugins"],
    path: "Tests/PluginLoad"),
  .executableTarget(
    name: "path-watcher", dependencies: ["ConnectivityMonitor", "ProbeLocking", "ProbeCore"],
    path: "Tests/PathWatcher"),
  .executableTarget(
    name: "soak",
    dependencies: [
      "BundledPlugins", "CProbeMalloc", "ConnectivityMonitor", "FixtureReplay", "ProbeLocking",
      "LoopbackServer",
      "ProbeOpenSSL",
      "PCRE2Validator", "ProbeCore", "ProbePipeline", "ProbeProcesses", "StringValidators", "TestClients",
      "TestSupport",
      "ProbeThreading",
    ],
    path: "Tests/Soak"),
  .target(
    name: "TestClients", dependencies: ["CProbeOpenSSL", "ProbeCore", "ProbeOpenSSL"],
    path: "Tests/TestClients"),
  tests(of: "LoopbackServer", ["ProbeOpenSSL", "TestClients", "TestRequirements"]),
  tests(
    of: "ProbeOpenSSL",
    ["CProbeOpenSSL", "LoopbackServer", "ProbeCore", "TestClients", "TestRequirements", "TestSupport"]),
  .testTarget(
    name: "ProbeHTTPWireTests", dependencies: ["ProbeHTTPWire", "TestRequirements"], exclude: ["Browsers"]),
  .testTarget(
    name: "ProbeCoreTests", dependencies: ["ProbeCore", "ProbeLocking", "TestRequirements", "TestSupport"],
    exclude: ["Cookies"]),
  tests(
    of: "ProbeExporter",
    [
      "BundledPlugins", "ByteStreams", "HTTPService", "LoopbackDNS", "LoopbackServer", "ProbeCore",
      "ProbeLocking", "ProbeOpenSSL", "SourceDocuments", "TestClients", "TestRequirements", "TestSupport",
      "probekit",
    ]),
  tests(
    of: "HTTPService",
    [
      "ProbeCore", "ProbeCrypt", "ProbeHTTPWire", "ProbeLocking", "ProbeOpenSSL", "ProbeSockets",
      "ProbeThreading", "ProbeZlib", "TestClients", "TestRequirements", "TestSupport",
    ]),
  tests(of: "ProbeThreading", ["ProbeLocking", "LoopbackServer", "TestRequirements"]),
  tests(
    of: "ByteStreams",
    [
      "ProbeAres", "ProbeLocking", "LoopbackDNS", "LoopbackServer", "ProbeOpenSSL", "ProbeCore",
      "ProbeSockets", "TestRequirements", "TestSupport", "ProbeThreading", "guarded-probes",
    ]),
  tests(
    of: "ProbeCurl",
    ["CProbeCurl", "CProbeShims", "LoopbackServer", "ProbeCore", "ProbeThreading", "TestRequirements"]),
  tests(
    of: "HTTPTransport",
    [
      "BundledPlugins", "ByteStreams", "ProbeCurl", "CurlTransport", "LoopbackServer", "ProbeOpenSSL",
      "ProbeCore", "TestRequirements", "TestSupport", "ProbeThreading",
    ]),
  tests(
    of: "TCPTransport",
    ["ByteStreams", "LoopbackServer", "ProbeCore", "ProbeOpenSSL", "TestRequirements", "TestSupport"]),
  tests(
    of: "ProbeReporting",
    ["ProbeCore", "ProbePipeline", "PortalAnalysis", "TestRequirements", "TestSupport"], snapshots: true),
  tests(
    of: "ProbeCommand",
    [
      "BundledPlugins", "EngineProfiles", "FixtureCapture", "FixtureReplay", "HTTPService", "ProbeHTTPWire",
      "ProbeLocking", "LoopbackDNS", "LoopbackServer", "ProbeOpenSSL", "ConnectivityMonitor",
      "PortalAnalysis",
      "PortalReport", "ProbeCore",
      "ProbePipeline", "ProbeProcesses", "ProbeReporting",
      "SourceDocuments",
      "TestClients", "TestRequirements", "TestSupport", "probekit",
    ],
    snapshots: true),
  tests(
    of: "ProbeProcesses",
    ["LoopbackServer", "ProbeCore", "ProbeLocking", "ProbeThreading", "TestRequirements", "TestSupport"]),
  tests(of: "ProbeFiles", ["TestRequirements", "TestSupport"]),
  tests(of: "ProbeCrypt"),
  tests(of: "ProbeAres", ["CProbeShims", "LoopbackDNS", "ProbeCore", "TestSupport", "ProbeThreading"]),
  tests(of: "ProbePCRE2", ["CProbePCRE2", "TestRequirements", "TestSupport"]),
  tests(of: "ProbeYAML"),
  tests(of: "ProbeIDN2"),
  tests(of: "ProbePSL", ["ProbeIDN2", "TestRequirements"]),
  tests(of: "ProbeJansson", ["ProbeCore"]),
  tests(
    of: "ProcessPlugins", ["LoopbackServer", "ProbeCore", "TestRequirements", "TestSupport", "probekit"]),
  tests(of: "ProbeZlib", ["ProbeUnpacking"]),
  tests(of: "ProbeBrotli", ["ProbeUnpacking"]),
  tests(of: "ProbeZstd", ["ProbeUnpacking"]),
  tests(
    of: "SourceDocuments",
    [
      "ConnectionValidators", "HTTPValidators", "PCRE2Validator", "ProbeCore", "StringValidators",
      "TCPTransport", "TestRequirements", "TestSupport",
    ], snapshots: true),
  tests(
    of: "TextDecoding",
    ["PCRE2Validator", "ProbeCore", "StringValidators", "TestRequirements", "TestSupport"]),
  tests(of: "StringValidators", ["ProbeCore"]),
  tests(of: "ProbeLDNS", ["ProbeCore"]),
  tests(
    of: "DNSTransport",
    [
      "BundledPlugins", "ByteStreams", "ConnectionValidators", "DNSValidators", "LoopbackDNS",
      "LoopbackServer",
      "ProbeCore", "ProbeLDNS", "ProbeLocking", "ProbeOpenSSL", "TCPTransport", "TestSupport",
    ]),
  tests(of: "DNSValidators", ["PCRE2Validator", "ProbeCore"]),
  tests(of: "ICMPTransport", ["ByteStreams", "ProbeCore", "TestRequirements", "TestSupport", "probekit"]),
  tests(of: "PCRE2Validator", ["ProbeCore"]),
  tests(of: "ProgramPlugins", ["ProbeCore", "ProbeLocking", "ProbeTesting", "TestRequirements"]),
  tests(of: "ConnectionValidators", ["ProbeCore"]),
  tests(of: "HTTPValidators", ["PCRE2Validator", "ProbeCore", "TestSupport"]),
  tests(of: "JSONValidator", ["PCRE2Validator", "ProbeCore"]),
  tests(of: "ProbeGumbo", ["TestRequirements"]),
  tests(
    of: "PortalReport",
    [
      "BundledPlugins", "EngineProfiles", "FixtureReplay", "ProbeCore", "ProbeLocking", "ProbePipeline",
      "TestRequirements", "TestSupport",
    ]),
  tests(of: "PortalAnalysis", ["ProbeCore", "TestRequirements", "TestSupport", "TextDecoding"]),
  .testTarget(
    name: "ProbePipelineTests",
    dependencies: [
      "BundledPlugins", "ConnectionValidators", "HTTPValidators", "ProbeLocking", "PCRE2Validator",
      "PortalAnalysis",
      "ProbeCore", "ProbePipeline", "SourceDocuments", "StringValidators", "TCPTransport",
      "TestRequirements", "TestSupport",
    ],
    exclude: ["Files"]),
  tests(
    of: "FixtureReplay",
    [
      "BundledPlugins", "ProbeLDNS", "ProbeLocking", "LoopbackServer", "ProbeOpenSSL", "ProbeCore",
      "ProbePipeline", "SourceDocuments", "TCPTransport", "TestClients", "TestRequirements", "TestSupport",
      "ProbeThreading",
      "routed-probes",
    ], snapshots: true),
  tests(
    of: "FixtureCapture",
    [
      "BundledPlugins", "CurlTransport", "FixtureReplay", "PortalAnalysis", "ProbeLocking", "LoopbackServer",
      "ProbeCore",
      "ProbePCRE2", "ProbePipeline", "ProbeZlib", "SourceDocuments", "TestRequirements", "TestSupport",
      "round-trip",
    ], snapshots: true),
  tests(
    of: "EngineProfiles",
    [
      "BundledPlugins", "FixtureReplay", "PortalAnalysis", "ProbeCore", "ProbePipeline", "TestSupport",
    ]),
  tests(of: "ProbeNetlink", ["ProbeCore", "TestRequirements", "TestSupport"]),
  tests(
    of: "ConnectivityMonitor",
    [
      "BundledPlugins", "ConnectivityNotifications", "FixtureReplay", "ProbeLocking", "ProbeNetlink",
      "PortalAnalysis",
      "ProbeCore", "ProbePipeline", "StringValidators", "TestRequirements", "TestSupport", "path-watcher",
    ]),
  tests(
    of: "ProbeTesting",
    [
      "BundledPlugins", "ProbeLocking", "LoopbackDNS", "LoopbackServer", "ProbeOpenSSL", "ProbeCore",
      "TestRequirements",
    ]),
  // The command against servers, files and signals that mean harm.
  .testTarget(
    name: "AttackTests",
    dependencies: ["LoopbackServer", "ProbeOpenSSL", "TestRequirements", "TestSupport", "probekit"]),
  .testTarget(
    name: "ReadmeTests",
    dependencies: [
      "BundledPlugins", "ByteStreams", "ConnectivityMonitor", "ConnectivityNotifications", "CurlTransport",
      "EngineProfiles", "FixtureCapture", "FixtureReplay", "HTTPValidators", "LoopbackServer", "ProbeOpenSSL",
      "PCRE2Validator", "PortalAnalysis", "ProbeCommand", "ProbeCore", "ProbeKit", "ProbePipeline",
      "ProbeReporting", "ProbeReplay", "ProbeTesting", "SourceDocuments", "StringValidators", "TCPTransport",
      "TestRequirements", "TestSupport", "TextDecoding", "probekit",
    ]),
]

let package = Package(
  name: "ProbeKit",
  platforms: [.macOS(.v15)],
  products: [
    // One import for everyday use.
    .library(name: "ProbeKit", targets: ["ProbeKit"]),
    // What the author of a plugin needs.
    .library(name: "ProbeCore", targets: ["ProbeCore", "ByteStreams", "TextDecoding"]),
    .library(name: "ConnectivityMonitor", targets: ["ConnectivityMonitor", "ConnectivityNotifications"]),
    // Replay and capture.
    .library(name: "ProbeReplay", targets: ["ProbeReplay"]),
    .library(name: "ProbeTesting", targets: ["ProbeTesting"]),
    .library(name: "ProbeCommand", targets: ["ProbeCommand"]),
    .executable(name: "probekit", targets: ["probekit"]),
  ],
  targets: systemLibraries + wrappers + libraries + plugins + umbrellas + command + tests,
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
