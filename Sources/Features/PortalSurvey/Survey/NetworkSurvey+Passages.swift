internal import EngineProfiles
internal import FoundationEssentials
import PortalAnalysis
internal import ProbeCore
import ProbeJSON
import ProbeBase
internal import ProbePipeline

/// Names, lookups and leaks.
extension NetworkSurvey {
  func passages(_ facts: PortalFacts) async -> [NamePassage] {
    guard !names.isEmpty else { return [] }
    let classifier = PassageClassifier(facts)
    var passages: [NamePassage] = []
    for chunk in stride(from: 0, to: min(names.count, Self.maximumNames), by: 16) {
      guard !Task.isCancelled else { break }
      let part = Array(names[chunk..<min(chunk + 16, names.count, Self.maximumNames)])
      passages += await withTaskGroup(of: (Int, NamePassage).self) { group in
        for (index, name) in part.enumerated() {
          group.addTask { (index, await passage(of: name, classifier)) }
        }
        var found: [(Int, NamePassage)] = []
        for await passage in group { found.append(passage) }
        return found.sorted { $0.0 < $1.0 }.map(\.1)
      }
    }
    return passages
  }

  private func passage(of name: String, _ classifier: PassageClassifier) async -> NamePassage {
    var passage = NamePassage(name)
    func response(_ text: String) async -> Result<ProbeResponse, ProbeFailure>? {
      guard let url = try? ProbeURL(text) else { return nil }
      return await self.response(to: request(for: url), over: transports)
    }
    async let http = response("http://\(name)/")
    async let https = response("https://\(name)/")
    async let dns = looksUpNames ? response("dns:///\(name)?type=A") : nil
    if let response = await http {
      passage.http = classifier.http(response) { transports.encryption(of: $0) }
    }
    if let response = await https { passage.https = classifier.https(response) }
    if let response = await dns { passage.dns = classifier.dns(response) }
    return passage
  }

  func nameLookups() async -> [NameLookup] {
    guard looksUpNames, let own = engines.first(where: { $0.profile.name == EngineProfile.own.name }) else {
      return []
    }
    var hosts: [String] = []
    for probe in own.plan.probes {
      guard case .success(let request) = probe.request, request.url.scheme == .http,
        request.url.address == nil,
        request.connectTo.isEmpty, request.proxy == nil, !hosts.contains(request.url.host)
      else { continue }
      hosts.append(request.url.host)
    }
    return await withTaskGroup(of: NameLookup?.self) { group in
      for host in hosts.prefix(4) {
        group.addTask {
          guard let url = try? ProbeURL("dns:///\(host)?type=A"),
            let records = try? await response(to: request(for: url), over: transports).get().dns?.answer
          else { return nil }
          let found = records.filter { $0.type == "A" }
          guard let shortest = found.map(\.timeToLive).min() else { return nil }
          return NameLookup(host, found.compactMap { IPAddress($0.data) }, timeToLive: shortest)
        }
      }
      var lookups: [NameLookup] = []
      for await case let lookup? in group { lookups.append(lookup) }
      return lookups.sorted { $0.name < $1.name }
    }
  }

  func leakProbes() async -> [LeakProbe] {
    guard let server = leakServer else { return [] }
    let controls = LeakProbe.urls(of: LeakProbe.nowhere)
    return await withTaskGroup(of: (Int, LeakProbe).self) { group in
      for (index, url) in LeakProbe.urls(of: server).enumerated() {
        group.addTask {
          async let control = passes(controls[index])
          let passes = await passes(url)
          // A network that accepts connections to anything shows nothing about the server.
          let isForAnything = await control == true
          return (index, LeakProbe(url: url, passes: passes == true && isForAnything ? nil : passes))
        }
      }
      var probes: [(Int, LeakProbe)] = []
      for await probe in group { probes.append(probe) }
      return probes.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }

  /// Whether something responds; nil if this machine could not try.
  private func passes(_ text: String) async -> Bool? {
    guard let url = try? ProbeURL(text) else { return nil }
    switch await response(to: request(for: url), over: transports) {
    // A forged response has addresses, and no other records.
    case .success(let response):
      return url.scheme.name != "dns" || response.dns?.answer.contains { $0.type == "TXT" } == true
    case .failure(let failure):
      return failure.reason == .invalidRequest || !failure.reason.traits.isDisjoint(with: .thisMachine)
        ? nil : false
    }
  }
}
