import FoundationEssentials
import ProbeCore
import ProbeReporting
import ProbeTLS

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

extension ProbeSamples {
  /// Adds the samples of a TLS session.
  ///
  /// - Parameters:
  ///   - tls: The session.
  ///   - hasCipher: Whether to add the cipher, which blackbox_exporter does for HTTP only.
  mutating func add(_ tls: TLSFacts, hasCipher: Bool) {
    set(.earliestExpiry, to: Self.seconds(tls.earliestExpiry))
    set(.chainExpiry, to: Self.seconds(tls.verifiedExpiry))
    set(.tlsVersion, [("version", Self.name(ofVersion: tls.version))], to: 1)
    if hasCipher { set(.tlsCipher, [("cipher", tls.cipher.map(CipherName.standard) ?? "")], to: 1) }
    if let problem = tls.problem { set(.observedProblem, [("problem", problem)], to: 1) }
    addLeaf(of: tls)
  }

  /// Adds the samples of the certificates that a handshake refused, which blackbox_exporter lacks.
  mutating func addCertificates(refusedBy failure: ProbeFailure) {
    guard failure.reason.rawValue.hasPrefix("tls."), let tls = failure.partial?.tls, !tls.chain.isEmpty
    else { return }
    set(.earliestExpiry, to: Self.seconds(tls.earliestExpiry))
    addLeaf(of: tls)
  }

  private mutating func addLeaf(of tls: TLSFacts) {
    guard let leaf = tls.chain.first else { return }
    set(
      .chainInfo,
      [
        ("fingerprint_sha256", leaf.fingerprint), ("issuer", leaf.issuer),
        ("serialnumber", leaf.serialNumber), ("subject", leaf.subject),
        ("subjectalternative", leaf.dnsNames.joined(separator: ",")),
      ], to: 1)
  }

  /// A time as a sample; without one, Go's zero time as in blackbox_exporter.
  private static func seconds(_ date: Date?) -> Double {
    date.map { $0.timeIntervalSince1970.rounded(.down) } ?? -62_135_596_800
  }

  /// A version as in Go: `TLS 1.3` for `TLSv1.3`.
  private static func name(ofVersion version: String?) -> String {
    switch version {
    case "TLSv1": "TLS 1.0"
    case let version? where version.hasPrefix("TLSv1."): "TLS \(version.dropFirst(4))"
    default: "unknown"
    }
  }
}
