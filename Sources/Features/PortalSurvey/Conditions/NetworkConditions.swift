internal import ProbeBase
package import ProbeCore
package import ProbePipeline

/// What a network does to traffic, in addition to whether it is open: evidence, and never a verdict.
///
/// A pipeline asks whether UDP port 443 passes, whether IPv6 does, for the prefix of NAT64 (RFC 7050), and for names by
/// which a network states a policy. It ends after ``limit`` at the latest.
package struct NetworkConditions: Sendable {
  /// The maximum duration of the pipeline.
  package static let limit = Duration.seconds(2)

  package let plan: ProbePlan
  private let runner: PipelineRunner
  private let hasRoute: @Sendable (IPAddress) -> Bool

  /// Creates the pipeline.
  ///
  /// - Parameters:
  ///   - plugins: The transports and validators; they need DNS, TCP and UDP.
  ///   - clock: The clock of the run.
  ///   - hasRoute: Whether this machine has a route to an address.
  ///   - change: Changes the pipeline, such as by the options of a command.
  /// - Throws: `UnusablePipeline` if these plugins or options do not support it.
  package init(
    _ plugins: PluginRegistry, clock: any Clock<Duration> = ContinuousClock(),
    hasRoute: @escaping @Sendable (IPAddress) -> Bool,
    changing change: @escaping @Sendable (inout Pipeline) -> Void = { _ in }
  ) throws(UnusablePipeline) {
    var loaded = PipelineLoader(plugins).load(path: "conditions.yaml", bytes: Self.file(QUICGreeting()))
    loaded.change {
      change(&$0)
      $0.overrides.append(
        RequestSetting { request, _ in request.timeout = min(request.timeout, Self.limit) })
    }
    var plan = try loaded.plan()
    plan.stopsEarly = false
    self.plan = plan
    runner = PipelineRunner(plugins.transports, clock: clock)
    self.hasRoute = hasRoute
  }

  /// The pipeline file with the packets of a greeting.
  static func file(_ greeting: QUICGreeting) -> [UInt8] {
    Array(
      String(decoding: PackageResources.conditions_yaml, as: UTF8.self)
        .replacingFirst("UDP_INITIAL", with: "\"\(greeting.packet.hexText)\"")
        .replacingFirst("UDP_RESPONSE", with: "\"\(greeting.response.hexText)\"").utf8)
  }

  /// The results of a run of the pipeline.
  package struct Observation: Sendable {
    /// The probes by the names of their sets, in the order of the plan, with all that was received.
    let probes: [String: [ProbeResult]]
  }

  /// Runs the pipeline.
  ///
  /// - Parameter progress: Receives each result.
  /// - Returns: The results.
  package func run(progress: (@Sendable (ProbeResult) -> Void)? = nil) async -> Observation {
    let names = plan.sets.flatMap { Array(repeating: $0.name, count: $0.probes.count) }
    // The result of the run no longer has the records of DNS.
    let found = Guarded([ProbeResult?](repeating: nil, count: names.count))
    _ = await runner.run(plan) { index, probe in
      found.withLock { $0[index] = probe }
      progress?(probe)
    }
    let pairs = zip(names, found.withLock(\.self)).compactMap { name, probe in probe.map { (name, [$0]) } }
    return Observation(probes: Dictionary(pairs, uniquingKeysWith: +))
  }

  /// The conditions that a run of the pipeline shows.
  ///
  /// - Parameters:
  ///   - observation: The results of the run.
  ///   - probeKitRun: The run that found the verdict. Where nothing passes, it is no news that UDP and IPv6 do not.
  /// - Returns: The evidence.
  package func evidence(of observation: Observation, beside probeKitRun: RunResult) -> [Evidence] {
    ConditionFindings(observation, beside: probeKitRun, hasRoute: hasRoute).evidence
  }
}

/// A packet to which every server of QUIC responds with the versions that it supports (RFC 8999 §6, RFC 9000 §6).
struct QUICGreeting: Sendable {
  /// The packet: an Initial of a version that is reserved for this purpose (RFC 9000 §15), with the length that a server
  /// requires before it responds (RFC 9000 §14.1).
  let packet: [UInt8]
  /// The beginning of the response after its first byte: version 0, and the connection IDs of the packet, exchanged.
  let response: [UInt8]

  /// Creates a greeting with unpredictable connection IDs, which only a recipient can repeat.
  init() {
    let ids = (0..<16).map { _ in UInt8.random(in: 0 ... .max) }
    let (destination, source) = ([8] + ids[..<8], [8] + ids[8...])
    let head: [UInt8] = [0xC0, 0x1A, 0x2A, 0x3A, 0x4A] + destination + source
    packet = head + [UInt8](repeating: 0, count: 1200 - head.count)
    response = [0, 0, 0, 0] + source + destination
  }
}

extension String {
  fileprivate func replacingFirst(_ old: String, with new: String) -> String {
    split(separator: old, maxSplits: 1, omittingEmptySubsequences: false).joined(separator: new)
  }
}
