import Foundation
import PortalAnalysis
import ProbeCore
import TestTransports

@testable import ProbePipeline

/// Concise constructors for the results of probes.
enum Seen {
  /// The expected response.
  static func accepted(_ url: String, family: IPFamily? = nil) -> ProbeResult {
    ProbeResult(url: url, outcome: .accepted, family: family)
  }

  /// No response.
  static func failed(_ url: String, _ reason: ReasonCode = .connectRefused, family: IPFamily? = nil)
    -> ProbeResult
  {
    ProbeResult(url: url, outcome: .failed, reason: reason, detail: "it failed", family: family)
  }

  /// A response with an error status, and a value that similar responses share.
  static func error(_ url: String, _ status: Int = 503, likeness: UInt64? = nil) throws -> ProbeResult {
    ProbeResult(
      url: url, outcome: .failed, reason: .httpStatus, detail: "found \(status)",
      response: try fakeResponse(url, status),
      analysis: likeness.map { ResponseAnalysis(.outage, likeness: $0) })
  }

  /// A response from a third party that shows no portal.
  static func thirdParty(
    _ url: String, likeness: UInt64? = nil, _ signs: [ResponseSign] = [], from address: String? = nil,
    family: IPFamily? = nil
  ) throws -> ProbeResult {
    ProbeResult(
      url: url, outcome: .intercepted, reason: .bodyMismatch, detail: "expected a, found b",
      response: try fakeResponse(url, 200, from: address),
      analysis: likeness.map { ResponseAnalysis(.blockPage, signs: signs, likeness: $0) }, family: family)
  }

  /// A portal's response.
  static func portal(
    _ url: String, at login: String = "http://login.example/", _ source: LoginURLSource = .location,
    isStated: Bool = false, isLocal: Bool = false, outcome: Outcome = .intercepted
  ) throws -> ProbeResult {
    ProbeResult(
      url: url, outcome: outcome, reason: .httpStatus, response: try fakeResponse(url, 302),
      analysis: ResponseAnalysis(
        .login, portal: Portal(loginURL: try ProbeURL(login), source: source), isStated: isStated,
        isLocal: isLocal))
  }

  /// A rejected certificate.
  static func certificate(
    _ url: String, _ reason: ReasonCode = .certificateUntrusted, issuer: String = "CN=Own",
    fingerprint: String? = nil
  ) throws -> ProbeResult {
    let url = try ProbeURL(url)
    let leaf = CertificateFacts(
      subject: "CN=\(url.host)", issuer: issuer, alternativeNames: [url.host], serialNumber: "01",
      notBefore: Date(timeIntervalSince1970: 1_700_000_000),
      notAfter: Date(timeIntervalSince1970: 1_800_000_000), fingerprint: fingerprint ?? url.host)
    let response = ProbeResponse(url: url, tls: TLSFacts(version: nil, cipher: nil, chain: [leaf]))
    return ProbeResult(
      url: url.string, outcome: .failed, reason: reason, detail: "refused", response: response)
  }

  /// A failure after a connection to an address.
  static func failed(_ url: String, at address: String, _ reason: ReasonCode = .connectReset) throws
    -> ProbeResult
  {
    var result = failed(url, reason)
    result.response = try fakeResponse(url, nil, from: address)
    return result
  }
}

/// The decision on one required set.
func decision(
  _ probes: [ProbeResult], threshold: Threshold = .all, capport: CapportResult? = nil
) -> EvidenceDecision {
  EvidenceDecision(
    [SetResult(name: "a", threshold: threshold, probes: probes)], success: .all, policy: .plaintextAllowed,
    capport: capport)
}

/// This many operators' URLs, starting with a number.
func hosts(_ count: Int, from first: Int = 0, _ scheme: String = "http") -> [String] {
  (first..<(first + count)).map { "\(scheme)://www.operator\($0).example/" }
}

extension EvidenceDecision {
  /// The summaries of the evidence of one kind.
  func words(_ kind: EvidenceKind) -> [String] {
    evidence.filter { $0.kind == kind }.map(\.summary)
  }
}
