import BundledPlugins
import EngineProfiles
import FixtureReplay
import Foundation
import ProbeCore
import ProbePipeline
import Testing

/// Properties of every profile.
struct EngineProfileTests {
  private static let folder = "Sources/Pipelines/EngineProfiles/Profiles"

  @Test(arguments: EngineProfile.all.map(\.name)) func isAValidPipelineWithNameAndDescription(_ name: String)
    throws
  {
    let profile = try #require(EngineProfile.named(name))
    let loaded = profile.loaded(with: try .bundled)
    #expect(loaded.findings() == [])
    #expect(loaded.pipeline?.name == name)
    #expect(loaded.pipeline?.description?.isEmpty == false)
  }

  @Test func eachFileIsAProfile() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
    let variants = Set(ProfileVariantTests.variants.map(\.name))
    let profiles = EngineProfile.all.filter { !variants.contains($0.name) }
    #expect(files.sorted() == profiles.map { "\($0.name).yaml" }.sorted())
    for profile in profiles {
      let file = try String(contentsOfFile: "\(Self.folder)/\(profile.name).yaml", encoding: .utf8)
      #expect(profile.text == profile.comment + file)
    }
  }

  @Test(arguments: EngineProfile.all) func theFileBeginsWithVersionAndSource(_ profile: EngineProfile) {
    #expect(profile.text.hasPrefix(profile.comment + "version: 1\nname: \(profile.name)\n"))
  }

  @Test(arguments: EngineProfile.all) func hasAVersionASourceAndItsDay(_ profile: EngineProfile) throws {
    for text in [profile.version, profile.source.text] {
      #expect(!text.isEmpty)
      // Each is a line of a comment, and the description does not repeat it.
      let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
      #expect(lines.count == 1)
      #expect(!profile.description.contains(text))
    }
    #expect(!profile.description.contains("Version:"))
    #expect(!profile.description.contains("Source:"))
    #expect(profile.source.isOnADay)
  }

  @Test func namesAreUniqueAndTheDefaultComesFirst() {
    let names = EngineProfile.all.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(names.first == "default")
    #expect(names.dropFirst() == names.dropFirst().sorted()[...])
    #expect(EngineProfile.named("netscape") == nil)
  }

  @Test(arguments: EngineProfile.all.map(\.name)) func anOpenNetworkIsOnlineForEveryProfile(_ name: String)
    async throws
  {
    let open = try ReplayedNetwork("fixtures/worlds/open", with: .bundled)
    let plan = try #require(EngineProfile.named(name)).patientPlan
    let result = await open.run(plan)
    #expect(result.verdict == .online, "\(result.evidence.map(\.summary))")
  }

  @Test(arguments: EngineProfile.all.map(\.name)) func theEvidenceExplainsFailedProbes(_ name: String)
    async throws
  {
    let result = try await Judgement(of: name, in: SimulatedNetwork()).result
    #expect(result.verdict == (name.hasPrefix("firefox") ? .inconclusive : .offline))
    let failed = result.evidence.filter { $0.kind == .failed }
    #expect(failed.contains { $0.summary.contains("connect.reset") && !$0.probes.isEmpty }, "\(failed)")
  }
}

extension EngineProfile {
  /// The comment with which the file begins.
  fileprivate var comment: String { "# Version: \(version)\n# Source: \(source.text), \(source.date)\n" }
}
