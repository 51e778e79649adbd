import Foundation
import ProbeCore
import Transports

/// Responses that distinguish validators.
enum SampleResponses {
  static let all: [(name: String, response: ProbeResponse)] = [
    ("nothing", sample(500, "")),
    ("an empty 200", sample(200, "")),
    ("an empty 204", sample(204, "")),
    ("an empty 302", sample(302, "", fields: ["Location": "https://login.example/"])),
    ("Success", sample(200, "<BODY>\nSuccess\n</BODY>")),
    ("success", sample(200, "success")),
    ("a login page", sample(200, "<h1>Please log in</h1>", fields: ["Server": "nginx", "X-Cache": "HIT"])),
    ("a banner of SSH", sample(nil, "SSH-2.0-x\r\n")),
    ("a slow answer", sample(200, "ok", taking: .seconds(2))),
    ("a certificate that ends soon", sample(200, "ok", certifiedFor: 86_400)),
    ("a good certificate", sample(200, "ok", certifiedFor: 400 * 86_400)),
  ]

  private static func sample(
    _ status: Int?, _ body: String, fields: HeaderFields = [:], taking time: Duration = .milliseconds(5),
    certifiedFor seconds: Double? = nil
  ) -> ProbeResponse {
    let head = status.map { HTTPResponseHead(status: $0, fields: fields) }
    var response = ProbeResponse(url: ProbeURL.sample, head: head, body: Array(body.utf8))
    response.timings = ProbeTimings(connect: time, tls: time, total: time)
    response.tls = seconds.map { seconds in
      TLSFacts(
        version: "TLSv1.3", cipher: "TLS_AES_256_GCM_SHA384",
        chain: [
          CertificateFacts(
            subject: "CN=a.example", issuer: "CN=Example CA", alternativeNames: ["a.example"],
            serialNumber: "01",
            notBefore: .distantPast, notAfter: Date().addingTimeInterval(seconds), fingerprint: "00")
        ])
    }
    return response
  }
}

extension ProbeURL {
  /// An arbitrary URL.
  fileprivate static var sample: ProbeURL {
    guard let url = try? ProbeURL("https://a.example/") else { preconditionFailure("no URL") }
    return url
  }
}

/// The steps of a dialog, as in a file.
enum DialogOutline {
  static func lines(of dialog: Dialog) -> [String] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let steps = (try? encoder.encode(dialog)).map { String(decoding: $0, as: UTF8.self) }
    return ["dialog \(steps ?? "that cannot be encoded")"]
  }
}
