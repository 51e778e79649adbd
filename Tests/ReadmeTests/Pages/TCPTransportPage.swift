import ProbeCore
import TCPTransport

/// Greets a mail server and takes leave again.
func mailRequest() throws -> ProbeRequest {
  var request = ProbeRequest(try ProbeURL("tcp://mail.example:25"))
  request[Dialog.self] = try Dialog([.expect("220 "), .send("QUIT\\r\\n"), .expect("221 ")])
  return request
}
