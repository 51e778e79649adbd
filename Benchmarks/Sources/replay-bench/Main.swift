import FixtureReplay
import Glibc

/// Replay servers to be measured.
///
/// `replay-bench serve BYTES`: a server that answers every request with the same page, of so many bytes, until standard
/// input ends; prints `HTTP-PORT HTTPS-PORT`, and its authority's certificate to standard error.
/// `replay-bench cycles COUNT`: starts and stops as many servers; prints the seconds one took.
@main struct Main {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    switch (arguments.first, arguments.dropFirst().first.flatMap { Int($0) }) {
    case ("serve", let size?): try serve(size)
    case ("cycles", let count?): try cycle(count)
    default: print("usage: replay-bench serve BYTES | cycles COUNT")
    }
  }

  private static func world(_ size: Int) -> Fixture {
    let page = ComposedResponse(
      headers: ["Content-Type: text/html"], body: [UInt8](repeating: UInt8(ascii: "x"), count: size))
    return Fixture(name: "page", routes: [ReplayRoute("page", answer: .respond(page))])
  }

  private static func serve(_ size: Int) throws {
    let server = try ReplayServer([world(size)])
    print(server.port(of: .http), server.port(of: .https))
    fflush(nil)
    while readLine() != nil {}
    server.stop()
  }

  private static func cycle(_ count: Int) throws {
    let start = ContinuousClock.now
    for _ in 0..<count { try ReplayServer([world(100)]).stop() }
    print(start.duration(to: .now) / count)
  }
}
