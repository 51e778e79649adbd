internal import ProbeCore

extension TransportRuleCheck {
  /// Checks that the content is received as sent, whole or up to the limit.
  mutating func checkResponses(_ when: String = "") async {
    report.check(.transportResponse)
    for (scenario, content) in respondingScenarios {
      await check(scenario, content, when)
      guard when.isEmpty, !content.isEmpty else { continue }
      for limit in Set([content.count - 1, 0]) { await check(scenario, content, cutAt: limit) }
    }
  }

  private mutating func check(_ scenario: TransportScenario, _ content: [UInt8], _ when: String) async {
    // A limit equal to the length must not cut the content.
    let request = scenario.adjusted { $0.maxBody = content.count }
    let timedResult = await timedResult(of: request, on: scenario.name + when)
    guard let response = timedResult.response else {
      return report.violate(.transportResponse, timedResult.inShort, on: scenario.name + when)
    }
    guard response.body.count <= content.count else { return }
    if response.body != content {
      let seen = "\(Excerpt(response.body)) in place of \(Excerpt(content))"
      report.violate(.transportResponse, seen, on: scenario.name + when)
    } else if response.bodyIsCut {
      let seen = "bodyIsCut with all \(content.count) bytes there"
      report.violate(.transportMaxBody, seen, on: scenario.name + when)
    }
  }

  private mutating func check(_ scenario: TransportScenario, _ content: [UInt8], cutAt limit: Int) async {
    report.check(.transportMaxBody)
    let input = "\(scenario.name) with maxBody \(limit)"
    let timedResult = await timedResult(of: scenario.adjusted { $0.maxBody = limit }, on: input)
    guard let response = timedResult.response else {
      return report.violate(.transportMaxBody, timedResult.inShort, on: input)
    }
    guard response.body.count <= limit else { return }
    // With an expectation, a transport may stop before the limit, because it has received enough.
    let hasSeenEnough = scenario.request.expectation != nil && !response.bodyIsCut
    if !content.starts(with: response.body) {
      report.violate(.transportMaxBody, "\(Excerpt(response.body)), not the start of the content", on: input)
    } else if response.body.count < limit, !hasSeenEnough {
      report.violate(.transportMaxBody, "only \(response.body.count) of \(limit) bytes", on: input)
    } else if response.body.count == limit, !response.bodyIsCut {
      report.violate(.transportMaxBody, "there was more, and bodyIsCut is false", on: input)
    }
  }

  /// Checks that redirects are returned as responses.
  mutating func checkRedirects() async {
    let chosen = scenarios(for: .transportRedirect, "that redirects") { kind in
      if case .redirects = kind { true } else { false }
    }
    for scenario in chosen {
      guard case .redirects(let location) = scenario.kind else { continue }
      let request = scenario.adjusted { $0.redirects = 5 }
      let timedResult = await StartedProbe(request, over: transport).timedResult(
        patience: request.timeout + patience)
      if let head = timedResult.response?.head, head.isRedirect, head.fields["Location"] == location {
        check(timedResult, of: request, on: scenario.name)
      } else {
        let seen = "\(timedResult.inShort), not a redirect to \(Excerpt(location))"
        report.violate(.transportRedirect, seen, on: scenario.name)
      }
    }
  }

  /// Checks that an endless body is cut.
  mutating func checkEndlessBodies() async {
    let limit = 10_000
    for scenario in scenarios(for: .transportMaxBody, "with an endless body", where: { $0 == .endlessBody }) {
      let timedResult = await timedResult(of: scenario.adjusted { $0.maxBody = limit }, on: scenario.name)
      guard let response = timedResult.response else {
        report.violate(.transportMaxBody, timedResult.inShort, on: scenario.name)
        continue
      }
      if response.body.count <= limit, !response.bodyIsCut {
        let seen = "\(response.body.count) bytes of \(limit), and bodyIsCut is false"
        report.violate(.transportMaxBody, seen, on: scenario.name)
      }
    }
  }

  /// Checks that a head beyond the limit is a failure.
  mutating func checkHugeHeads() async {
    for scenario in scenarios(for: .transportMaxHead, "with a huge head", where: { $0 == .hugeHead }) {
      let timedResult = await timedResult(of: scenario.adjusted { $0.maxHead = 1024 }, on: scenario.name)
      guard let response = timedResult.response else { continue }
      let size = response.head?.fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count } ?? 0
      report.violate(
        .transportMaxHead, "an answer with \(size) bytes of header fields, with maxHead 1024",
        on: scenario.name)
    }
  }

  /// Checks that a refused connection is a failure.
  mutating func checkRefusals() async {
    let chosen = scenarios(for: .transportRefusal, "that refuses") { kind in
      if case .refuses = kind { true } else { false }
    }
    for scenario in chosen {
      guard case .refuses(let reason) = scenario.kind else { continue }
      let timedResult = await timedResult(of: scenario.request, on: scenario.name)
      // An error of another type has been reported already.
      if let failure = timedResult.error as? ProbeFailure, failure.reason != reason {
        report.violate(.transportRefusal, "\(failure.reason) in place of \(reason)", on: scenario.name)
      } else if let response = timedResult.response {
        report.violate(.transportRefusal, "an answer of \(response.body.count) bytes", on: scenario.name)
      }
    }
  }
}
