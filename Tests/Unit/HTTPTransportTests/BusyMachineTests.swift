import ProbeCore
import Testing

@testable import CurlTransport

/// Timeouts before libcurl has done anything, as on an overloaded machine.
@Suite struct BusyMachineTests {
  static let rows: [(url: String, connectTo: String?, reason: ReasonCode)] = [
    ("http://slow.example/", nil, .resolveTimeout),
    ("http://192.0.2.1/", nil, .connectTimeout),
    ("https://[2001:db8::1]/", nil, .connectTimeout),
    // The host to connect to is the one that is looked up.
    ("https://slow.example/", "slow.example:443:192.0.2.1:443", .connectTimeout),
    ("http://192.0.2.1/", "192.0.2.1:80:slow.example:80", .resolveTimeout),
  ]

  @Test(arguments: rows)
  func earlyTimeoutsDependOnTheHost(_ url: String, _ connectTo: String?, _ reason: ReasonCode) async throws {
    var request = ProbeRequest(try ProbeURL(url))
    if let connectTo { request.connectTo = [try ConnectTo(connectTo)] }
    var moments = TransferResult.Moments()
    moments.finished = 5000
    let result = TransferResult(
      code: .timedOut, message: "", systemError: 0, phase: .resolve, moments: moments, remote: nil,
      response: ReceivedResponse(maxHead: 0, maxBody: 0), handshake: nil)
    let failure = await ProbeFailure(result, of: request, partial: ProbeResponse(url: request.url))
    #expect(failure.reason == reason, "\(failure)")
  }
}
