import ProbeCore

/// The options that commands have in common which probe with pipeline files.
extension OptionSpec {
  /// What the network announces.
  static func announcedCapport(_ path: any WritableKeyPath<Options, String?> & Sendable) -> OptionSpec {
    .option(
      "--capport", value: "URL",
      help: "what the network announces as its captive-portal API, for pipelines with capport: announced"
    ) {
      guard !$1.isEmpty else {
        throw InvalidInput("the URL is empty", remedy: "give the URL, or leave it out")
      }
      $0[keyPath: path] = $1
    }
  }

  /// Whether probes are carried out that the verdict does not need.
  static func all(_ path: any WritableKeyPath<Options, Bool> & Sendable) -> OptionSpec {
    .flag("--all", help: "carry out probes that the verdict does not need, too") { $0[keyPath: path] = true }
  }

  /// Where to connect to.
  static func connectTo(_ path: any WritableKeyPath<Options, RequestOverrides> & Sendable) -> OptionSpec {
    .option(
      "--connect-to", value: "HOST:PORT:ADDR:PORT",
      help:
        "connect to ADDR:PORT for this host and port, before any rule of a file; empty parts stand for any",
      repeats: true
    ) { $0[keyPath: path].connectTo.append(try ConnectTo($1)) }
  }

  /// Whom to trust.
  static func authorities(_ path: any WritableKeyPath<Options, RequestOverrides> & Sendable) -> OptionSpec {
    .option(
      "--cacert", value: "FILE",
      help: "a PEM file of authorities to trust besides the machine's own, in place of any that a file names"
    ) { $0[keyPath: path].authorities = $1 }
  }
}
