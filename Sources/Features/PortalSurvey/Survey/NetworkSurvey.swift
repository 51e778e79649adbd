package import EngineProfiles
package import FoundationEssentials
import PortalAnalysis
package import ProbeCore
import ProbeJSON
import ProbeBase
package import ProbePipeline

/// Surveys a network and its captive portal: runs the check of every engine, and requests the login page and the API.
///
/// Each distinct HTTP request of the engines is made once, even if several of them make it. The API is requested again
/// if it states how much of a session remains.
package struct NetworkSurvey: Sendable {
  /// The profile of an engine, and its plan.
  package typealias Engine = (profile: EngineProfile, plan: ProbePlan)

  /// The known announcements of a captive-portal API.
  package var announcements: [Announcement] = []
  /// The host names to test, at most ``maximumNames``.
  package var names: [String] = []
  /// The address or name of the user's own server, to find ways to bypass the portal; nil for no attempt.
  package var userServer: String?
  /// The settings of this machine that hide a portal.
  package var machine = MachineFacts()
  /// The time from before the first request to the API until the second one, which may be later.
  package var countdownInterval = Duration.milliseconds(1500)
  /// Whether the surveyed network is that of this machine; false in a replay, which has no lookups and no address families.
  package var isLiveNetwork = true
  /// What else to ask the network; nil for nothing, as in a replay.
  package var conditions: NetworkConditions?

  /// Called when the run of a profile ends, to show progress.
  package var profileFinished: @Sendable () -> Void = {}

  package static let maximumNames = 1000

  /// The engines; ``ProbeKit's own <EngineProfiles/EngineProfile/own>`` must be among them.
  let engines: [Engine]
  let transports: TransportRegistry
  private let clock: any Clock<Duration>
  private let now: @Sendable () -> Date

  /// Creates a survey.
  ///
  /// - Parameters:
  ///   - engines: The profiles with their plans.
  ///   - transports: The transports for all requests.
  ///   - clock: The clock for the runs.
  ///   - now: The time of day.
  package init(
    _ engines: [Engine], over transports: TransportRegistry, clock: any Clock<Duration> = ContinuousClock(),
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.engines = engines
    self.transports = transports
    self.clock = clock
    self.now = now
  }

  /// The text of the announcement that the engines use: the first one of an API.
  package var announcedText: String? {
    announcements.lazy.compactMap(\.text).first
  }
}

extension NetworkSurvey {
  /// Runs ProbeKit's own profile alone, to find out whether the network has changed.
  ///
  /// - Returns: The result.
  package func runProbeKitProfile() async -> RunResult? {
    guard let probeKit else { return nil }
    return await SharedExchanges.during(transports) { sharedTransports in
      await PipelineRunner(sharedTransports, clock: clock, now: now).run(announced(probeKit.plan))
    }
  }

  /// Surveys the network once.
  ///
  /// - Returns: The facts; nil if the task was cancelled.
  @concurrent
  package func survey() async -> PortalFacts? {
    await SharedExchanges.during(transports) { sharedTransports in
      let time = now()
      async let bypassAttempts = self.bypassAttempts()
      async let lookups = nameLookups()
      async let conditions = self.conditions?.run()
      async let families = familyRuns(over: sharedTransports)
      // Before the engines, which may request it too: the time limits of the first of equal requests apply.
      let start = ContinuousClock.now
      let api = await apiExchange(over: sharedTransports)
      let seen = Guarded<[String: InterceptedProbe]>([:])
      var runs = await run(over: sharedTransports, seen)
      guard let probeKitRun = runs.removeFirst(named: EngineProfile.own.name) else { return nil }
      var facts = PortalFacts(time: time, probeKitRun: probeKitRun.result)
      facts.engines = runs
      facts.intercepted = seen.withLock { $0.sorted { $0.key < $1.key }.map(\.value) }
      facts.announcements = announcements
      facts.machine = machine
      facts.api = api
      facts.login = await loginPage(facts, over: sharedTransports)
      await addRequests(to: &facts.login)
      await addOpenedPages(to: &facts, over: sharedTransports)
      if !facts.intercepted.isEmpty {
        facts.passingEndpoints = await passingEndpoints(over: sharedTransports)
      }
      facts.names = await nameAccess(facts)
      await addLaterResponse(to: &facts.api, since: start)
      facts.lookups = await lookups
      facts.families = await families
      if let observation = await conditions, let conditions = self.conditions {
        facts.conditions = conditions.evidence(of: observation, beside: facts.probeKitRun)
      }
      facts.bypassAttempts = await bypassAttempts
      return Task.isCancelled ? nil : facts
    }
  }

  /// ProbeKit's own profile with its plan.
  var probeKit: Engine? { engines.first { $0.profile.name == EngineProfile.own.name } }

  /// A plan with the network's announcement.
  private func announced(_ plan: ProbePlan) -> ProbePlan {
    var plan = plan
    plan.announcedCapport = announcedText
    return plan
  }

