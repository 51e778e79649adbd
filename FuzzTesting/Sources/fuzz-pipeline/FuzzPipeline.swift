import BundledPlugins
import Glibc
@testable import ProbeCore
import ProbePipeline
@testable import SourceDocuments
@testable import ProbeBase

/// The plugins that pipelines can name; created once, as in a program.
private let plugins: PluginRegistry = {
  do throws(InvalidInput) {
    return try .bundled
  } catch {
    preconditionFailure("\(error)")
  }
}()

/// Any bytes as a pipeline file: it is loaded, or all errors are reported, the same each time, in
/// bounded work.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPipeline(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  let before = processorTime()
  let loaded = PipelineLoader(plugins).load(path: "f.yaml", bytes: bytes)
  let findings = loaded.findings()
  // The sanitizer and the coverage take time, too: users are promised a tenth of this.
  precondition(processorTime() - before < 1, "more than a second of work for \(count) bytes")
  precondition(loaded.pipeline != nil || !findings.isEmpty, "neither a pipeline nor a finding")
  for finding in findings { check(finding, in: bytes) }
  let again = PipelineLoader(plugins).load(path: "f.yaml", bytes: bytes)
  precondition(again.findings() == findings, "other findings the second time")
  if findings.isEmpty { checkPlan(of: loaded) }
  return 0
}

/// Checks that a finding is inside the file, and is safe for a terminal.
private func check(_ finding: SourceFinding, in bytes: [UInt8]) {
  guard let location = finding.location else { preconditionFailure("a finding without a place: \(finding)") }
  // A CR alone and a CRLF end a line, too.
  let lines = 1 + bytes.count { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
  precondition((1...lines).contains(location.line), "a line beyond the file: \(finding)")
  precondition((1...(bytes.count + 1)).contains(location.column), "a column beyond the file: \(finding)")
  for scalar in finding.description.unicodeScalars {
    let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    precondition(!isControl || scalar == "\n", "a control character in \(Array(finding.description.utf8))")
  }
}

/// Checks that a file without findings becomes a plan, unless a secret is missing, and that no program
/// is started.
private func checkPlan(of loaded: LoadedPipeline) {
  let context = RequestContext { source throws(InvalidInput) in
    try source.secret(
      environment: { _ in "secret" }, contents: { _ throws(InvalidInput) in Array("secret".utf8) })
  }
  do throws(UnusablePipeline) {
    let plan = try loaded.plan(in: context.allowingPrograms(NoPrograms()))
    precondition(!plan.sets.isEmpty && plan.sets.allSatisfy { !$0.probes.isEmpty }, "a plan without probes")
  } catch {
    // The files that it names do not exist.
    let areAboutFiles = error.findings.allSatisfy {
      $0.message.contains("file") || $0.message.contains("read")
    }
    precondition(areAboutFiles, "a file without findings cannot be planned: \(error.findings)")
  }
}

/// Allows programs, none of which may be started.
private final class NoPrograms: ProgramHost {
  func run(_ program: Program, input: [UInt8], within limit: Duration) async -> ProgramRun {
    preconditionFailure("a program is started")
  }

  func query(_ plugin: PluginProgram, _ message: [UInt8], within limit: Duration) async -> PluginResponse {
    preconditionFailure("a plugin is started")
  }
}

/// The processor time of this process, in seconds.
private func processorTime() -> Double {
  var time = timespec()
  unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
