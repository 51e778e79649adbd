import PortalAnalysis
import ProbeCore

extension CapportResult {
  /// Queries the API of RFC 8908 once.
  ///
  /// Whatever the policy of the plan, the request uses only TLS (RFC 8908 §4), including redirects.
  init(
    asking url: ProbeURL, by connection: ProbePlan.Connection, over transports: TransportRegistry,
    _ clock: any Clock<Duration>
  ) async {
    var request = ProbeRequest(url)
    request.connectTo = connection.rules
    request.resolver = connection.resolver
    request.tls.additionalAuthorities = connection.authorities
    request.redirects = 3
    if let timeout = connection.timeout { request.timeout = timeout }
    request.http.headers = ["Accept": CapportDocument.mediaType]
    do {
      let response = try await Prober(transports, policy: .httpsOnly, clock: clock).probe(request)
      self.init(of: url, try CapportDocument(response))
    } catch let failure as ProbeFailure {
      self.init(of: url, unavailable: failure.reason, failure.detail)
    } catch let mistake as InvalidInput {
      self.init(of: url, unavailable: .bodyMismatch, mistake.description)
    } catch {
      self.init(of: url, unavailable: .rejected, "\(error)".escapedForDisplay)
    }
  }
}
