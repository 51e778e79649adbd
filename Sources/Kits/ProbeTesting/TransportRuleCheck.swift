internal import Glibc
internal import ProbeCore

/// The check of a transport for one scheme.
struct TransportRuleCheck {
  let transport: any ProbeTransport
  let patience: Duration
  private let scenarios: [TransportScenario]
  var report: ConformanceReport

  init(
    _ transport: any ProbeTransport, _ subject: String, patience: Duration, scenarios: [TransportScenario]
  ) {
    self.transport = transport
    self.patience = patience
    self.scenarios = scenarios
    report = ConformanceReport(subject)
  }

  /// Checks every rule.
  mutating func run() async {
    checkSchemes()
    report.check(.transportScenarios)
    guard !respondingScenarios.isEmpty else {
      return report.violate(.transportScenarios, "no scenario that answers", on: "its scenarios")
    }
    checkRequests()
    await checkResponses()
    await checkRedirects()
    await checkEndlessBodies()
    await checkHugeHeads()
    await checkRefusals()
    await checkTimeouts()
    await checkCancellation()
    await checkManyAtOnce()
    await checkDescriptors()
    // It must still work after all other checks.
    await checkResponses(" at the end")
  }

  /// The scenarios of one kind; if there are none, the rule is recorded as not checked.
  mutating func scenarios(
    for rule: ConformanceRule, _ name: String, where isKind: (TransportScenario.Kind) -> Bool
  ) -> [TransportScenario] {
    let chosen = scenarios.filter { isKind($0.kind) }
    if chosen.isEmpty {
      report.skip(rule, because: "no scenario \(name)")
    } else {
      report.check(rule)
    }
    return chosen
  }

  /// The scenarios with a response, and their content.
  var respondingScenarios: [(scenario: TransportScenario, content: [UInt8])] {
    scenarios.compactMap { scenario in
      guard case .responds(let content) = scenario.kind else { return nil }
      return (scenario, content)
    }
  }

  /// All scenarios that end before the timeout.
  var endingScenarios: [TransportScenario] {
    scenarios.filter { $0.kind != .neverResponds }
  }

  /// The scenarios without a response.
  var silentScenarios: [TransportScenario] {
    scenarios.filter { $0.kind == .neverResponds }
  }

  private mutating func checkSchemes() {
    report.check(.transportSchemes)
    let schemes = transport.schemes
    if transport.schemes != schemes {
      report.violate(.transportSchemes, "they change", on: "its schemes")
    }
    for scheme in schemes.keys where (try? ProbeURL("\(scheme)://probe.example/"))?.scheme != scheme {
      report.violate(.transportSchemes, "\(Excerpt(scheme.name)) cannot stand in a URL", on: "its schemes")
    }
  }

  private mutating func checkRequests() {
    report.check(.transportCheck)
    for scenario in scenarios {
      do throws(InvalidInput) {
        try transport.check(scenario.request)
      } catch {
        report.violate(.transportCheck, error.description, on: scenario.name)
      }
    }
  }
}

extension TransportRuleCheck {
  private static let count = 20

  /// Checks that no descriptor stays open.
  ///
  /// Other tests in the same process open and close descriptors too. A leak is therefore one descriptor for
  /// at least every second probe that is still open after `patience`, twice in a row.
  mutating func checkDescriptors() async {
    guard OpenDescriptors.now != nil else {
      return report.skip(.transportDescriptors, because: "the system does not tell which ones are open")
    }
    report.check(.transportDescriptors)
    // Probes that are known to hang would hang again.
    let allEnd = !report.violations.contains {
      [.transportCancellation, .transportTimeout].contains($0.rule)
    }
    for scenario in endingScenarios + (allEnd ? silentScenarios : []) {
      guard await descriptorsLeft(by: scenario) >= Self.count / 2 else { continue }
      let left = await descriptorsLeft(by: scenario)
      guard left >= Self.count / 2 else { continue }
      report.violate(.transportDescriptors, "\(left) open after \(Self.count) probes", on: scenario.name)
      // The other scenarios would most likely leak and take as long.
      return
    }
  }

  private func descriptorsLeft(by scenario: TransportScenario) async -> Int {
    let isSilent = scenario.kind == .neverResponds
    let request = scenario.adjusted { request in
      request.maxBody = 1000
      if isSilent { request.timeout = patience * 4 }
    }
    let before = OpenDescriptors.now ?? []
    let probes = (0..<Self.count).map { _ in StartedProbe(request, over: transport) }
    if isSilent {
      try? await Task.sleep(for: .milliseconds(50))
      for probe in probes { probe.cancel() }
    }
    for probe in probes { _ = await probe.timedResult(patience: request.timeout + patience) }

    var left = (OpenDescriptors.now ?? []).subtracting(before)
    await SteppedDelay(patience).wait {
      left.formIntersection(OpenDescriptors.now ?? [])
      return left.count < Self.count / 2
    }
    return left.count
  }
}

/// The open file descriptors of this process, each with the file or socket it refers to.
enum OpenDescriptors {
  /// The open descriptors, or nil if the system does not provide them.
  static var now: Set<String>? {
    let path = "/proc/self/fd"
    guard let folder = unsafe opendir(path) else { return nil }
    defer { unsafe closedir(folder) }
    var found: Set<String> = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
        unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      // A number can be reused; the target distinguishes two sockets.
      guard !name.hasPrefix("."), let target = target(of: "\(path)/\(name)") else { continue }
      found.insert("\(name) \(target)")
    }
    return found
  }

  private static func target(of path: String) -> String? {
    var bytes = [CChar](repeating: 0, count: 256)
    let count = unsafe readlink(path, &bytes, bytes.count)
    guard count > 0 else { return nil }
    let target = String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    // The directory that is being read.
    return target.hasPrefix("/proc/") ? nil : target
  }
}
