import PortalAnalysis
import ProbeCore

/// Where to log in, as far as an answer tells that came in place of the one asked for.
func loginURL(in answer: ProbeResponse, over transports: TransportRegistry) -> ProbeURL? {
  let analysis = AnswerAnalysis(of: answer, asked: answer.url) { transports.encryption(of: $0) }
  for sign in analysis.signs { print(sign) }
  return analysis.portal?.loginURL
}
