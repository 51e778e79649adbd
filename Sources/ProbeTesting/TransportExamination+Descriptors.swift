internal import ProbeCore

extension TransportExamination {
  private static let count = 20

  /// Nothing stays open.
  ///
  /// Other tests of the same process open and close descriptors too. A leak is what comes with the probes, one for at
  /// least every second of them, does not go away for as long as patience lasts, and happens again.
  mutating func checkDescriptors() async {
    guard OpenDescriptors.now != nil else {
      return report.skip(.transportDescriptors, because: "the system does not tell which ones are open")
    }
    report.check(.transportDescriptors)
    // Probes that are known not to end would be waited for in vain.
    let allEnd = !report.violations.contains {
      [.transportCancellation, .transportTimeout].contains($0.rule)
    }
    for scenario in endingScenarios + (allEnd ? silentScenarios : []) {
      guard await descriptorsLeft(by: scenario) >= Self.count / 2 else { continue }
      let left = await descriptorsLeft(by: scenario)
      guard left >= Self.count / 2 else { continue }
      report.violate(.transportDescriptors, "\(left) open after \(Self.count) probes", on: scenario.name)
      // The others would be waited for in vain as well.
      return
    }
  }

  private func descriptorsLeft(by scenario: TransportScenario) async -> Int {
    let isSilent = scenario.kind == .neverAnswers
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
    for probe in probes { _ = await probe.ending(patience: request.timeout + patience) }

    let end = ContinuousClock.now + patience
    var left = (OpenDescriptors.now ?? []).subtracting(before)
    while left.count >= Self.count / 2, ContinuousClock.now < end {
      try? await Task.sleep(for: .milliseconds(5))
      left.formIntersection(OpenDescriptors.now ?? [])
    }
    return left.count
  }
}
