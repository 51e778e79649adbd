internal import ProbeBase
internal import ProbeServer
internal import SourceDocuments
package import ProbeCore
package import ProbePipeline

/// The plan of a pipeline, and its variants for the values of requests; compared by identity.
package final class ServedPipeline: Sendable {
  /// The maximum number of probes in all cached plans.
  static let maximumProbes = 1024

  package let plan: ProbePlan
  /// The values from a request, by name.
  let values: [String: String]
  private let loaded: LoadedPipeline
  private let context: RequestContext
  /// The hosts and ports in the file.
  private let endpoints: Set<Endpoint>
  /// The cached plans of earlier requests, by their values.
  private let made = Guarded<[[String: String]: ServedPipeline]>([:])

  /// A host and a port.
  private struct Endpoint: Hashable {
    let host: String
    let port: UInt16?

    init(_ url: ProbeURL) { (host, port) = (url.host, url.port) }
  }

  /// A pipeline from a file.
  ///
  /// - Parameters:
  ///   - loaded: The file.
  ///   - context: The sources of secrets.
  /// - Throws: `UnusablePipeline` with every error, such as credentials without a declaration of the hosts
  ///   that may receive them.
  package convenience init(_ loaded: LoadedPipeline, in context: RequestContext) throws(UnusablePipeline) {
    let plan = try loaded.servedPlan(in: context)
    let urls = plan.probes.compactMap { try? $0.request.get().url } + [plan.capport].compactMap(\.self)
    self.init(plan, values: [:], of: loaded, in: context, endpoints: Set(urls.map(Endpoint.init)))
  }

  private init(
    _ plan: ProbePlan, values: [String: String], of loaded: LoadedPipeline, in context: RequestContext,
    endpoints: Set<Endpoint>
  ) {
    (self.plan, self.values, self.loaded, self.context) = (plan, values, loaded, context)
    self.endpoints = endpoints
  }

  /// The names that a request may set.
  var parameters: [String] { loaded.parameters.names }

  /// The only permitted hosts and addresses in addition to those in the file; nil for any.
  var targets: TargetRules? {
    guard let only = loaded.parameters.targets else { return nil }
    var rules = TargetRules(allowsPrivate: true, remedy: "see targets in the file of the pipeline")
    rules.only = only
    return rules
  }

  /// The number of cached plans.
  var keptPlans: Int { made.withLock(\.count) }

  /// Whether the file contains the host and the port of a URL.
  func names(_ url: ProbeURL) -> Bool { endpoints.contains(Endpoint(url)) }

  /// The pipeline with the values of a request.
  ///
  /// - Parameter values: Values by name; the name must be one of ``parameters``.
  /// - Returns: The pipeline.
  /// - Throws: `InvalidInput` if a value is invalid in a field where the file uses it.
  func setting(_ values: [String: String]) throws(InvalidInput) -> ServedPipeline {
    guard !values.isEmpty else { return self }
    if let known = made.withLock({ $0[values] }) { return known }
    for (name, value) in values.sorted(by: { $0.key < $1.key }) { try Self.check(value, of: name) }
    let plan: ProbePlan
    do throws(UnusablePipeline) {
      plan = try loaded.replacingVariables(with: values).plan(in: context)
    } catch {
      throw InvalidInput(error.findings[0].message, remedy: error.findings[0].remedy)
    }
    let pipeline = ServedPipeline(plan, values: values, of: loaded, in: context, endpoints: endpoints)
    made.withLock { made in
      let size = made.values.reduce(plan.probes.count) { $0 + $1.plan.probes.count }
      if size > Self.maximumProbes { made = [:] }
      if plan.probes.count <= Self.maximumProbes { made[values] = pipeline }
    }
    return pipeline
  }
}

extension ServedPipeline {
  /// Refuses a value that would be interpreted as more than text.
  private static func check(_ value: String, of name: String) throws(InvalidInput) {
    // It would refer to a value that an earlier step received.
    guard !value.contains(ReferenceSyntax.opening) else {
      throw InvalidInput("the value of \(name) has ${ in it", remedy: "a value is a text, not a template")
    }
    // These would lead to another folder of the server, wherever it has the value from.
    guard !PathPart(value.utf8).namesOtherFolder else {
      throw InvalidInput(
        "the value of \(name) contains the path segment . or .., or what servers read like it",
        remedy: "write the resolved path")
    }
  }
}

extension ServedPipeline: Hashable {
  /// Whether both are the same object.
  package static func == (left: ServedPipeline, right: ServedPipeline) -> Bool { left === right }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension ServedPipeline {
  /// The pipeline with the parameters of a request.
  ///
  /// - Parameters:
  ///   - query: The parameters.
  ///   - name: The name of the module.
  /// - Returns: The pipeline.
  /// - Throws: Status 400 if the pipeline does not have a parameter, or its value is invalid.
  func setting(
    _ query: [HTTPServiceRequest.Item], of name: String
  ) throws(HTTPServiceFailure) -> ServedPipeline {
    var values: [String: String] = [:]
    for parameter in query {
      guard parameters.contains(parameter.name) else {
        if (RequestParameters.reserved + ["target"]).contains(parameter.name) { continue }
        let known = parameters.isEmpty ? "params in its file lists none" : "use \(parameters.alternatives)"
        throw HTTPServiceFailure(
          status: 400, "the pipeline \(Excerpt(name)) has no parameter \(Excerpt(parameter.name)) (\(known))")
      }
      guard values[parameter.name] == nil else {
        throw HTTPServiceFailure(status: 400, "the parameter \(parameter.name) is given more than once")
      }
      values[parameter.name] = parameter.value
    }
    do throws(InvalidInput) { return try setting(values) } catch {
      throw HTTPServiceFailure(status: 400, "a parameter cannot be used: \(error)")
    }
  }
}
