import FoundationEssentials
import ProbeTLS
import ProbeHTTPWire
import ProbeBase
import TestRequirements
import TestSupport
import Testing

@testable import ProbeServer

/// User names and passwords; the hashes are those of the password `secret`.
@Suite(.patience(minutes: 1)) struct BasicAuthenticationTests {
  private static let text = "$2y$04$abcdefghijklmnopqrstuu2r9OfJnfCsdneAXAGHnS4UpFFP8WIrW"

  private static func users(_ names: String...) throws -> [String: BcryptHash] {
    let hash = try #require(BcryptHash(text))
    return Dictionary(uniqueKeysWithValues: names.map { ($0, hash) })
  }

  static func request(_ authorization: String?) throws -> HTTPServiceRequest {
    var fields = "Host: x\r\n"
    if let authorization { fields += "Authorization: \(authorization)\r\n" }
    return try HTTPRoutesTests.request("GET / HTTP/1.1\r\n\(fields)\r\n")
  }

  static func basic(_ credentials: String) -> String {
    "Basic \(Data(credentials.utf8).base64EncodedString())"
  }

  private static let unauthorized = HTTPServiceFailure(
    status: 401, "Unauthorized", fields: ["WWW-Authenticate: Basic"])

  @Test(arguments: [
    ("Basic \(Data("ann:secret".utf8).base64EncodedString())", true),
    ("bASIC \(Data("ann:secret".utf8).base64EncodedString())", true),
    ("Basic \(Data("ann:Secret".utf8).base64EncodedString())", false),
    ("Basic \(Data("ann:".utf8).base64EncodedString())", false),
    ("Basic \(Data("ann".utf8).base64EncodedString())", false),
    ("Basic \(Data("bob:secret".utf8).base64EncodedString())", false),
    ("Basic \(Data(":secret".utf8).base64EncodedString())", false),
    ("Basic ann:secret", false), ("Basic", false), ("Bearer c2VjcmV0", false), ("", false), (nil, false),
  ])
  func onlyValidCredentialsAreAccepted(_ authorization: String?, _ isAccepted: Bool) async throws {
    let users = try Self.users("ann")
    let authentication = BasicAuthentication { users }
    // The second time, the result is known.
    for _ in 0..<2 {
      let failure = await authentication.failure(of: try Self.request(authorization))
      #expect(failure == (isAccepted ? nil : Self.unauthorized))
    }
  }

  @Test func aPasswordMayHaveAColon() async throws {
    let seen = Guarded<[String]>([])
    let users = try Self.users("ann")
    let authentication = BasicAuthentication(users: { users }) { _, password in
      seen.withLock { $0.append(String(decoding: password, as: UTF8.self)) }
      return true
    }
    #expect(await authentication.failure(of: try Self.request(Self.basic("ann:a:b"))) == nil)
    #expect(seen.withLock { $0 } == ["a:b"])
  }

  @Test func withoutUsersEveryRequestIsAccepted() async throws {
    let users = Guarded<[String: BcryptHash]>([:])
    let authentication = BasicAuthentication { users.withLock { $0 } }
    #expect(await authentication.failure(of: try Self.request(nil)) == nil)
    let ann = try Self.users("ann")
    users.withLock { $0 = ann }
    #expect(await authentication.failure(of: try Self.request(nil)) == Self.unauthorized)
    let request = try Self.request(Self.basic("ann:secret"))
    #expect(await authentication.failure(of: request) == nil)
    // A result belongs to a hash: after a change of the password, the known one no longer applies.
    let other = try #require(BcryptHash("$2y$04$abcdefghijklmnopqrstuubyCG3zY1GIXMyxfivm.ClDiInHzxjiq"))
    users.withLock { $0 = ["ann": other] }
    #expect(await authentication.failure(of: request) == Self.unauthorized)
  }

  /// Counts checks, which wait until they may continue.
  private final class Checks: Sendable {
    let hashes = Guarded<[BcryptHash]>([])
    let started = EventQueue<Bool>()
    let mayContinue = ThreadSignal()

    func check(_ hash: BcryptHash) {
      hashes.withLock { $0.append(hash) }
      started.send(true)
      mayContinue.wait()
    }
  }

  @Test func anUnknownUserRequiresACheckToo() async throws {
    let users = try Self.users("ann", "bob")
    let checks = Guarded(0)
    let authentication = BasicAuthentication(users: { users }) { hash, password in
      checks.withLock { $0 += 1 }
      return hash.matches(password)
    }
    // Not even with the password of the user whose hash is compared instead.
    let request = try Self.request(Self.basic("nobody:secret"))
    for _ in 0..<2 { #expect(await authentication.failure(of: request) == Self.unauthorized) }
    #expect(checks.withLock { $0 } == 1)
  }

  @Test func clientsWithTheSamePasswordShareItsCheck() async throws {
    let (users, checks) = (try Self.users("ann"), Checks())
    let authentication = BasicAuthentication(users: { users }) { hash, _ in
      checks.check(hash)
      return true
    }
    let request = try Self.request(Self.basic("ann:secret"))
    let failures = await withTaskGroup { group in
      for _ in 0..<100 { group.addTask { await authentication.failure(of: request) } }
      checks.mayContinue.send()
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(failures.allSatisfy { $0 == nil } && failures.count == 100)
    #expect(checks.hashes.withLock { $0.count } == 1)
  }

  @Test func excessWrongPasswordsAreRefusedButNotAKnownOne() async throws {
    let (users, checks) = (try Self.users("ann"), Checks())
    let authentication = BasicAuthentication(users: { users }) { hash, password in
      checks.check(hash)
      return hash.matches(password)
    }
    checks.mayContinue.send()
    let right = try Self.request(Self.basic("ann:secret"))
    #expect(await authentication.failure(of: right) == nil)
    await withTaskGroup { group in
      for number in 0..<40 {
        group.addTask {
          await authentication.failure(of: try! Self.request(Self.basic("ann:\(number)")))
        }
      }
      // Those beyond the sixteen that are being checked or waiting.
      for _ in 0..<24 {
        let failure = await group.next()
        #expect(failure??.status == 503 && failure??.fields == ["Retry-After: 1"])
      }
      #expect(await authentication.failure(of: right) == nil)
      for _ in 0..<16 { checks.mayContinue.send() }
      for await failure in group { #expect(failure == Self.unauthorized) }
    }
    #expect(checks.hashes.withLock { $0.count } == 17)
  }

  @Test func wrongPasswordsDisplaceOnlyWrongOnes() {
    var checks = PasswordChecks<Int>(maximumChecks: 1, maximumCachedResults: 4)
    func isKnown(_ key: UInt8) -> Bool? {
      if case .known(let isRight) = checks.received([key], by: 0) { isRight } else { nil }
    }
    _ = checks.received([0], by: 0)
    _ = checks.ended([0], isRight: true)
    for key in UInt8(1)...9 {
      _ = checks.received([key], by: 0)
      let waiters = checks.ended([key], isRight: false)
      #expect(waiters == [0])
    }
    let known = [0, 6, 7, 8, 9, 5].map { isKnown($0) }
    #expect(known == [true, false, false, false, false, nil])
    // Now 5 is being checked: its next client waits, and another password is refused.
    if case .wait = checks.received([5], by: 1) {} else { Issue.record("it does not wait") }
    if case .busy = checks.received([4], by: 2) {} else { Issue.record("it is not refused") }
    let waiters = checks.failed([5])
    #expect(waiters == [0, 1])
    // A check that could not be made has no result.
    let later = isKnown(5)
    #expect(later == nil)
  }

  @Test func theServiceRequiresAuthentication() async throws {
    let users = try Self.users("ann")
    var options = HTTPServiceOptions()
    options.authentication = BasicAuthentication { users }
    let service = try HTTPService(
      on: ServiceClient.loopback, options: options, handler: HTTPServiceResponse.echo)
    defer { service.stop() }
    let client = try ServiceClient(service)
    try client.get("/a")
    let refusal = try await client.response()
    #expect(
      refusal.status == "401" && refusal.has("WWW-Authenticate: Basic") && refusal.body == "Unauthorized\n")
    try client.get("/a", "Authorization: \(Self.basic("ann:secret"))")
    #expect(try await client.response().body == #"["a"]"#)
  }
}
