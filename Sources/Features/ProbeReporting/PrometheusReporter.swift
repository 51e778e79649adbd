import FoundationEssentials
import ProbeCore
import ProbePipeline

extension ReportFormat {
  static let prometheus = ReportFormat("prometheus", "metrics, for Prometheus and its textfile collectors") {
    _ in PrometheusReporter()
  }
}

/// Metrics in the Prometheus text format, version 0.0.4; all of them are gauges for this run.
///
/// The labels of a probe are its pipeline, set, URL and name, in a set with several address families its
/// family, and the labels that its pipeline gives it. A set has the labels of its pipeline file too.
/// If these are not unique, because a set has a URL more than once, an `index` label from 1 is added.
/// Pipelines with the same name have a `run` label from 1. Names may also be equal because of their escapes: such sets
/// have a `set_index` label, and such values of a plugin, as those that it repeats, a `performance_index` label. For a
/// skipped probe there is only its outcome, because nothing was measured.
struct PrometheusReporter: Reporter {
  var reportsProbes: Bool { false }

  func text(of runs: [ReportedRun]) -> String {
    var metrics = RunMetrics()
    let names = OccurrenceCounter(runs.map(\.name))
    for (run, number) in zip(runs, names.numbers) {
      let source = run.mismatches.map { _ in [("source", run.source)] } ?? []
      let labels = [("pipeline", run.result.pipeline)] + source + (number.map { [("run", "\($0)")] } ?? [])
      metrics.add(run, labels)
    }
    return metrics.text
  }
}

private struct RunMetrics {
  private var verdict = MetricFamily(
    "probekit_verdict", "Whether this is what the run says of the network or the services (1) or not (0).")
  private var expected = MetricFamily(
    "probekit_verdict_expected", "Whether the verdict is the expected one (1) or not (0).")
  private var duration = MetricFamily("probekit_run_duration_seconds", "How long the run took.")
  private var setMet = MetricFamily(
    "probekit_set_met",
    "Whether enough probes of the set were accepted (1) or not (0); absent when the verdict did not need the set."
  )
  private var setAccepted = MetricFamily("probekit_set_accepted_probes", "How many probes were accepted.")
  private var setTotal = MetricFamily("probekit_set_probes", "How many probes the set has.")
  private var success = MetricFamily(
    "probekit_probe_success", "Whether the probe was accepted (1) or not (0).")
  private var outcome = MetricFamily(
    "probekit_probe_outcome", "What became of the probe, and why; always 1.")
  private var status = MetricFamily("probekit_probe_http_status_code", "The status code of the answer.")
  private var total = MetricFamily(
    "probekit_probe_duration_seconds", "How long the probe took from start to end.")
  private var phases = MetricFamily(
    "probekit_probe_phase_duration_seconds", "How long each phase of the probe took.")
  private var expiry = MetricFamily(
    "probekit_certificate_not_after_seconds",
    "When the first certificate of the server's chain expires, in seconds since 1970.")
  private var performance = MetricFamily(
    "probekit_probe_performance",
    "A value that a monitoring plugin measured, in the unit that the label names.")

  mutating func add(_ reported: ReportedRun, _ labels: [MetricFamily.Label]) {
    let run = reported.result
    if reported.mismatches != nil { expected.add(labels, reported.isExpected) }
    for each in Verdict.allCases where each.question == run.question {
      verdict.add(labels + [("verdict", each.rawValue)], each == run.verdict)
    }
    duration.add(labels, run.duration)
    for (set, number) in zip(run.sets, OccurrenceCounter(run.sets.map(\.name)).numbers) {
      let ofSet = labels + [("set", set.name)] + (number.map { [("set_index", "\($0)")] } ?? [])
      let labels = ofSet + set.labels.asMetricLabels
      if let met = set.isMet { setMet.add(labels, met) }
      setAccepted.add(labels, "\(set.accepted)")
      setTotal.add(labels, "\(set.total)")
      let names = OccurrenceCounter(
        set.probes.map { "\($0.url.safeURL)\n\($0.name ?? "")\n\($0.family.map { "\($0)" } ?? "")" })
      for (probe, number) in zip(set.probes, names.numbers) {
        let family = probe.family.map { [("family", "\($0)")] } ?? []
        let index = number.map { [("index", "\($0)")] } ?? []
        let name = probe.name.map { [("name", $0)] } ?? []
        add(
          probe,
          ofSet + [("url", probe.url.safeURL)] + name + family + index + probe.labels.asMetricLabels)
      }
    }
  }

