import Foundation
import PortalAnalysis
import ProbeCore
import ProbePipeline
import Transports

/// A readable summary of a plan that can be compared with its file; default values are omitted.
struct PlanOutline {
  private(set) var lines: [String] = []

  init(_ plan: ProbePlan) {
    let limits = plan.run
    lines.append("pipeline \(Excerpt(plan.name))")
    lines.append("  https \(plan.policy.httpsOnly ? "required" : "optional"), success \(plan.success)")
    lines.append(
      "  \(limits.concurrency) at a time, \(limits.perHost) a host, deadline "
        + (limits.deadline.map(ValueSyntax.text) ?? "none"))
    if let capport = plan.capport { lines.append("  capport \(capport)") }
    if plan.asksAnnouncedCapport { lines.append("  capport as announced") }
    if plan.asksCapportFirst { lines.append("  capport first") }
    if !plan.stopsEarly { lines.append("  probes everything") }
    for set in plan.sets { add(set) }
    for rule in plan.decide ?? [] {
      let sources = (rule.loginURL.map(\.rawValue) + [rule.opens?.string].compactMap(\.self))
        .joined(separator: ", ")
      let login = sources.isEmpty ? "" : ", log in at \(sources)"
      lines.append("decide \(rule.verdict)\(login): \(rule.condition.outline)")
    }
  }

  /// All lines, each with a line break.
  var text: String { lines.map { $0 + "\n" }.joined() }

  private mutating func add(_ set: PlannedSet) {
    let kind = (set.isRequired ? "required" : "optional") + (set.start == .always ? "" : ", a fallback")
    lines.append("set \(Excerpt(set.name)), \(kind), threshold \(set.threshold) of \(set.probes.count)")
    if let policy = set.policy { lines.append("  https \(policy.httpsOnly ? "required" : "optional")") }
    lines += outline(of: set.labels).map { "  " + $0 }
    for probe in set.probes {
      lines.append("  \(probe.url)" + (probe.family.map { " by \($0)" } ?? ""))
      if let name = probe.name { lines.append("    named \(Excerpt(name))") }
      lines += outline(of: probe.labels).map { "    " + $0 }
      switch probe.request {
      case .success(let request): lines += request.outline(of: probe.url).map { "    " + $0 }
      case .failure(let failure): lines.append("    cannot be asked: \(failure)")
      }
      lines += probe.judge.outline.map { "    " + $0 }
    }
  }
}

private func outline(of labels: [String: String]) -> [String] {
  labels.sorted { $0.key < $1.key }.map { "label \($0.key) \(Excerpt($0.value))" }
}

