import ProbePipeline
import ProbeReporting

/// Reports of a run for a person and for a program.
func reports(of result: RunResult) throws -> (text: String, json: String) {
  (TextReport(result).text, try JSONReport(result).text())
}
