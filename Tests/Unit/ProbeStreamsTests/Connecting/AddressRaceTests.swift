import Glibc
import ProbeCore
import Testing

@testable import ProbeStreams

/// The order and the times of connection attempts (RFC 8305).
@Suite struct AddressRaceTests {
  private static let v4 = addresses("192.0.2.1", "192.0.2.2")
  private static let v6 = addresses("2001:db8::1", "2001:db8::2")

  private static func addresses(_ texts: String...) -> [IPAddress] { texts.compactMap { IPAddress($0) } }

  @Test func iPv6IsTriedAtOnceWhenItResolvesFirst() {
    var race = AddressRace([.v4, .v6])
    #expect(race.next(at: .zero) == .wait(until: nil))
    race.resolved(.v6, Self.v6, at: .milliseconds(10))
    #expect(race.next(at: .milliseconds(10)) == .connect(0))
    #expect(race.attempts[0].address == Self.v6[0])
  }

  @Test func iPv4WaitsBrieflyForIPv6() {
    var race = AddressRace([.v4, .v6])
    race.resolved(.v4, Self.v4, at: .milliseconds(10))
    #expect(race.next(at: .milliseconds(10)) == .wait(until: .milliseconds(60)))
    #expect(race.next(at: .milliseconds(60)) == .connect(0))
    #expect(race.attempts[0].address == Self.v4[0])
    // Addresses that arrive later are tried next.
    race.resolved(.v6, Self.v6, at: .milliseconds(70))
    race.failed(0, ECONNREFUSED, at: .milliseconds(80))
    #expect(race.next(at: .milliseconds(80)) == .connect(1))
    #expect(race.attempts[1].address == Self.v6[0])
  }

  @Test func iPv6ThatResolvesInTimeIsTriedFirst() {
    var race = AddressRace([.v4, .v6])
    race.resolved(.v4, Self.v4, at: .milliseconds(10))
    race.resolved(.v6, Self.v6, at: .milliseconds(40))
    #expect(race.next(at: .milliseconds(40)) == .connect(0))
    #expect(race.attempts[0].address == Self.v6[0])
  }

  @Test func withoutIPv6AddressesIPv4IsTriedAtOnce() {
    var race = AddressRace([.v4, .v6])
    race.resolved(.v4, Self.v4, at: .milliseconds(10))
    race.resolved(.v6, [], at: .milliseconds(12))
    #expect(race.next(at: .milliseconds(12)) == .connect(0))
  }

  @Test func familiesAlternateEvery250Milliseconds() {
    var race = AddressRace([.v4, .v6])
    race.resolved(.v6, Self.v6, at: .zero)
    race.resolved(.v4, Self.v4, at: .zero)
    var now = Duration.zero
    for expected in [Self.v6[0], Self.v4[0], Self.v6[1], Self.v4[1]] {
      #expect(race.next(at: now) == .connect(race.attempts.count - 1))
      #expect(race.attempts.last?.address == expected)
      let later = now + .milliseconds(250)
      if race.attempts.count < 4 { #expect(race.next(at: now) == .wait(until: later)) }
      now = later
    }
    // There is nothing more to try: the running attempts are awaited.
    #expect(race.next(at: now) == .wait(until: nil))
    race.didConnect(2, at: now)
    #expect(race.next(at: now) == .connected(2))
  }

  @Test func aFailureStartsTheNextAttemptAtOnce() {
    var race = AddressRace([.v4])
    race.resolved(.v4, Self.v4, at: .zero)
    #expect(race.next(at: .zero) == .connect(0))
    race.failed(0, ENETUNREACH, at: .milliseconds(1))
    #expect(race.next(at: .milliseconds(1)) == .connect(1))
    race.failed(1, ECONNREFUSED, at: .milliseconds(2))
    #expect(race.next(at: .milliseconds(2)) == .failed)
  }

  @Test func withoutAnyAddressTheRaceFails() {
    var race = AddressRace([.v4, .v6])
    race.resolved(.v4, [], at: .zero)
    #expect(race.next(at: .zero) == .wait(until: nil))
    race.resolved(.v6, [], at: .zero)
    #expect(race.next(at: .zero) == .failed)
    #expect(race.hasNoAddress)
  }

  @Test func theNumberOfAttemptsIsBounded() {
    var race = AddressRace([.v4])
    race.resolved(.v4, (0..<500).map { IPAddress(v4: 0xC000_0200 + UInt32($0)) }, at: .zero)
    var count = 0
    while case .connect(let attempt) = race.next(at: .zero) {
      race.failed(attempt, ECONNREFUSED, at: .zero)
      count += 1
    }
    #expect(count == 16)
  }

  /// Equal networks have equal reports: the same attempt is reported whatever the order of failures.
  @Test(arguments: [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]])
  func theReportDoesNotDependOnTheOrderOfFailures(_ order: [Int]) {
    let errors = [ENETUNREACH, ETIMEDOUT, EHOSTUNREACH, ECONNREFUSED]
    var race = AddressRace([.v4, .v6])
    race.resolved(.v6, Self.v6, at: .zero)
    race.resolved(.v4, Self.v4, at: .zero)
    for step in 0..<4 { #expect(race.next(at: .milliseconds(250 * step)) == .connect(step)) }
    for attempt in order { race.failed(attempt, errors[attempt], at: .seconds(1)) }
    #expect(race.next(at: .seconds(1)) == .failed)
    #expect(race.bestExplanation?.state == .failed(ECONNREFUSED))
  }
}