extension ProbeRequest {
  /// The settings that differ from those of a default request.
  fileprivate func outline(of text: String) -> [String] {
    let usual = ProbeRequest(url)
    var lines: [String] = []
    func add(_ name: String, _ value: some Equatable, _ other: some Equatable) {
      if "\(value)" != "\(other)" { lines.append("\(name) \(value)") }
    }
    add("url", "\(url)", text)
    add("timeout", ValueSyntax.text(of: timeout), ValueSyntax.text(of: usual.timeout))
    add("redirects", redirects, usual.redirects)
    add("maxBody", maxBody, usual.maxBody)
    add("retries", retries, usual.retries)
    add(
      "backoff", "\(backoff.initial) to \(backoff.maximum)",
      "\(usual.backoff.initial) to \(usual.backoff.maximum)")
    add("family", family.map { "\($0)" } ?? "any", "any")
    add("leaving by", source.map { "\($0)" } ?? "", "")
    for rule in connectTo {
      lines.append(
        "connect to \(rule.targetHost ?? "*"):\(rule.targetPort.map(String.init) ?? "*") instead of "
          + "\(rule.host ?? "*"):\(rule.port.map(String.init) ?? "*")")
    }
    if let check = self[ProgramCheck.self] {
      lines.append(
        "program \(check.program.arguments.map { "\(Excerpt($0))" }.joined(separator: " "))"
          + (check.acceptsWarnings ? ", warnings accepted" : "")
          + (check.program.isSandboxed ? ", sandboxed" : ""))
      add("environment", check.program.environment, [String]())
      add("memory", check.program.limits.memory, ProgramLimits().memory)
    }
    if let proxy {
      lines.append("proxy \(proxy) as \(proxy.user ?? "nobody") with \(proxy.password.outline)")
    }
    add("method", http.method, usual.http.method)
    for field in http.headers { lines.append("header \(field.name): \(Excerpt(field.value))") }
    if let body = http.body { lines.append("body \(Excerpt(body))") }
    add("user agent", http.userAgent, usual.http.userAgent)
    if let credentials = http.credentials { lines.append("shows \(credentials.fieldValue.withText { $0 })") }
    if let authorities = tls.additionalAuthorities { lines.append("trusts \(authorities)") }
    if let certificate = tls.clientCertificate {
      lines.append(
        "certificate \(certificate.certificateFile), key \(certificate.keyFile ?? "in it"), "
          + "passphrase \(certificate.passphrase.outline)")
    }
    if let greeting = self[Greeting.self] {
      lines.append("greets \(Excerpt(greeting.text)) \(greeting.times) times")
    }
    if let dialog = self[Dialog.self] { lines += DialogOutline.lines(of: dialog) }
    if expectation != nil { lines.append("receives until the judge is content") }
    return lines
  }
}

extension Secret? {
  fileprivate var outline: String {
    map { secret in secret.withText { "the secret \(Excerpt($0))" } } ?? "no secret"
  }
}

extension ProbeJudge {
  /// The results for several responses, which are more informative than its parts.
  fileprivate var outline: [String] {
    switch self {
    case .validator(let validator): validator.verdicts.map { "judges " + $0 }
    case .rules(let rules):
      rules.map { rule in
        "classify \(rule.outcome)\(rule.reason.map { " as \($0)" } ?? ""): \(rule.condition.outline)"
      }
    }
  }
}

extension ResponseValidator {
  /// The results for a list of responses, of which it accepts few.
  fileprivate var verdicts: [String] {
    var lines: [String] = []
    for (name, response) in SampleResponses.all {
      let verdict = validate(response).rejection.map { "expects \($0.expected)" } ?? "accepts \(name)"
      if !lines.contains(verdict) { lines.append(verdict) }
    }
    return lines
  }
}

extension ProbeCondition {
  fileprivate var outline: String {
    switch self {
    case .validator(let validator): validator.verdicts.joined(separator: " / ")
    case .partial(let validator): "so far: \(validator.verdicts.joined(separator: " / "))"
    case .reason(let pattern): "reason \(pattern)"
    case .redirect(let kind): "redirect \(kind)"
    case .all(let parts): "all(\(parts.map(\.outline).joined(separator: ", ")))"
    case .any(let parts): "any(\(parts.map(\.outline).joined(separator: ", ")))"
    case .not(let part): "not(\(part.outline))"
    }
  }
}

extension DecisionCondition {
  fileprivate var outline: String {
    switch self {
    case .met(let set, let isMet): "\(Excerpt(set)) is \(isMet ? "met" : "not met")"
    case .outcome(let set, let outcome, let count): "\(count) of \(Excerpt(set)) \(outcome)"
    case .reason(let set, let pattern): "a reason \(pattern) in \(Excerpt(set))"
    case .capport(let state): "capport \(state)"
    case .userPortalURL(let isNamed): "\(isNamed ? "a" : "no") page to log in at"
    case .all(let parts): "all(\(parts.map(\.outline).joined(separator: ", ")))"
    case .any(let parts): "any(\(parts.map(\.outline).joined(separator: ", ")))"
    case .not(let part): "not(\(part.outline))"
    }
  }
}
