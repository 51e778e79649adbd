import ProbeCore
import SourceDocuments

/// Makes a plan of a pipeline, and finds everything that is wrong with it.
struct PlanBuilder {
  private typealias SettingLevel = (settings: [RequestSetting], set: Int?, target: Int?)

  private let pipeline: Pipeline
  private let transports: TransportRegistry
  private let context: RequestContext
  private let checksFiles: Bool
  private(set) var problems: [InvalidPlan.Problem] = []
  /// After so many problems no more are looked for.
  private static let limit = SourceFindings.limit
  /// What was told of a request that would be told of every other one as well.
  private var told: Set<String> = []
  /// The request made last; the next one often has the same options.
  private var last: ProbeRequest?

  /// A builder.
  ///
  /// - Parameters:
  ///   - pipeline: What to make a plan of; broken parts only count.
  ///   - transports: What the probes travel by.
  ///   - context: Where secrets and paths come from.
  ///   - checksFiles: Whether files that requests name are read and checked.
  init(
    _ pipeline: Pipeline, over transports: TransportRegistry, in context: RequestContext, checksFiles: Bool
  ) {
    self.pipeline = pipeline
    self.transports = transports
    self.context = context.rememberingSecrets()
    self.checksFiles = checksFiles
  }

  /// The plan.
  ///
  /// - Throws: ``InvalidPlan`` with everything that is wrong.
  mutating func plan() throws(InvalidPlan) -> ProbePlan {
    let capport = capport()
    var sets: [PlannedSet] = []
    for index in pipeline.sets.indices { sets.append(set(index)) }
    // The plan would be found wrong for what was left out.
    guard problems.count < Self.limit else { throw InvalidPlan(problems) }
    do throws(InvalidPlan) {
      let plan = try ProbePlan(
        name: pipeline.name, policy: pipeline.policy, sets: sets, success: pipeline.success,
        run: pipeline.limits, capport: capport, asksAnnouncedCapport: pipeline.asksAnnouncedCapport,
        asksCapportFirst: pipeline.asksCapportFirst, decide: pipeline.decide,
        stopsEarly: pipeline.stopsEarly)
      if problems.isEmpty { return plan }
    } catch {
      let isWhole = pipeline.sets.allSatisfy(\.brokenFields.isEmpty)
      problems += error.problems.filter { isTrue($0, isWhole: isWhole) }
    }
    throw InvalidPlan(problems)
  }

  /// Whether a problem of the plan is one of the pipeline, and not of what was put in the place of broken parts.
  private func isTrue(_ problem: InvalidPlan.Problem, isWhole: Bool) -> Bool {
    if let set = problem.set { return !pipeline.sets[set].brokenFields.contains(problem.field ?? "urls") }
    guard problem.rule != nil || problem.field == "success" else { return true }
    return isWhole
  }

  private mutating func add(
    _ problem: InvalidInput, set: Int? = nil, target: Int? = nil, field: String? = nil
  ) {
    problems.append(InvalidPlan.Problem(set: set, target: target, field: field, problem))
  }
}

extension PlanBuilder {
  private mutating func capport() -> ProbeURL? {
    guard let text = pipeline.capport else { return nil }
    do throws(InvalidInput) {
      return try ProbeURL(text)
    } catch {
      add(error, field: "capport")
      return nil
    }
  }

  private mutating func set(_ index: Int) -> PlannedSet {
    let set = pipeline.sets[index]
    var probes: [PlannedProbe] = []
    probes.reserveCapacity(set.targets.count * set.families.count)
    var judge = SharedJudge(set.judge)
    for position in set.targets.indices where problems.count < Self.limit {
      probes += self.probes(index, position, &judge)
    }
    var planned = PlannedSet(
      name: set.name, threshold: set.threshold, required: set.required, start: set.start, probes: probes)
    // No name that a file can give.
    if set.brokenFields.contains("name") { planned.name = "\u{0}\(index)" }
    if set.brokenFields.contains("urls") { planned.threshold = .all }
    return planned
  }

  /// The probes of one URL, one a family.
  private mutating func probes(
    _ index: Int, _ position: Int, _ ofSet: inout SharedJudge
  ) -> [PlannedProbe] {
    let set = pipeline.sets[index]
    let target = set.targets[position]
    var judge = target.judge.map { SharedJudge($0) } ?? ofSet
    guard !target.isBroken, let request = request(index, position, judge) else {
      let stand = PlannedProbe(
        url: target.url, failure: ProbeFailure(.invalidRequest, "it could not be read"))
      return Array(repeating: stand, count: max(1, set.families.count))
    }
    defer { if target.judge == nil { ofSet = judge } }
    return set.families.map { family in
      var request = request
      if let family { request.family = family }
      var probe = judge.probe(url: target.url, request: request)
      probe.family = family
      return probe
    }
  }

