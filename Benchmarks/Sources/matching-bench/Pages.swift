import ProbeCore

/// A response like that of an ordinary server: eight header fields, and a page of paragraphs without the
/// searched word.
func page(of size: Int, contentType: String = "text/html; charset=utf-8") throws -> ProbeResponse {
  var body = Array(
    "<!DOCTYPE html>\r\n<html><head><meta charset=\"utf-8\"><title>Login</title></head><body>\r\n".utf8)
  while body.count < size {
    body += "<p class=\"text\">You have to log in before the network can be used 👋</p>\r\n".utf8
  }
  body.removeLast(body.count - size)
  let fields: HeaderFields = [
    "Date": "Sat, 21 Nov 2026 12:00:00 GMT", "Server": "nginx/1.22.1", "Content-Type": contentType,
    "Content-Length": "\(size)", "Connection": "keep-alive", "Cache-Control": "no-store",
    "Vary": "Accept-Encoding", "X-Frame-Options": "SAMEORIGIN",
  ]
  return ProbeResponse(
    url: try ProbeURL("http://captive.example/"),
    head: HTTPResponseHead(status: 200, reasonPhrase: "OK", fields: fields), body: body)
}