  private func run(
    over transports: TransportRegistry, _ seen: Guarded<[String: InterceptedProbe]>
  ) async -> [EngineRun] {
    await withTaskGroup(of: (Int, RunResult).self) { group in
      for (index, engine) in engines.enumerated() {
        var plan = announced(engine.plan)
        plan.stopsEarly = false
        group.addTask { [plan, clock, now] in
          let runner = PipelineRunner(transports, clock: clock, now: now)
          return (index, await runner.run(plan) { _, probe in seen.withLock { $0.add(probe) } })
        }
      }
      var results: [(Int, RunResult)] = []
      for await result in group {
        results.append(result)
        profileFinished()
      }
      return results.sorted { $0.0 < $1.0 }.map { EngineRun(profile: engines[$0].profile, result: $1) }
    }
  }

  /// Runs ProbeKit's own profile over each address family alone.
  private func familyRuns(over transports: TransportRegistry) async -> [FamilyRun] {
    guard isLiveNetwork, let probeKit else { return [] }
    return await withTaskGroup(of: FamilyRun.self) { group in
      for family in IPFamily.allCases {
        var plan = announced(probeKit.plan)
        plan.stopsEarly = false
        let transports = transports.wrapping { OneFamilyTransport(transport: $0, family: family) }
        group.addTask { [plan, clock, now] in
          let runner = PipelineRunner(transports, clock: clock, now: now)
          return FamilyRun(family: family, result: await runner.run(plan))
        }
      }
      var runs: [FamilyRun] = []
      for await run in group { runs.append(run) }
      return runs.sorted { $0.family.rawValue < $1.family.rawValue }
    }
  }

  /// A request with some settings of the first probe of the first engine.
  ///
  /// These are the time limits, address family, source, replaced addresses, proxy and certificate authorities. Those that
  /// the user chose are in every plan.
  func request(for url: ProbeURL) -> ProbeRequest {
    var request = ProbeRequest(url)
    guard let firstProbe = engines.first?.plan.probes.first, case .success(let model) = firstProbe.request
    else { return request }
    request.timeout = model.timeout
    request.connectTimeout = model.connectTimeout
    request.family = model.family
    request.source = model.source
    request.connectTo = model.connectTo
    request.proxy = model.proxy
    request.tls.additionalAuthorities = model.tls.additionalAuthorities
    request.tls.onlyAuthorities = model.tls.onlyAuthorities
    return request
  }

  private func prober(_ transports: TransportRegistry) -> Prober {
    Prober(transports, policy: .plaintextAllowed, clock: clock)
  }
}

/// The API and the login page.
extension NetworkSurvey {
  private func apiExchange(over transports: TransportRegistry) async -> APIExchange? {
    guard let url = announcedText.flatMap({ try? ProbeURL($0) }), [.http, .https].contains(url.scheme) else {
      return nil
    }
    return APIExchange(url: url, response: await response(to: apiRequest(for: url), over: transports))
  }

  private func apiRequest(for url: ProbeURL) -> ProbeRequest {
    var request = request(for: url)
    request.redirects = 3
    request.staysOffThisMachine = true
    request.http.headers = ["Accept": CapportDocument.mediaType]
    return request
  }

  /// Requests the API once more if it states how much of a session remains.
  private func addLaterResponse(to api: inout APIExchange?, since first: ContinuousClock.Instant) async {
    guard let exchange = api, let response = try? exchange.response.get(),
      let document = try? CapportDocument(response),
      document.timeRemaining != nil || document.bytesRemaining != nil
    else { return }
    try? await clock.sleep(for: max(.zero, countdownInterval - first.duration(to: .now)))
    // Not over the shared transports: the same request must be made again.
    api?.later = try? await self.response(to: apiRequest(for: exchange.url), over: transports).get()
    api?.interval = first.duration(to: .now)
  }

  private func loginPage(_ facts: PortalFacts, over transports: TransportRegistry) async -> FetchedPage? {
    guard let url = facts.loginURL else { return nil }
    let peer =
      facts.intercepted.first?.response.remoteAddress ?? (try? facts.api?.response.get())?.remoteAddress
    var request = request(for: url)
    request.redirects = 5
    request.restrictToRedirects(after: peer)
    return await page(request, over: transports)
  }

  /// The known endpoints without a profile that give their true response.
  private func passingEndpoints(over transports: TransportRegistry) async -> [KnownEndpoint] {
    await withTaskGroup(of: (Int, Bool).self) { group in
      for (index, endpoint) in KnownEndpoint.all.enumerated() {
        group.addTask {
          guard let url = try? ProbeURL(endpoint.url) else { return (index, false) }
          let received = try? await response(to: request(for: url), over: transports).get()
          return (index, received.map(endpoint.isTrue) ?? false)
        }
      }
      var passing: [Int] = []
      for await (index, passes) in group where passes { passing.append(index) }
      return passing.sorted().map { KnownEndpoint.all[$0] }
    }
  }

  /// The maximum number of hosts of a page to look up, and the maximum time for all of them.
  private static let lookupLimits = (hosts: 64, time: Duration.seconds(3))

