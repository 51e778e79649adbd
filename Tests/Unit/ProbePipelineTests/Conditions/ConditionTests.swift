import PortalAnalysis
import ProbeCore
import Testing
import TestTransports

@testable import ProbePipeline

/// The three-valued logic of rules, and the conditions of `classify`.
@Suite struct ConditionTests {
  // Created each time: static values look like leaks, because their enums hide pointers.
  private static var no: ProbeCondition { .reason(pattern("nothing.*")) }
  private static var unknown: ProbeCondition { .validator(BodyIs(text: "ok")) }
  private static var yes: ProbeCondition { .reason(pattern("*")) }

  private static func pattern(_ text: String) -> ReasonPattern {
    guard let pattern = try? ReasonPattern(text) else {
      preconditionFailure("a pattern of this file is wrong")
    }
    return pattern
  }

  @Test func theNegationOfUnknownIsUnknown() {
    #expect([!Truth.no, !Truth.unknown, !Truth.yes] == [.yes, .unknown, .no])
  }

  /// Every pair of truth values in every combination, for a failed probe.
  @Test func conditionsFollowKleeneLogic() throws {
    let all: [[Truth]] = [[.no, .no, .no], [.no, .unknown, .unknown], [.no, .unknown, .yes]]
    let any: [[Truth]] = [[.no, .unknown, .yes], [.unknown, .unknown, .yes], [.yes, .yes, .yes]]
    let exchange = try exchange("https://a.example/", .failure(ProbeFailure(.connectRefused, "refused")))
    let conditions = [Self.no, Self.unknown, Self.yes]
    for left in Truth.allCases {
      #expect(truth(.not(conditions[left.rawValue]), exchange) == !left)
      #expect(truth(.not(.not(conditions[left.rawValue])), exchange) == left)
      for right in Truth.allCases {
        let pair = [conditions[left.rawValue], conditions[right.rawValue]]
        let (both, either) = (all[left.rawValue][right.rawValue], any[left.rawValue][right.rawValue])
        #expect(truth(.all(pair), exchange) == both)
        #expect(truth(.any(pair), exchange) == either)
        #expect(truth(.not(.all(pair)), exchange) == !both)
        #expect(truth(.not(.any(pair)), exchange) == !either)
      }
    }
    #expect(truth(.all([]), exchange) == .yes)
    #expect(truth(.any([]), exchange) == .no)
  }

  @Test(
    arguments: [
      (.bodyMismatch, .no, .yes), (.matchLimit, .unknown, .unknown), (.bodyTooLarge, .unknown, .unknown),
    ] as [(ReasonCode, Truth, Truth)])
  func aValidatorThatCannotJudgeIsUnknown(_ reason: ReasonCode, _ truth: Truth, _ negated: Truth) throws {
    let exchange = try exchange(
      "https://a.example/", .success(fakeResponse("https://a.example/", body: "other")))
    let condition = ProbeCondition.validator(BodyIs(text: "ok", reason: reason))
    #expect(self.truth(condition, exchange) == truth)
    #expect(self.truth(.not(condition), exchange) == negated)
  }

  /// The body of a failed probe may be longer than the received part.
  @Test(arguments: [
    ("ok", Truth.unknown), ("", .unknown), ("other", .no),
  ])
  func aPartialBodyIsIncomplete(_ body: String, _ truth: Truth) throws {
    let response = try fakeResponse("http://a.example/", body: body)
    let failure = ProbeFailure(.bodyShort, "short", partial: response)
    let condition = ProbeCondition.partial(WholeBodyIs(text: "ok"))
    #expect(self.truth(condition, try exchange("http://a.example/", .failure(failure))) == truth)
    #expect(self.truth(.not(condition), try exchange("http://a.example/", .failure(failure))) == !truth)
    let complete = try exchange("http://a.example/", .success(response))
    #expect(self.truth(condition, complete) == Truth(body == "ok"))
  }

  /// Judges as `equals` does: equal so far is undecided in an incomplete body.
  private struct WholeBodyIs: ResponseValidator {
    let text: String

