import ProbeCore
import ProbePipeline

/// What `probekit check` asks without URLs: the endpoints that operating systems and browsers ask.
///
/// Plain HTTP on purpose: a captive portal cannot forge a certificate, so only over HTTP can it answer. Four
/// operators that have nothing to do with each other, so that the failure of one says little; HTTPS to confirm.
enum BuiltInPipeline {
  /// The plan, with what the command line says of requests and of the run.
  static func plan(_ options: CheckOptions) throws -> ProbePlan {
    func probes(_ set: String) throws -> [PlannedProbe] {
      try BuiltInTarget.all.filter { $0.set == set }.map { target in
        PlannedProbe(
          url: target.url, request: options.request(for: try ProbeURL(target.url)),
          validator: try target.validator())
      }
    }
    return try ProbePlan(
      name: "default",
      policy: .plaintextAllowed,
      sets: [
        PlannedSet(name: "http", threshold: try .percent(50), probes: try probes("http")),
        PlannedSet(name: "https", threshold: try .count(1), probes: try probes("https")),
      ],
      run: RunLimits(concurrency: options.concurrency),
      // A report on all of them says more than the verdict alone, and they are few.
      stopsEarly: false
    )
  }
}