  /// The request of one URL; nil when something is wrong with it.
  private mutating func request(_ index: Int, _ position: Int, _ judge: SharedJudge) -> ProbeRequest? {
    let set = pipeline.sets[index]
    let target = set.targets[position]
    var request: ProbeRequest
    let transport: any ProbeTransport
    do throws(InvalidInput) {
      let url = try ProbeURL(target.url)
      transport = try self.transport(for: url)
      if pipeline.policy.httpsOnly, transports.encryption(of: url.scheme) != .encrypted {
        let other = url.scheme == .http ? "use https, or allow it" : "allow it"
        let problem = InvalidInput(
          "\(url.scheme) is not encrypted, and the policy is HTTPS-only",
          remedy: "\(other) for the whole pipeline with policy: { https: optional }")
        add(problem, set: index, target: position, field: "url")
      }
      request = ProbeRequest(url)
      checkJudge(judge, of: url, index, position)
    } catch {
      add(error, set: index, target: position, field: "url")
      return nil
    }
    let levels: [SettingLevel] = [
      (pipeline.settings, nil, nil), (set.settings, index, nil), (target.settings, index, position),
    ]
    var isWhole = true
    for level in levels {
      if !apply(level.settings, to: &request, set: level.set, target: level.target) { isWhole = false }
    }
    guard isWhole else { return nil }
    request.expectation = judge.expectation ?? request.expectation
    do throws(InvalidInput) {
      try check(request, transport)
      if let last { request.share(with: last) }
      last = request
      return request
    } catch {
      // What is wrong with a setting of the pipeline or of the set is wrong for each of their URLs.
      let (everywhere, inSet) = ("request \(error)", "request of \(index) \(error)")
      guard told.isDisjoint(with: [everywhere, inSet]) else { return nil }
      let place = culprit(levels, of: request.url, transport) ?? (index, position, nil)
      if place.target == nil { told.insert(place.set == nil ? everywhere : inSet) }
      if told.insert("\(place) \(error)").inserted {
        add(
          error, set: place.set, target: place.target, field: place.key.map { "request.\($0)" } ?? "request")
      }
      return nil
    }
  }

  private func check(_ request: ProbeRequest, _ transport: any ProbeTransport) throws(InvalidInput) {
    try transport.check(request)
    if checksFiles { try transport.checkFiles(of: request) }
  }

  /// The setting with which a request cannot be used any more; nil when it could not be without any.
  private func culprit(
    _ levels: [SettingLevel], of url: ProbeURL, _ transport: any ProbeTransport
  ) -> (set: Int?, target: Int?, key: String?)? {
    var request = ProbeRequest(url)
    do throws(InvalidInput) { try check(request, transport) } catch { return nil }
    for level in levels {
      for setting in level.settings {
        do throws(InvalidInput) {
          try setting.apply(to: &request, in: context)
          try check(request, transport)
        } catch {
          return (level.set, level.target, setting.key)
        }
      }
    }
    return nil
  }

  /// Tells of a judge that asks for what only HTTP has.
  private mutating func checkJudge(
    _ judge: SharedJudge, of url: ProbeURL, _ index: Int, _ position: Int
  ) {
    let target = pipeline.sets[index].targets[position]
    let level = target.judge == nil ? nil : position
    guard url.scheme == .tcp, judge.judgesHTTP,
      told.insert("\(index) \(level ?? -1) judge").inserted
    else { return }
    let problem = InvalidInput(
      "a status, header fields and redirects are what HTTP has, and \(Excerpt(target.url)) is a tcp URL",
      remedy: "judge its bytes, such as by contains, or put the URL into a set of its own")
    add(problem, set: index, target: level, field: "judge")
  }

  private func transport(for url: ProbeURL) throws(InvalidInput) -> any ProbeTransport {
    guard let transport = transports[url.scheme] else {
      let known = transports.schemes.map(\.name)
      let nearest = nearestName(to: url.scheme.name, among: known).map { "did you mean \($0)?" }
      throw InvalidInput(
        "the scheme \(url.scheme) is unknown",
        remedy: nearest ?? "use one of \(known.joined(separator: ", "))")
    }
    return transport
  }

  /// Applies settings.
  ///
  /// - Returns: Whether all of them could be.
  private mutating func apply(
    _ settings: [RequestSetting], to request: inout ProbeRequest, set: Int?, target: Int?
  ) -> Bool {
    var isWhole = true
    for setting in settings {
      do throws(InvalidInput) {
        try setting.apply(to: &request, in: context)
      } catch {
        isWhole = false
        // What is wrong with a setting of a set is wrong for each of its URLs.
        let place = "\(set ?? -1) \(target ?? -1) \(setting.key ?? "") \(error)"
        if told.insert(place).inserted {
          add(error, set: set, target: target, field: setting.key.map { "request.\($0)" } ?? "request")
        }
      }
    }
    return isWhole
  }
}
