import CProbeCurl
import LoopbackServer
import ProbeCore
import Testing

@testable import CurlTransport

/// Handles that are reused after a transfer that ended before it had a connection.
///
/// libcurl keeps the buffer of such a handle, and restores another size when the handle is reset.
@Suite struct UsedHandleTests {
  /// URLs that libcurl rejects before it connects.
  private static let refused = ["ftp://127.0.0.1/", "http://[::1/", "http://127.0.0.1:99999999/"]

  private static func options(_ url: String) -> TransferOptions {
    var options = TransferOptions(url: url, timeout: .seconds(60))
    // Not the common options, so that the handle is reset.
    options.family = .v4
    return options
  }

  @Test(arguments: refused) func noHandleReadsMoreThanItsBufferHolds(_ url: String) throws {
    let handle = try #require(EasyHandle())
    handle.setCommon(Self.options(url))
    #expect(unsafe curl_easy_perform(handle.pointer) != CURLE_OK)
    // Either it cannot be used again, or it has the requested size.
    let isGood = handle.renew()
    #expect(unsafe isGood == (probe_curl_set_long(handle.pointer, CURLOPT_BUFFERSIZE, 1024) == CURLE_OK))
  }

  @Test func longResponsesAfterRefusedTransfers() async {
    await #expect(processExitsWith: .success) {
      let body = String(repeating: "x", count: 60_000)
      let server = try LoopbackServer.http { _ in .response(body: body) }
      let client = CurlClient()
      for round in 0..<60 {
        let isRefused = round % 2 == 0
        let options = Self.options(isRefused ? Self.refused[round % 3] : server.url())
        let result = await client.perform {
          (options, .init(method: "GET", headers: [], body: nil, maxHead: 10_000, maxBody: 100_000))
        }
        try #require(isRefused ? result.code != .ok : result.response.body.count == body.utf8.count)
      }
    }
  }
}
