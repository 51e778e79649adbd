internal import EngineProfiles
internal import FoundationEssentials
import PortalAnalysis
internal import ProbeCore
import ProbeJSON
import ProbeBase
internal import ProbePipeline

/// Names and lookups.
extension NetworkSurvey {
  func nameAccess(_ facts: PortalFacts) async -> [NameAccess] {
    guard !names.isEmpty else { return [] }
    let classifier = AccessClassifier(facts)
    var results: [NameAccess] = []
    for chunk in stride(from: 0, to: min(names.count, Self.maximumNames), by: 16) {
      guard !Task.isCancelled else { break }
      let part = Array(names[chunk..<min(chunk + 16, names.count, Self.maximumNames)])
      results += await withTaskGroup(of: (Int, NameAccess).self) { group in
        for (index, name) in part.enumerated() {
          group.addTask { (index, await access(to: name, classifier)) }
        }
        var found: [(Int, NameAccess)] = []
        for await result in group { found.append(result) }
        return found.sorted { $0.0 < $1.0 }.map(\.1)
      }
    }
    return results
  }

  private func access(to name: String, _ classifier: AccessClassifier) async -> NameAccess {
    var access = NameAccess(name: name)
    func response(_ text: String) async -> Result<ProbeResponse, ProbeFailure>? {
      guard let url = try? ProbeURL(text) else { return nil }
      return await self.response(to: request(for: url), over: transports)
    }
    async let http = response("http://\(name)/")
    async let https = response("https://\(name)/")
    async let dns = isLiveNetwork ? response("dns:///\(name)?type=A") : nil
    if let response = await http {
      access.http = classifier.http(response) { transports.encryption(of: $0) }
    }
    if let response = await https { access.https = classifier.https(response) }
    if let response = await dns { access.dns = classifier.dns(response) }
    return access
  }

  func nameLookups() async -> [NameLookup] {
    guard isLiveNetwork, let probeKit else { return [] }
    var hosts: [String] = []
    for probe in probeKit.plan.probes {
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
          return NameLookup(
            name: host, addresses: found.compactMap { IPAddress($0.data) }, timeToLive: shortest)
        }
      }
      var lookups: [NameLookup] = []
      for await case let lookup? in group { lookups.append(lookup) }
      return lookups.sorted { $0.name < $1.name }
    }
  }
}
