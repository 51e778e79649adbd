@testable import ProbeStreams
import ProbeBase
import LoopbackDNS
import ProbeCore
import Testing
import ProbeSystem

/// A DNS channel on an event loop.
@Suite struct WatchedChannelTests {
  /// Queries a DNS server, and does not wait for the response.
  fileprivate final class PendingQuery: LoopOperation {
    private let configuration: ResolverConfiguration
    private let ending: Guarded<AresError?>
    private(set) weak var channel: WatchedChannel?

    init(_ configuration: ResolverConfiguration, _ ending: Guarded<AresError?>) {
      self.configuration = configuration
      self.ending = ending
    }

    func start(on thread: LoopThread) {
      guard let channel = try? WatchedChannel(.dns, configuration, on: thread) else { return }
      self.channel = channel
      // The caller knows the thread, as connecting operations do.
      channel.lookUp("silent.example", .v4) { [ending] result in
        guard case .failure(let error) = result else { return }
        withExtendedLifetime(thread) { ending.withLock { $0 = error } }
      }
    }

    func cancel(on thread: LoopThread) {}
  }

  @Test func endingTheLoopReleasesTheChannelAndCancelsItsQuery() throws {
    let server = try LoopbackDNS { _ in [] }
    var configuration = ResolverConfiguration()
    configuration.servers = [server.address]
    let ending = Guarded<AresError?>(nil)
    let query = PendingQuery(configuration, ending)
    let loop = EventLoop(named: "test")
    try #require(loop.start())
    loop.start(query)
    // Messages are processed in order: the query is pending when the loop ends.
    loop.end()
    #expect(query.channel == nil)
    #expect(ending.withLock { $0?.code } == .cancelled)
  }
}

// Safe because it is written on the loop's thread, and read when that has ended.
extension WatchedChannelTests.PendingQuery: @unchecked Sendable {}
