public import ProbeCore
public import ProbePipeline
internal import SourceDocuments

extension ProbePlan {
  /// The plan of a pipeline file, with its secrets and files read.
  ///
  /// - Parameters:
  ///   - path: The file's path, YAML or JSON; relative paths in it start at its folder.
  ///   - plugins: What the file can name.
  ///   - context: Where secrets come from.
  /// - Throws: `UnusablePipeline` with everything that is wrong.
  public init(
    file path: String, with plugins: PluginRegistry, in context: RequestContext = .process
  ) throws(UnusablePipeline) {
    let bytes: [UInt8]
    do throws(InvalidInput) {
      bytes = try DiskFiles().read(path, limit: SourceDocument.Limits().bytes)
    } catch {
      throw UnusablePipeline(findings: [SourceFinding(path: path, error)])
    }
    self = try PipelineLoader(plugins).load(path: path, bytes: bytes).plan(in: context)
  }
}
