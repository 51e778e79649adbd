import ProbeCore
import Testing

@testable import ProbeCommand

/// The URL at which clients reach the server, and the prefix of the paths.
@Suite struct ExternalURLTests {
  private static func prefix(_ url: String?, _ route: String? = nil) throws(InvalidInput) -> String {
    var options = ServeOptions()
    if let url { options.externalURL = try ExternalURL(url) }
    options.routePrefix = route
    return options.prefix
  }

  @Test(arguments: [
    (nil, "/"), ("", "/"), ("http://proxy.example/probes", "/probes/"), ("http://exporter.example", "/"),
    ("https://two--hyphens.example", "/"), ("http://proxy.example/a/b//", "/a/b/"),
  ])
  func thePathOfTheURLIsThePrefix(_ url: String?, _ prefix: String) throws {
    #expect(try Self.prefix(url) == prefix)
  }

  @Test(arguments: [
    "'https://proxy.example/probes'", "'a/path/in/quotation/marks'", "'http://begins.example",
    "ends/with/one\"", "\"http://begins.example",
  ])
  func quotationMarksAreRefused(_ url: String) {
    let error = #expect(throws: InvalidInput.self) { try Self.prefix(url) }
    #expect(error?.message.hasSuffix("is not a URL") == true, "\(error?.message ?? "")")
    #expect(error?.remedy == "write it without quotation marks")
  }

  @Test(arguments: [("probes", "/probes/"), ("/probes/", "/probes/"), ("/", "/"), ("//a//b", "/a/b/")])
  func aNonemptyRoutePrefixTakesPrecedence(_ route: String, _ prefix: String) throws {
    #expect(try Self.prefix("http://proxy.example/other", route) == prefix)
    #expect(try Self.prefix(nil, route) == prefix)
    #expect(try Self.prefix("http://proxy.example/other", "") == "/other/")
  }
}
