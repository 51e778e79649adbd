import ProbeKit

/// Accepts a document that reports a service as up.
struct UpValidator: ConfigurableValidator {
  struct Options: Codable { var service: String }
  static let name = "up"
  static let examples = [
    ValidatorExample(Options(service: "shop"), accepts: "shop: up", rejects: "shop: down")
  ]
  private let line: String

  init(options: Options) { line = "\(options.service): up" }

  func validate(_ response: ProbeResponse) -> Validation {
    let isUp = String(decoding: response.body, as: UTF8.self).contains(line)
    return isUp ? .accepted : .rejectedBody(of: response, expected: "the line \"\(line)\"")
  }
}