  private mutating func add(_ probe: ProbeResult, _ labels: [MetricFamily.Label]) {
    let reason = probe.reason.map { [("reason", $0.rawValue)] } ?? []
    outcome.add(labels + [("outcome", probe.outcome.rawValue)] + reason, true)
    guard probe.outcome != .skipped else { return }
    success.add(labels, probe.outcome == .accepted)
    guard let response = probe.response else { return }
    if let code = response.status { status.add(labels, "\(code)") }
    total.add(labels, response.timings.total)
    phases.add(labels + [("phase", "resolve")], response.timings.resolve)
    phases.add(labels + [("phase", "connect")], response.timings.connect)
    phases.add(labels + [("phase", "tls")], response.timings.tls)
    phases.add(labels + [("phase", "first_byte")], response.timings.firstByte)
    if let date = response.tls?.earliestExpiry {
      expiry.add(labels, "\(Int(bounding: date.timeIntervalSince1970))")
    }
    let values = response.performance.map { (label: $0.label, base: $0.inBaseUnit) }
    let names = OccurrenceCounter(values.map { "\($0.label)\n\($0.base.unit)" })
    for (value, index) in zip(values, names.numbers) {
      let unit = value.base.unit.isEmpty ? [] : [("performance_unit", value.base.unit)]
      performance.add(
        labels + [("performance_label", value.label)] + unit
          + (index.map { [("performance_index", "\($0)")] } ?? []), value.base.number)
    }
  }

  var text: String {
    [
      verdict, expected, duration, setMet, setAccepted, setTotal, success, outcome, status, total, phases,
      expiry, performance,
    ].map(\.text).joined()
  }
}

extension [String: String] {
  /// The labels for a metric, in the order of their names.
  fileprivate var asMetricLabels: [MetricFamily.Label] {
    sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}

extension PerformanceValue {
  /// The base unit of a metric, and the factor or the divisor from a unit to it.
  private struct BaseUnit {
    let name: String
    var factor = 1.0
    var divisor = 1.0
  }

  /// The units of the Monitoring Plugins Development Guidelines, and binary multiples of bytes.
  private static let baseUnits: [String: BaseUnit] = {
    var units = [
      "s": BaseUnit(name: "seconds"), "ms": BaseUnit(name: "seconds", divisor: 1e3),
      "us": BaseUnit(name: "seconds", divisor: 1e6), "ns": BaseUnit(name: "seconds", divisor: 1e9),
      "%": BaseUnit(name: "ratio", divisor: 100), "c": BaseUnit(name: "count"),
      "B": BaseUnit(name: "bytes"), "kB": BaseUnit(name: "bytes", factor: 1e3),
    ]
    var (decimal, binary) = (1.0, 1.0)
    for prefix in "KMGTPE" {
      (decimal, binary) = (decimal * 1000, binary * 1024)
      units["\(prefix)B"] = BaseUnit(name: "bytes", factor: decimal)
      units["\(prefix)iB"] = BaseUnit(name: "bytes", factor: binary)
    }
    return units
  }()

  /// The number in the base unit of a metric, with the name of that unit.
  ///
  /// The base units are those of Prometheus' rules for names: seconds, bytes and, for percentages, a ratio. Any other
  /// unit stays as it is.
  var inBaseUnit: (number: Double, unit: String) {
    guard let base = Self.baseUnits[unit] else { return (number, unit) }
    return (number * base.factor / base.divisor, base.name)
  }
}
