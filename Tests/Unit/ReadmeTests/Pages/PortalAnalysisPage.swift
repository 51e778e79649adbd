import PortalAnalysis
import ProbeCore

/// The login URL in a response received instead of the expected one.
func loginURL(in response: ProbeResponse, over transports: TransportRegistry) -> ProbeURL? {
  let analysis = ResponseAnalysis(of: response, asked: response.url) { transports.encryption(of: $0) }
  for sign in analysis.signs { print(sign) }
  return analysis.portal?.loginURL
}
