import FoundationEssentials
import ProbeCore
import ProbePipeline
import SourceDocuments
import TestSupport
import Testing

/// The files that a pipeline can send.
@Suite struct SecretFileTests {
  /// The header field that a pipeline in `pipelines` sends, or the error.
  private func field(
    _ path: String, in folder: TemporaryFolder, allowing folders: [String] = []
  ) throws -> String {
    let text = """
      version: 1
      name: p
      request: { headers: { X-Key: { file: "\(path)" } } }
      sets: [{ name: a, urls: [https://a.example/] }]
      """
    let loaded = PipelineLoader(try .ofLanguageTests).load(
      path: folder.path(of: "pipelines/p.yaml"), bytes: Array(text.utf8))
    let context = RequestContext.process.allowingSecrets(in: folders)
    do {
      let request = try loaded.plan(in: context).probes[0].request.get()
      #expect(request.otherSecrets == [Secret(request.http.headers["X-Key"] ?? "")])
      return request.http.headers["X-Key"] ?? "none"
    } catch let error as UnusablePipeline {
      return error.findings.map(\.message).joined(separator: "\n").replacing(folder.path, with: "DIR")
    }
  }

  private static let outside =
    "cannot be read: it is outside of the pipeline's folder; move it there, or allow its folder with --secrets"

  @Test func onlyFilesBelowThePipelinesFolderAreSent() throws {
    let folder = try TemporaryFolder([
      "pipelines/key": "inside\n", "pipelines/deep/key": "deep", "key": "out", "pipelines-2/key": "beside",
    ])
    #expect(try field("key", in: folder) == "inside")
    #expect(try field("deep/../key", in: folder) == "inside")
    #expect(try field("deep/key", in: folder) == "deep")
    #expect(try field(folder.path(of: "pipelines/key"), in: folder) == "inside")
    #expect(try field("../key", in: folder).hasSuffix(Self.outside))
    #expect(try field("../pipelines-2/key", in: folder).hasSuffix(Self.outside))
    #expect(try field("/etc/hostname", in: folder).hasSuffix(Self.outside))
    #expect(
      try field("missing", in: folder)
        == "the file \"DIR/pipelines/missing\" cannot be read: no such file or directory")
  }

  @Test func filesBelowAnAllowedFolderAreSent() throws {
    let folder = try TemporaryFolder(["pipelines/key": "inside", "secrets/deep/key": "allowed"])
    let path = folder.path(of: "secrets/deep/key")
    #expect(try field(path, in: folder).hasSuffix(Self.outside))
    #expect(try field(path, in: folder, allowing: [folder.path(of: "secrets")]) == "allowed")
    #expect(try field("key", in: folder, allowing: [folder.path(of: "secrets")]) == "inside")
    #expect(try field(path, in: folder, allowing: [folder.path(of: "no")]).hasSuffix(Self.outside))
  }

  @Test func symbolicLinksCannotLeaveTheFolder() throws {
    let folder = try TemporaryFolder(["pipelines/key": "inside", "key": "out"])
    let links = [("in", "key"), ("out", "../key"), ("up", "..")]
    for (name, target) in links {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path(of: "pipelines/\(name)"), withDestinationPath: target)
    }
    #expect(try field("in", in: folder) == "inside")
    #expect(try field("out", in: folder).hasSuffix(Self.outside))
    #expect(try field("up/key", in: folder).hasSuffix(Self.outside))
  }

  /// The separate keys for credentials may name any file.
  @Test func credentialsCanComeFromAnyFile() throws {
    let folder = try TemporaryFolder(["key": "out"])
    let text = """
      version: 1
      name: p
      request: { auth: { bearer: { file: ../key } } }
      sets: [{ name: a, urls: [https://a.example/] }]
      """
    let loaded = PipelineLoader(try .ofLanguageTests).load(
      path: folder.path(of: "pipelines/p.yaml"), bytes: Array(text.utf8))
    try FileManager.default.createDirectory(
      atPath: folder.path(of: "pipelines"), withIntermediateDirectories: true)
    let request = try loaded.plan().probes[0].request.get()
    #expect(request.http.credentials == .bearer(Secret("out")))
  }
}
