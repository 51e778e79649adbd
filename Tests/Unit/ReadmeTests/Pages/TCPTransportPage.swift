import ProbeCore
import Transports

/// Connects to a mail server and ends the session.
func mailRequest() throws -> ProbeRequest {
  var request = ProbeRequest(try ProbeURL("tcp://mail.example:25"))
  request[Dialog.self] = try Dialog([.expect("220 "), .send("QUIT\\r\\n"), .expect("221 ")])
  return request
}
