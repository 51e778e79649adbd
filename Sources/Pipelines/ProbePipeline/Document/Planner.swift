import ProbeCore
import SourceDocuments

/// Turns a pipeline into a plan, and collects every problem.
struct Planner {
  let pipeline: Pipeline
  private let transports: TransportRegistry
  private let context: RequestContext
  private let readsResources: Bool
  private var problems: [InvalidPlan.Problem] = []
  /// The maximum number of problems; the search stops there.
  private static let limit = SourceFindings.limit
  /// Problems that were already reported and would recur for every other request.
  private var reported: Set<String> = []
  /// The previous request; the next one often has the same options and shares them.
  private var last: ProbeRequest?

  /// Creates a planner.
  ///
  /// - Parameters:
  ///   - pipeline: The pipeline.
  ///   - transports: The transports of its probes.
  ///   - context: How to read secrets and resolve paths.
  ///   - readsResources: Whether to check the files that requests name, and the permission for programs.
  init(
    _ pipeline: Pipeline, over transports: TransportRegistry, in context: RequestContext,
    readsResources: Bool = true
  ) {
    self.pipeline = pipeline
    self.transports = transports
    self.context = context.rememberingSecrets()
    self.readsResources = readsResources
  }

  /// Makes the plan.
  ///
  /// - Throws: ``InvalidPlan`` with every problem.
  mutating func plan() throws(InvalidPlan) -> ProbePlan {
    let capport = capport()
    let connection = connectionOfCapport()
    var sets: [PlannedSet] = []
    for index in pipeline.sets.indices { sets.append(set(index)) }
    // Parts were left out, which would cause misleading problems.
    guard problems.count < Self.limit else { throw InvalidPlan(problems) }
    do throws(InvalidPlan) {
      var plan = try ProbePlan(
        name: pipeline.name, question: pipeline.question, policy: pipeline.policy, sets: sets,
        success: pipeline.success,
        run: pipeline.limits, capport: capport, asksAnnouncedCapport: pipeline.asksAnnouncedCapport,
        asksCapportFirst: pipeline.asksCapportFirst, decide: pipeline.decide,
        stopsEarly: pipeline.stopsEarly)
      plan.connectionOfCapport = connection
      if problems.isEmpty { return plan }
    } catch {
      problems += error.problems
    }
    throw InvalidPlan(problems)
  }

  mutating func add(
    _ problem: InvalidInput, set: Int? = nil, target: Int? = nil, field: String? = nil,
    override: String? = nil
  ) {
    problems.append(
      InvalidPlan.Problem(set: set, target: target, field: field, override: override, problem))
  }

  /// Adds a problem with a setting, or with a whole request where no setting is the cause.
  ///
  /// A setting's problem recurs for each URL of its layer, and is reported once.
  private mutating func add(
    _ problem: InvalidInput, of setting: RequestSetting?, in layer: SettingLayers.Layer
  ) {
    let key = setting?.option ?? setting?.key
    guard reported.insert("\(layer.set ?? -1) \(layer.target ?? -1) \(key ?? "") \(problem)").inserted else {
      return
    }
    if let option = setting?.option { return add(problem, override: option) }
    add(problem, set: layer.set, target: layer.target, field: key.map { "request.\($0)" } ?? "request")
  }
}

