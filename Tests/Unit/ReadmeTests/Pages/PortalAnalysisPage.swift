import PortalAnalysis
import ProbeCore

/// The login URL in a response that came in place of the expected one.
func loginURL(in answer: ProbeResponse, over transports: TransportRegistry) -> ProbeURL? {
  let analysis = ResponseAnalysis(of: answer, asked: answer.url) { transports.encryption(of: $0) }
  for sign in analysis.signs { print(sign) }
  return analysis.portal?.loginURL
}
