import ProbeCore
import ProbeReporting

/// The samples of a probe, each of which can be set more than once.
struct ProbeSamples: Sendable {
  private struct Sample: Sendable {
    let metric: ProbeMetric
    let labels: [MetricFamily.Label]
    var value: Double
  }

  private var samples: [Sample] = []

  /// Sets a sample, replacing an earlier one with the same labels.
  mutating func set(_ metric: ProbeMetric, _ labels: [MetricFamily.Label] = [], to value: Double) {
    if let index = index(of: metric, labels) {
      samples[index].value = value
    } else {
      samples.append(Sample(metric: metric, labels: labels, value: value))
    }
  }

  /// Sets a sample to 1 or 0.
  mutating func set(_ metric: ProbeMetric, to isTrue: Bool) {
    set(metric, to: isTrue ? 1 : 0)
  }

  /// Sets the duration of a phase.
  mutating func set(_ metric: ProbeMetric, phase: String, _ time: Duration) {
    set(metric, [("phase", phase)], to: time / .seconds(1))
  }

  private func index(of metric: ProbeMetric, _ labels: [MetricFamily.Label]) -> Int? {
    samples.firstIndex { sample in
      sample.metric === metric && sample.labels.elementsEqual(labels) { $0 == $1 }
    }
  }

  /// The samples in the text format, as UTF-8, with the metrics sorted by name.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(4096)
    var last: ProbeMetric?
    // Sorting keeps the order of the samples of a metric.
    for sample in samples.sorted(by: { $0.metric.name < $1.metric.name }) {
      if sample.metric !== last { bytes += sample.metric.head }
      last = sample.metric
      MetricFamily.append(
        sample.metric.name, sample.labels, MetricFamily.text(of: sample.value), to: &bytes)
    }
    return bytes
  }
}
