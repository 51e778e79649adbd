package import ProbeCore
import SourceDocuments
package import ProbePipeline

/// The plan of a scan: how to probe any URL with the settings and validators of a pipeline's sets.
///
/// The URLs of the pipeline itself are not probed. A probe of a URL is a copy of the template for its scheme, which is
/// planned once, so that a line costs next to nothing.
package struct ScanPlan: Sendable {
  /// The probes that lines are copies of.
  private struct Templates {
    var labels: [String: String] = [:]
    /// The template for each scheme, or the reason why there is none.
    var ofScheme: [URLScheme: Result<PlannedProbe, InvalidInput>] = [:]
  }

  /// The question that the outcomes decide.
  let question: Question
  /// The kinds of exchanges that are allowed.
  let policy: ProbePolicy
  /// The limits of the pipeline.
  package let limits: RunLimits
  /// One template for each set and scheme.
  var probes: [PlannedProbe] {
    sets.values.flatMap(\.ofScheme.values).compactMap { try? $0.get() }
  }
  private var sets: [String: Templates] = [:]
  /// The set of lines that name none.
  let firstSet: String

  /// Plans a scan, and reads the secrets and files that the pipeline names.
  ///
  /// - Parameters:
  ///   - loaded: The pipeline.
  ///   - transports: The transports of the probes.
  ///   - context: How to read secrets.
  /// - Throws: ``UnusablePipeline`` with every error.
  package init(
    _ loaded: LoadedPipeline, over transports: TransportRegistry, in context: RequestContext
  ) throws(UnusablePipeline) {
    // A setting may be for one kind of URL only, such as a dialog, so one scheme has to work, not every one.
    let schemes = [.https] + transports.schemes.filter { $0 != .https }
    let plans = schemes.map { scheme in
      Result { () throws(UnusablePipeline) in
        var variant = loaded
        variant.change { $0.useTemplate(for: scheme) }
        return try variant.plan(in: context)
      }
    }
    let plan = try (plans.first { (try? $0.get()) != nil } ?? plans[0]).get()
    (question, policy, limits) = (plan.question, plan.policy, plan.run)
    let usableSets = plan.sets.filter { !$0.isSequence }
    if let problem = Self.problem(in: plan.sets) { throw loaded.unusable(problem) }
    firstSet = usableSets.first?.name ?? ""
    for set in usableSets {
      var templates = Templates(labels: set.labels)
      for (scheme, plan) in zip(schemes, plans) {
        templates.ofScheme[scheme] = plan.mapError(\.firstProblem).flatMap { plan in
          guard let probe = plan.sets.first(where: { $0.name == set.name })?.probes.first else {
            return .failure(InvalidInput("it cannot be planned"))
          }
          return .success(probe)
        }
      }
      sets[set.name] = templates
    }
  }

  private static func problem(in sets: [PlannedSet]) -> InvalidInput? {
    guard sets.contains(where: { !$0.isSequence }) else {
      return InvalidInput(
        "every set has steps, and a scan makes a single request for each line",
        remedy: "add a set with urls, whose settings and validators the scan uses")
    }
    guard let set = sets.first(where: { !$0.isSequence && $0.probes.count > 1 }) else { return nil }
    return InvalidInput(
      "the set \(Excerpt(set.name)) has several address families, and a scan makes a single request for each line",
      remedy: "give it one family, or a set for each family")
  }

  /// The probe of a line, or one that fails without a request.
  package func probe(for line: ScanLine) -> PlannedProbe {
    let set = line.set ?? firstSet
    let templates = sets[set]
    var probe: PlannedProbe
    do throws(InvalidInput) {
      guard let templates else { throw unknownSet(set) }
      probe = try self.probe(for: line, templates)
    } catch {
      // The detail includes the remedy, which the reader of a long report needs.
      probe = PlannedProbe(
        url: line.url,
        failure: ProbeFailure(.invalidRequest, "line \(line.number): \(error.descriptionWithOffset)"))
    }
    probe.labels = templates?.labels ?? [:]
    if !line.labels.isEmpty { probe.labels.merge(line.labels) { $1 } }
    return probe
  }

  private func probe(for line: ScanLine, _ templates: Templates) throws(InvalidInput) -> PlannedProbe {
    let url = try line.target.get()
    // An unknown scheme fails with the message of the prober.
    guard let template = templates.ofScheme[url.scheme] else {
      return PlannedProbe(url: line.url, request: ProbeRequest(url))
    }
    let probe = try template.get()
    var request = try probe.request.mapError { InvalidInput($0.detail) }.get()
    request.url = try url.adding(request.http.query)
    request.cookies = ProbeCookies(for: request)
    return PlannedProbe(url: line.url, request: request, judgedAs: probe)
  }

  private func unknownSet(_ name: String) -> InvalidInput {
    InvalidInput(
      "there is no set \(Excerpt(name)) with urls",
      remedy: nearestName(to: name, among: Array(sets.keys)).map { "did you mean \($0)?" }
        ?? "name a set of the pipeline")
  }
}

extension Pipeline {
  /// Replaces the URLs of each set by a template for a scheme.
  fileprivate mutating func useTemplate(for scheme: URLScheme) {
    for index in sets.indices where !sets[index].isSequence {
      var target = ProbeTarget("\(scheme)://\(Self.templateHost)\(scheme.templateRest)")
      target.parsedURL = try? ProbeURL(target.url)
      // Its settings count, not its URL.
      target.isListItem = true
      target.origin = sets[index].origin
      sets[index].targets = [target]
    }
  }

  /// A name that does not exist (RFC 2606 §2), and is never looked up.
  private static let templateHost = "template.invalid"
}

extension URLScheme {
  /// The part of a template's URL after the host.
  fileprivate var templateRest: String {
    switch self {
    case .http, .https: "/"
    case .icmp: ""
    case .dns, .dnsTLS, .dnsHTTPS: "/template.invalid?type=A"
    default: ":9"
    }
  }
}

extension UnusablePipeline {
  fileprivate var firstProblem: InvalidInput {
    InvalidInput(findings.first?.description ?? "it cannot be planned")
  }
}
