import FixtureCapture
import FixtureReplay
import PortalAnalysis
import ProbeCore
import ProbePipeline

/// Runs a plan and writes the exchanges as a fixture, to a new folder.
func capture(_ plan: ProbePlan, with plugins: PluginRegistry, to path: String) async throws {
  let recorder = ExchangeRecorder()
  let result = await PipelineRunner(recorder.recording(plugins.transports)).run(plan)
  let folder = try CaptureFolder(path)
  var fixture = CapturedFixture(
    name: folder.name, source: FixtureSource(kind: .captured, reference: "the network of the lobby"),
    exchanges: recorder.exchanges, redaction: CaptureRedaction(learningFrom: recorder.exchanges))
  fixture.finding = .init(verdict: result.verdict, loginURL: result.portal?.loginURL)
  try folder.write(fixture.files())
}
