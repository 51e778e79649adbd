import PortalAnalysis
import ProbeCore

/// A response to be analyzed, in a short form for tests.
struct TestResponse: Sendable {
  var status = 200
  var fields: HeaderFields = ["Content-Type": "text/html; charset=utf-8"]
  var body: [UInt8] = []
  /// The requested URL, and the targets of its redirects.
  var path = ["http://probe.example/check"]

  init(_ body: String = "", status: Int = 200, fields: [(String, String)] = [], path: [String] = []) {
    self.body = Array(body.utf8)
    self.status = status
    for (name, value) in fields { self.fields.append(name: name, value: value) }
    if !path.isEmpty { self.path = path }
  }

  /// The analysis of the response.
  func analysis() throws -> ResponseAnalysis {
    let urls = try path.map { try ProbeURL($0) }
    let head = HTTPResponseHead(status: status, fields: fields)
    var hops = zip(urls, urls.dropFirst()).map { from, to in
      RedirectHop(url: from, status: 302, location: to.string, target: to)
    }
    let last = urls[urls.count - 1]
    // A redirect that was not followed.
    if let hop = RedirectHop(of: head, from: last) { hops.append(hop) }
    let response = ProbeResponse(url: last, head: head, body: body, redirects: hops)
    return ResponseAnalysis(of: response, asked: urls[0]) { scheme in
      scheme == .http ? .plaintext : scheme == .https ? .encrypted : nil
    }
  }

  /// The login URL and its source, such as `wispr http://192.0.2.1/`; nil if no portal responded.
  func login() throws -> String? {
    try analysis().portal.map { "\($0.source.rawValue) \($0.loginURL.string)" }
  }
}