extension Planner {
  private mutating func capport() -> ProbeURL? {
    guard let text = pipeline.capport else { return nil }
    do throws(InvalidInput) {
      return try ProbeURL(text)
    } catch {
      add(error, field: "policy.capport")
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
    check(set.labels, set: index)
    var planned = PlannedSet(
      name: set.name, threshold: set.threshold, required: set.isRequired, start: set.start, probes: probes)
    (planned.labels, planned.policy) = (set.labels, set.policy)
    planned.isSequence = set.isSequence
    if set.isSequence { checkSteps(index, probes) }
    return planned
  }

  private mutating func check(_ labels: [String: String], set: Int, target: Int? = nil) {
    for name in labels.keys.sorted() {
      do throws(InvalidInput) { try LabelName.check(name) } catch {
        add(error, set: set, target: target, field: "labels.\(name)")
      }
    }
  }

  /// The probes of one URL, one for each family.
  private mutating func probes(
    _ index: Int, _ position: Int, _ ofSet: inout SharedJudge
  ) -> [PlannedProbe] {
    let set = pipeline.sets[index]
    let target = set.targets[position]
    var judge = target.judge.map { SharedJudge($0) } ?? ofSet
    check(target.labels, set: index, target: position)
    let labels = target.labels.isEmpty ? set.labels : set.labels.merging(target.labels) { $1 }
    func failing(_ problem: InvalidInput) -> [PlannedProbe] {
      let failure = ProbeFailure(.invalidRequest, problem.descriptionWithOffset)
      var probe = PlannedProbe(url: target.url, failure: failure)
      (probe.name, probe.labels) = (target.name, labels)
      return Array(repeating: probe, count: max(1, set.families.count))
    }
    if let mistake = target.mistake { return failing(mistake) }
    guard let request = request(index, position, judge) else {
      // Only the number of these probes matters; they are never run.
      return failing(InvalidInput("it cannot be planned"))
    }
    defer { if target.judge == nil { ofSet = judge } }
    if set.families != [nil], request.url.scheme == .check {
      add(
        InvalidInput(
          "the set has a check, and an address family cannot be set for a program",
          remedy: "omit families, or put the check into a set of its own"), set: index, field: "families")
    }
    return set.families.map { family in
      var request = request
      if let family { request.family = family }
      var probe = judge.probe(url: target.url, request: request)
      (probe.name, probe.labels, probe.family) = (target.name, labels, family)
      return probe
    }
  }

  /// The request for one URL; nil if it is not valid.
  private mutating func request(_ index: Int, _ position: Int, _ judge: SharedJudge) -> ProbeRequest? {
    let set = pipeline.sets[index]
    let target = set.targets[position]
    var request: ProbeRequest
    let transport: any ProbeTransport
    do throws(InvalidInput) {
      let url =
        if let parsed = target.parsedURL { parsed } else { try ProbeURL(target.secretURL ?? target.url) }
      // A line of a list fails as a probe, so that the other lines are still probed.
      if target.isListItem, transports[url.scheme] == nil { return ProbeRequest(url) }
      transport = try self.transport(for: url)
      if !target.isListItem, let encryption = transports.encryption(of: url.scheme),
        !(set.policy ?? pipeline.policy).allows(encryption)
      {
        add(plaintext(url, target, ofSet: set.policy != nil), set: index, target: position, field: "url")
      }
      // The URL of a check starts nothing by itself.
      if transport is any ProgramTransport, url.scheme != .check, needsPermission {
        throw .programsNotAllowed
      }
      request = ProbeRequest(url)
      if !set.isSequence, target.url.utf8.contains(UInt8(ascii: "{")),
        let value = StepReference.all(in: target.url).first
      {
        throw InvalidInput(
          "\(value) is for steps", remedy: "put the URL under steps, after the step with the value")
      }
      request.policy = set.policy
      checkJudge(judge, of: url, index, position)
    } catch {
      add(error, set: index, target: position, field: "url")
      return nil
    }
    let layers = SettingLayers(pipeline, set: index, target: position)
    var isWhole = apply(layers, to: &request)
    if request[ProgramCheck.self]?.program.arguments.isEmpty == false, needsPermission {
      add(.programsNotAllowed, set: index, target: position, field: "check")
      isWhole = false
    }
    guard isWhole else { return nil }
    request.otherSecrets += pipeline.secrets
    request.expectation = judge.expectation ?? request.expectation
    if judge.judges.contains(.program) || transport is any ProgramTransport {
      request[ProgramContext.self] = context.programContext
    }
    do throws(InvalidInput) {
      request.url = try request.url.adding(request.http.query)
      try check(request, transport, isStep: set.isSequence)
      if let last { request.share(with: last) }
      last = request
      return request
    } catch {
      // An error in a setting of the pipeline or of the set recurs for each of their URLs.
      let (everywhere, inSet) = ("request \(error)", "request of \(index) \(error)")
      guard reported.isDisjoint(with: [everywhere, inSet]) else { return nil }
      guard let (layer, setting) = layers.cause(of: error) else {
        if target.isListItem { return request }
        add(error, set: index, target: position, field: "request")
        return nil
      }
      if layer.target == nil { reported.insert(layer.set == nil ? everywhere : inSet) }
      add(error, of: setting, in: layer)
      return nil
    }
  }

  /// Whether programs would be started and are not allowed.
  private var needsPermission: Bool { readsResources && context.programs == nil }

  private func plaintext(_ url: ProbeURL, _ target: ProbeTarget, ofSet: Bool) -> InvalidInput {
    let message = "\(url.scheme) is not encrypted, and the policy is HTTPS-only"
    if case .argument = target.origin {
      return InvalidInput(message, remedy: "add --allow-http to probe it")
    }
    let other = url.scheme == .http ? "use https, or allow it" : "allow it"
    return InvalidInput(
      message, remedy: "\(other) for the \(ofSet ? "set" : "whole pipeline") with policy: { https: optional }"
    )
  }

  private func check(
    _ planned: ProbeRequest, _ transport: any ProbeTransport, isStep: Bool
  ) throws(InvalidInput) {
    // Values of earlier steps are not known yet, so a value that is valid everywhere replaces them.
    let request = isStep ? planned.filled { _ in "x" } : planned
    try transport.check(request)
    guard readsResources else { return }
    do throws(InvalidInput) { try transport.checkFiles(of: request) } catch { throw error.ofFile }
  }

  /// Reports a judge of parts that responses of the URL's protocol do not have.
  private mutating func checkJudge(
    _ judge: SharedJudge, of url: ProbeURL, _ index: Int, _ position: Int
  ) {
    let target = pipeline.sets[index].targets[position]
    let level = target.judge == nil ? nil : position
    let missing = judge.judges.intersection(url.scheme.missingParts)
    guard !missing.isEmpty, !target.isListItem, reported.insert("\(index) \(level ?? -1) judge").inserted
    else { return }
    let isFromArguments = pipeline.sets[index].arguments[judge.field] != nil
    let (parts, remedy) =
      missing.contains(.http)
      ? (
        "only HTTP responses have a status, header fields and redirects",
        "judge its bytes, such as by contains"
      )
      : missing.contains(.dns)
        ? ("only DNS responses have records", "use a dns URL")
        : ("only ICMP probes measure loss", "use an icmp URL")
    let article = [.http, .https, .icmp].contains(url.scheme) ? "an" : "a"
    let problem = InvalidInput(
      "\(parts), and \(Excerpt(target.url)) is \(article) \(url.scheme) URL",
      remedy: isFromArguments
        ? "omit the option, or check this URL separately" : "\(remedy), or put the URL into a set of its own")
    add(problem, set: index, target: level, field: judge.field)
  }

  private func transport(for url: ProbeURL) throws(InvalidInput) -> any ProbeTransport {
    guard let transport = transports[url.scheme] else {
      let known = transports.schemesOfURLs.map(\.name)
      let nearest = nearestName(to: url.scheme.name, among: known).map { "did you mean \($0)?" }
      throw InvalidInput(
        "the scheme \(url.scheme) is unknown",
        remedy: nearest ?? "use one of \(known.joined(separator: ", "))")
    }
    return transport
  }

  /// Applies settings to a request.
  ///
  /// - Returns: Whether all of them could be applied.
  private mutating func apply(_ layers: SettingLayers, to request: inout ProbeRequest) -> Bool {
    var isWhole = true
    for layer in layers.layers {
      for setting in layer.settings {
        do throws(InvalidInput) {
          try setting.apply(to: &request, in: context)
        } catch {
          isWhole = false
          add(error, of: setting, in: layer)
        }
      }
    }
    return isWhole
  }

  /// The connection settings of the overrides for the request to the captive-portal API: where to connect, the DNS
  /// server, the authorities to trust, and the timeout.
  private mutating func connectionOfCapport() -> ProbePlan.Connection {
    var connection = ProbePlan.Connection()
    guard !pipeline.overrides.isEmpty, let url = try? ProbeURL("https://example.com/"),
      let transport = transports[url.scheme]
    else { return connection }
    var request = ProbeRequest(url)
    for setting in pipeline.overrides {
      // A setting for other schemes does not apply; its problems are reported for its own URLs.
      try? setting.apply(to: &request, in: context)
    }
    connection.rules = request.connectTo
    connection.resolver = request.resolver
    connection.authorities = request.tls.additionalAuthorities
    connection.timeout = request.timeout
    do throws(InvalidInput) {
      // A file of authorities that is not usable is an error even if every URL is plain HTTP.
      try check(request, transport, isStep: false)
    } catch {
      let cause = SettingLayers(ofOptions: pipeline.overrides).cause(of: error)
      if let (layer, setting) = cause { add(error, of: setting, in: layer) }
    }
    return connection
  }
}
