import PortalAnalysis
import ProbeCore

extension CapportResult {
  /// Asks the API of RFC 8908 once.
  ///
  /// Whatever the plan's own policy is, the API is asked over TLS only (RFC 8908 §4), redirects included.
  init(
    asking url: ProbeURL, by connection: ProbePlan.Connection, over transports: TransportRegistry,
    _ clock: any Clock<Duration>
  ) async {
    var request = ProbeRequest(url)
    request.connectTo = connection.rules
    request.tls.additionalAuthorities = connection.authorities
    request.redirects = 3
    request.http.headers = ["Accept": CapportDocument.mediaType]
    do {
      let answer = try await Prober(transports, policy: .httpsOnly, clock: clock).probe(request)
      self.init(of: url, try CapportDocument(answer))
    } catch let failure as ProbeFailure {
      self.init(of: url, unavailable: failure.reason, failure.detail)
    } catch let mistake as InvalidInput {
      self.init(of: url, unavailable: .bodyMismatch, mistake.description)
    } catch {
      self.init(of: url, unavailable: .rejected, "\(error)".escapedForDisplay)
    }
  }
}
