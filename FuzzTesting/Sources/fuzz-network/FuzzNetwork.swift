import FoundationEssentials
import FuzzNetwork
import FuzzSupport
@testable import EngineProfiles
@testable import PortalAnalysis
@testable import PortalSurvey
import ProbeCore
import ProbeKit
@testable import ProbePipeline
import Synchronization

/// Any bytes as the responses of a network, with a line of equals signs between them: that to plain probes, that to
/// encrypted ones, that of the captive portal's API, that of the login page, and a certificate as DER.
///
/// They pass through everything: client, redirects, validators, the further reading of a long body, analysis, decision
/// and every report. The first byte chooses what runs: `0` a pipeline about the Internet, `1` one about services, `2`
/// a survey of a portal. Each takes bounded work, and each report is safe to print.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzNetwork(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  // A page is analysed for each probe, within the second that fuzz-page allows for one.
  checkWork(of: count, seconds: 5) { perform(bytes) }
  return 0
}

/// Creates word lists and charset tables and compiles patterns, so that no input is charged for them.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(
  _ count: UnsafeMutablePointer<CInt>?,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>?
) -> CInt {
  for charset in [
    "", "gb18030", "big5", "euc-kr", "shift_jis", "euc-jp", "iso-2022-jp", "utf-16be", "koi8-u",
  ] {
    let page = "<meta charset=\(charset)><a href=//gate.example/login>1</a><p>"
    let response = ProbeResponse(
      url: probedURL, head: HTTPResponseHead(status: 200, fields: ["Content-Type": "text/html"]),
      body: Array(page.utf8) + [0xE4, 0xF6, 0xC4, 0xE3])
    _ = ResponseAnalysis(of: response, asked: probedURL) { $0 == .http ? .plaintext : .encrypted }
  }
  let response = "HTTP/1.1 200 OK\nContent-Type: text/html\n\n<title>log in</title><p>text\u{E4}"
  for run in 0..<3 { perform(Array("\(run)\(response)\n====\n\(response)\n====\n".utf8)) }
  return 0
}

private func perform(_ bytes: [UInt8]) {
  let executor = InlineExecutor()
  let network = ScriptedNetwork(Array(bytes.dropFirst()), on: executor)
  guard let transports = try? network.transports else { preconditionFailure("no transports") }
  let choice = Int(bytes.first ?? 0) % 3
  guard choice == 2 else { return run(plans[choice], over: transports, on: executor) }
  let report = executor.run { () -> PortalReport? in
    var survey = NetworkSurvey(engines, over: transports, clock: ImmediateClock(), now: { day })
    survey.announcements = [.given("https://api.example/capport", by: "a test")]
    (survey.names, survey.isLiveNetwork, survey.countdownInterval) = (["name.example"], false, .zero)
    return await survey.survey().map(PortalReport.init)
  }
  guard let report else { preconditionFailure("no report") }
  checkReports(report, of: bytes.count)
}

private func run(_ plan: ProbePlan, over transports: TransportRegistry, on executor: InlineExecutor) {
  let runner = PipelineRunner(transports, clock: ImmediateClock(), now: { day })
  let (result, probes) = executor.run {
    let probes = Kept()
    let result = await runner.run(plan) { probes.add($1) }
    return (result, probes.all)
  }
  if let url = result.portal?.loginURL { checkOffered(url) }
  checkReports(result, probes)
}

private let day = Date(timeIntervalSince1970: 1_800_000_000)

private let plugins: PluginRegistry = {
  do { return try .bundled } catch { preconditionFailure("\(error)") }
}()

private let engines: [NetworkSurvey.Engine] = EngineProfile.all.filter {
  ["default", "android", "windows"].contains($0.name)
}.map { profile in
  do { return (profile, try profile.plan(with: plugins)) } catch { preconditionFailure("\(error)") }
}

/// Plans with every validator of responses over HTTP, and small limits, so that inputs reach them.
private let plans = [internet, services].map { text in
  do {
    let loaded = PipelineLoader(plugins).load(path: "fuzzed.yaml", bytes: Array(text.utf8))
    var plan = try loaded.plan()
    plan.stopsEarly = false
    return plan
  } catch { preconditionFailure("\(error)") }
}

private let internet = """
  version: 1
  name: internet
  policy: { https: optional, capport: "https://api.example/capport" }
  request: { maxBody: 64, retries: 1 }
  sets:
    - name: plain
      urls:
        - { url: "http://probe.example/check?x=1", validate: { contains: Success } }
        - { url: "http://other.example/204", validate: { status: 204 }, request: { redirects: 3 } }
    - name: secure
      urls: [{ url: "https://probe.example/", validate: { certificate: 14d } }]
  """

private let services = """
  version: 1
  name: services
  question: services
  policy: { https: optional }
  request: { maxBody: 4KiB }
  sets:
    - name: values
      urls:
        - url: "http://probe.example/1"
          validate: { json: [{ at: /a, above: 0, capture: a }, { at: /b, below: 1.5 }, { at: /c, equals: 3 }] }
        - url: "http://probe.example/2"
          validate:
            any:
              - { redirect: { to: "http://portal.example/*", status: 3xx } }
              - { deviation: [http09, noStatus] }
              - { header: { line: '^Retry-After: (?<n>-?\\d+)' } }
              - all: [{ header: { name: Age, capture: age } }, { not: { size: { min: 1, max: 4KiB } } }]
              - { latency: { below: 1ms, phase: firstByte } }
    - name: certificates
      urls:
        - url: "https://probe.example/3"
          validate:
            all:
              - { certificate: { issuer: o, keyBits: { rsa: 2048, ec: 256 }, signature: sha256 } }
              - { certificate: { expiresAfter: 14d, names: [probe.example] } }
    - name: steps
      steps:
        - { name: one, url: "http://probe.example/4", validate: { matches: 'token=(?<token>[^ ]+)' } }
        - { name: two, url: "http://probe.example/${steps.one.token}", request: { redirects: 2 } }
  """

/// LeakSanitizer does not see the pointers inside enums of the plans, which remain for the life of the process.
@_cdecl("__lsan_default_suppressions")
public func ignoredLeaks() -> UnsafePointer<UInt8> {
  let leaks: StaticString = "leak:SourceDocuments\n"
  return unsafe leaks.utf8Start
}

/// Results of probes, from any thread.
private final class Kept: Sendable {
  private let probes = Mutex<[ProbeResult]>([])

  var all: [ProbeResult] { probes.withLock { $0 } }

  func add(_ probe: ProbeResult) { probes.withLock { $0.append(probe) } }
}

/// A clock on which every wait is over at once.
private struct ImmediateClock: Clock {
  var now: ContinuousClock.Instant { .now }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
  }
}