  /// Adds what the page would request, with the addresses of the hosts; nothing is requested.
  private func addRequests(to login: inout FetchedPage?) async {
    guard let page = login?.received else { return }
    let scripts = PageReferences.requestsOfScripts(inPage: page).map {
      PageRequest($0.url, $0.isSocket ? .socket : .script)
    }
    let references = PageReferences(ofPage: page, inBrowser: true).references.filter { $0.kind != .page }.map
    {
      PageRequest($0.url, $0.kind == .frame ? .frame : .file)
    }
    // Those of scripts and frames are rare, and not at the end of a long list.
    var requests = scripts + references.filter { $0.purpose == .frame }
    requests += references.filter { $0.purpose == .file }
    let hosts = requests.filter { $0.addresses.isEmpty && $0.url.host != page.url.host }.map(\.url)
    let addresses = await addresses(of: hosts)
    for index in requests.indices where requests[index].addresses.isEmpty {
      requests[index].addresses = addresses[requests[index].url.host] ?? []
    }
    login?.requests = requests
    login?.isLiveNetwork = isLiveNetwork
  }

  /// The addresses of hosts, as the transport for their URLs finds them; without those that it does not find in time.
  private func addresses(of urls: [ProbeURL]) async -> [String: [IPAddress]] {
    var urlsByHost: [String: ProbeURL] = [:]
    for url in urls where urlsByHost.count < Self.lookupLimits.hosts {
      urlsByHost[url.host] = urlsByHost[url.host] ?? url
    }
    return await withTaskGroup(of: (String, [IPAddress]).self) { group in
      for (host, url) in urlsByHost {
        group.addTask {
          guard let finder = transports[url.scheme] as? any AddressFinding else { return (host, []) }
          var request = request(for: url)
          request.timeout = min(request.timeout, Self.lookupLimits.time)
          let found = try? await finder.addresses(for: request)
          return (host, found?.addresses.map(\.address) ?? [])
        }
      }
      var addresses: [String: [IPAddress]] = [:]
      for await (host, found) in group where !found.isEmpty { addresses[host] = found }
      return addresses
    }
  }

  /// Requests the URLs that engines open although they do not probe them, such as Windows.
  private func addOpenedPages(to facts: inout PortalFacts, over transports: TransportRegistry) async {
    for (index, run) in facts.engines.enumerated() {
      let probed = run.result.sets.flatMap(\.probes).compactMap { try? ProbeURL($0.url) }
      guard run.result.verdict == .captivePortal, let portal = run.result.portal, portal.source == .probeURL,
        !probed.contains(portal.loginURL)
      else { continue }
      // The URL is that of the profile and not from the network, so every address of its host is allowed.
      var request = request(for: portal.loginURL)
      request.staysOffThisMachine = true
      facts.engines[index].opened = await page(request, over: transports)
    }
  }

  /// Requests a page as a browser does.
  private func page(_ request: ProbeRequest, over transports: TransportRegistry) async -> FetchedPage {
    var request = request
    request.http.userAgent = FetchedPage.userAgent
    let response = await response(to: request, over: transports)
    return FetchedPage(
      url: request.url, response: response,
      analysis: (try? response.get()).map { page in
        ResponseAnalysis(of: page, asked: page.url) { transports.encryption(of: $0) }
      })
  }

  func response(
    to request: ProbeRequest, over transports: TransportRegistry
  ) async -> Result<ProbeResponse, ProbeFailure> {
    do throws(ProbeFailure) {
      return .success(try await prober(transports).probe(request))
    } catch {
      return .failure(error)
    }
  }
}

extension FetchedPage {
  /// The User-Agent field: that of a browser, because portals have separate pages for other clients.
  static let userAgent =
    "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0 ProbeKit/\(probeKitVersion)"
}

extension [String: InterceptedProbe] {
  /// Adds an unencrypted probe to which the network responded; only the first one for each URL.
  fileprivate mutating func add(_ probe: ProbeResult) {
    guard probe.outcome != .accepted, probe.encryption == .plaintext, self[probe.url] == nil,
      let response = probe.response, response.head != nil, !response.isFromThisMachine,
      let analysis = probe.analysis,
      // Otherwise it is an error, such as that of a server.
      probe.outcome == .intercepted || analysis.shown != nil
    else { return }
    self[probe.url] = InterceptedProbe(url: probe.url, response: response, analysis: analysis)
  }
}

extension KnownEndpoint {
  /// Whether a response is that of the true server.
  fileprivate func isTrue(_ response: ProbeResponse) -> Bool {
    guard !response.isFromThisMachine else { return false }
    return switch self.response {
    case .noContent: response.status == 204
    case .text(let text):
      response.status == 200
        && String(decoding: response.body.prefix(256), as: UTF8.self).split(whereSeparator: \.isWhitespace)
          == [text[...]]
    case .page(let text): response.status == 200 && response.body.firstRange(of: Array(text.utf8)) != nil
    }
  }
}

extension [EngineRun] {
  fileprivate mutating func removeFirst(named name: String) -> EngineRun? {
    firstIndex { $0.profile.name == name }.map { remove(at: $0) }
  }
}
