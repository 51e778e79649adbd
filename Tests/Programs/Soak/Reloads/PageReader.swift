import ProbeBase
import ProbeCore
import TestClients
import TestSupport

/// Requests the versioned page until there are no more versions, and checks every response.
struct PageReader {
  private let versions: Guarded<VersionsInUse>
  private let tally: Tally

  init(_ versions: Guarded<VersionsInUse>, _ tally: Tally) {
    self.versions = versions
    self.tally = tally
  }

  /// Makes requests with a transport, each on a new connection.
  func ask(_ transports: TransportRegistry, _ scheme: String, _ numbers: SeededNumbers) async throws {
    var numbers = numbers
    let prober = Prober(transports, policy: .plaintextAllowed)
    var request = ProbeRequest(try ProbeURL("\(scheme)://reload.soak/"))
    request.timeout = .seconds(240)
    request.maxBody = 1 << 20
    while true {
      let before = versions.withLock(\.self)
      if before.isOver { return }
      do throws(ProbeFailure) {
        let response = try await prober.probe(request)
        let fields = response.head?.fields
        judge(
          VersionedPage.version(
            version: fields?["X-Version"].flatMap { Int($0) }, lines: fields?["X-Lines"].flatMap { Int($0) },
            response.body), since: before)
      } catch {
        tally.problem("a response was lost over \(scheme): \(error)")
      }
      try? await Task.sleep(for: numbers.time(upTo: .milliseconds(10)))
    }
  }

  /// Makes requests on one connection, as long as it stays open.
  func ask(port: UInt16) throws {
    let client = try RawClient(port: port, within: .seconds(240))
    while true {
      let before = versions.withLock(\.self)
      if before.isOver { return }
      try client.send(Array("GET / HTTP/1.1\r\nHost: reload.soak\r\n\r\n".utf8))
      var head = ""
      while !head.hasSuffix("\r\n\r\n") {
        let byte = client.receive(upTo: 1, within: .seconds(240))
        guard byte.ending == .enough else {
          return tally.problem("a connection was lost: \(byte.ending) after \(head.utf8.count) bytes")
        }
        head += byte.text
      }
      let count = Self.number("Content-Length", in: head) ?? 0
      let body = client.receive(upTo: count, within: .seconds(240))
      judge(
        VersionedPage.version(
          version: Self.number("X-Version", in: head), lines: Self.number("X-Lines", in: head), body.bytes),
        since: before)
    }
  }

  private func judge(_ version: Int?, since before: VersionsInUse) {
    tally.add(1, .responses)
    let after = versions.withLock(\.self)
    guard let version else { return tally.problem("a response is not a complete page of one version") }
    if !(before.oldest...after.newest).contains(version) {
      tally.problem("a response of version \(version), not of \(before.oldest) to \(after.newest)")
    }
  }

  private static func number(_ field: String, in head: String) -> Int? {
    head.split(separator: "\r\n").first { $0.hasPrefix("\(field): ") }
      .flatMap { Int($0.dropFirst(field.count + 2)) }
  }
}