    func validate(_ response: ProbeResponse) -> Validation {
      let isEqual = response.body == Array(text.utf8)
      if isEqual, !response.bodyIsCut { return .accepted }
      let isOpen = response.bodyIsCut && (isEqual || response.body.isEmpty)
      return .rejected(isOpen ? .bodyTooLarge : .bodyMismatch, expected: text, found: "another")
    }
  }

  @Test func aResponseHasNoReason() throws {
    let exchange = try exchange("https://a.example/", .success(fakeResponse("https://a.example/", 500)))
    #expect(truth(Self.yes, exchange) == .no)
  }

  @Test(
    arguments: [
      ("https://a.example/", nil, []),
      ("https://a.example/", "/x", [.any]),
      ("https://a.example/", "https://www.a.example/", [.any]),
      ("https://a.example/", "https://b.a.example/", [.any]),
      ("https://www.a.example/", "https://a.example/", [.any]),
      ("https://a.example/", "https://b.example/", [.any, .offHost]),
      ("https://a.example/", "https://nota.example/", [.any, .offHost]),
      ("https://a.example/", "http://a.example/", [.any, .downgrade]),
      ("https://a.example/", "http://b.example/", [.any, .offHost, .downgrade]),
      ("http://a.example/", "http://b.example/", [.any, .offHost]),
      ("http://a.example/", "https://a.example/", [.any]),
      ("http://a.example/", "", [.any]),
      ("https://a.example/", "http://[", [.any, .invalid]),
    ] as [(String, String?, Set<RedirectKind>)])
  func redirectsAreClassifiedByKind(_ url: String, _ location: String?, _ kinds: Set<RedirectKind>) throws {
    let response = try fakeResponse(
      url, location == nil ? 200 : 302, fields: location.map { ["Location": $0] } ?? [:])
    let failure = ProbeFailure(.downgrade, "refused by the policy", partial: response)
    for ending in [Result.success(response), .failure(failure)] {
      let exchange = try exchange(url, ending)
      for kind in RedirectKind.allCases {
        #expect(truth(.redirect(kind), exchange) == Truth(kinds.contains(kind)), "\(kind)")
      }
    }
  }

  @Test func aRedirectWithoutALocationIsInvalid() throws {
    let exchange = try exchange("https://a.example/", .success(fakeResponse("https://a.example/", 302)))
    #expect(truth(.redirect(.invalid), exchange) == .yes)
    #expect(truth(.redirect(.offHost), exchange) == .no)
  }

  @Test(
    arguments: [
      ("tls.*", "tls.expired", true), ("tls.*", "tls.", true), ("tls.*", "tls", false),
      ("tls.expired", "tls.expired", true), ("tls.expired", "tls.expiredx", false), ("*", "cancelled", true),
      ("*.reset", "connect.reset", true), ("*.reset", "connect.resets", false),
      ("t*s*d", "tls.expired", true), ("t*ss*d", "tls.expired", false), ("*e*e*", "tls.expired", true),
      ("*e*e*e*", "tls.expired", false), ("a*a", "a", false), ("**", "x", true),
    ])
  func aPatternMatchesReasons(_ pattern: String, _ reason: String, _ matches: Bool) throws {
    #expect(try ReasonPattern(pattern).matches(ReasonCode(rawValue: reason)) == matches)
    #expect(try ReasonPattern(pattern).description == pattern)
  }

  @Test(arguments: ["", "tls.?", "tls expired", "ü", String(repeating: "*", count: 101)])
  func invalidReasonPatternsAreRejected(_ text: String) {
    let error = #expect(throws: InvalidInput.self) { try ReasonPattern(text) }
    #expect(error?.remedy == "write it as tls.expired, tls.* or timeout.*")
  }

  private func exchange(
    _ url: String, _ ending: Result<ProbeResponse, ProbeFailure>
  ) throws -> ProbeExchange {
    ProbeExchange(requested: try ProbeURL(url), ending)
  }

  private func truth(_ condition: ProbeCondition, _ exchange: ProbeExchange) -> Truth {
    condition.finding(in: exchange) { $0 == .https ? .encrypted : .plaintext }.truth
  }
}
