import ConnectivityMonitor
import ProbeKit

/// The configurations of a monitor: what it asks, and when.
public enum Configurations {
  /// Connectivity's own: two pages of Apple over HTTPS, of which one must say Success.
  public static let usual = ConnectivityConfiguration()

  /// Asks every half minute, and only while offline.
  public static let polling = ConnectivityConfiguration()
    .configurePolling(isEnabled: true, interval: .seconds(30), offlineOnly: true)

  /// Sites of one's own, all with one expectation.
  public static func contains(_ text: String) throws -> ConnectivityConfiguration {
    ConnectivityConfiguration()
      .configureConnectivity(urls: ["https://www.apple.com/library/test/success.html"])
      .configureResponseValidator(try ContainsValidator(text))
  }

  /// Sites of one's own, each with its expectation; one that responds with 204 needs none.
  public static func perURL() throws -> ConnectivityConfiguration {
    ConnectivityConfiguration()
      .configureConnectivity(targets: [
        ProbeTarget("https://www.google.com/generate_204"),
        ProbeTarget("https://www.apple.com/library/test/success.html")
          .validate(try ContainsValidator("Success")),
      ])
      .configureSuccessThreshold(100)
  }

  /// A judge of one's own.
  public static let custom = ConnectivityConfiguration()
    .configureConnectivity(urls: ["https://www.apple.com/library/test/success.html"])
    .configureResponseValidator(ShortPage())

  /// An intranet that wants a token, and has little patience.
  public static func intranet(token: String) -> ConnectivityConfiguration {
    ConnectivityConfiguration()
      .configureConnectivity(urls: ["https://intranet.example/health"])
      .configureBearerToken(Secret(token))
      .configureRequests { $0.timeout = .seconds(2) }
  }
}

/// Accepts a response with a short body.
struct ShortPage: ResponseValidator {
  func validate(_ response: ProbeResponse) -> Validation {
    response.body.count < 200 ? .accepted : .rejectedBody(of: response, expected: "a short page")
  }
}
