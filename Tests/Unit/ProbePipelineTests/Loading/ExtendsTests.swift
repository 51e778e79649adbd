import BundledPlugins
import FoundationEssentials
import ProbeCore
import ProbePipeline
import SourceDocuments
import TestSupport
import Testing

/// `extends` of pipeline files.
@Suite struct ExtendsTests {
  private static let sets = "sets: [{ name: a, urls: [https://${vars.HOST}/] }]\n"

  private static func load(_ folder: TemporaryFolder, _ name: String = "p.yaml") throws -> LoadedPipeline {
    let path = folder.path(of: name)
    return PipelineLoader(try .bundled).load(path: path, bytes: Array(readText(path).utf8))
  }

  private static func findings(_ folder: TemporaryFolder, _ name: String = "p.yaml") throws -> [String] {
    try load(folder, name).findings().map {
      $0.description.replacing(folder.path + "/", with: "").split(separator: "\n").first.map(String.init)
        ?? ""
    }
  }

  @Test func settingsAreInheritedKeyByKey() throws {
    let folder = try TemporaryFolder([
      "p.yaml": """
      version: 1
      name: p
      extends: base/team.yaml
      vars: { SITE: own }
      request: { timeout: 2s, headers: { A: own } }
      sets: [{ name: a, urls: ["https://${vars.HOST}/${vars.SITE}", "http://h.example/"] }]
      """,
      "base/team.yaml": """
      version: 1
      description: for all
      extends: company.yaml
      run: { concurrency: 3 }
      request: { timeout: 9s, retries: 2, headers: { B: base } }
      vars: { HOST: team.example }
      """,
      "base/company.yaml": """
      version: 1
      policy: { https: optional }
      run: { concurrency: 9, perHost: 2 }
      vars: { HOST: company.example, SITE: company }
      decide: [{ when: { set: a, met: true }, verdict: online }]
      """,
    ])
    let loaded = try Self.load(folder)
    #expect(loaded.findings().map(\.description) == [])
    #expect(loaded.extendedFiles.map { $0.split(separator: "/").last } == ["team.yaml", "company.yaml"])
    let plan = try loaded.plan()
    #expect(plan.policy == .plaintextAllowed)
    #expect((plan.run.concurrency, plan.run.perHost) == (3, 2))
    #expect(plan.decide?.count == 1)
    let request = try plan.probes[0].request.get()
    #expect(request.url.string == "https://team.example/own")
    #expect((request.timeout, request.retries) == (.seconds(2), 2))
    #expect(request.http.headers == ["A": "own"])
  }

  @Test func errorsAreReportedAtTheirLocations() throws {
    let folder = try TemporaryFolder([
      "p.yaml":
        "version: 1\nname: p\nextends: base.yaml\nrequest: { timeuot: 1s }\nsets: [{ name: a, urls: [ftp://a/] }]",
      "base.yaml":
        "version: 1\n# größer\nrequest: { retries: many, maxBody: 1XB }\nsets: []\npolcy: {}\nrun: { deadline: 0s }",
      "broken.yaml":
        "version: 1\nname: p\nextends: cut.yaml\nsets: [{ name: a, urls: [https://a.example/] }]\n",
      "cut.yaml": "\u{FEFF}version: 2\nrequest: { headers: { Authorization: canary",
    ])
    #expect(
      try Self.findings(folder) == [
        "p.yaml:4:12: request has an unknown key \"timeuot\": did you mean timeout?",
        "p.yaml:5:26: the scheme ftp is unknown: use one of dns, dns+https, dns+tls, http, https, icmp, tcp, tls, udp",
        "base.yaml:3:21: retries must be a whole number, not \"many\"",
        "base.yaml:3:36: the size \"1XB\" has an unknown unit: use B, kB, MB, GB, KiB, MiB or GiB",
        "base.yaml:4:1: a file that is extended has settings only, no sets: move them to the pipelines that extend it",
        "base.yaml:5:1: the file has an unknown key \"polcy\": did you mean policy?",
        "base.yaml:6:18: the time \"0s\" is out of bounds: use one from 1ms to 1d",
      ])
    let broken = try Self.findings(folder, "broken.yaml")
    #expect(broken.allSatisfy { $0.hasPrefix("cut.yaml:") && !$0.contains("canary") }, "\(broken)")
    #expect(!broken.isEmpty)
    #expect(!(try Self.load(folder, "broken.yaml").findings().description.contains("canary")))
  }

  @Test func filesOutsideTheFolderAreNotRead() throws {
    let folder = try TemporaryFolder(["in/deep/ok.yaml": "version: 1", "out.yaml": "version: 1"])
    try FileManager.default.createSymbolicLink(
      atPath: folder.path(of: "in/link.yaml"), withDestinationPath: "../out.yaml")
    for (file, isRead) in [
      ("deep/ok.yaml", true), ("deep/../deep/ok.yaml", true), ("../out.yaml", false), ("link.yaml", false),
      (folder.path(of: "out.yaml"), false), (folder.path(of: "in/deep/ok.yaml"), true),
    ] {
      try folder.write(
        "in/p.yaml", "version: 1\nname: p\nextends: \(file)\nsets: [{ name: a, urls: [https://a.example/] }]")
      let findings = try Self.load(folder, "in/p.yaml").findings()
      #expect(findings.isEmpty == isRead, "\(file): \(findings)")
      if !isRead {
        #expect(findings.first?.message.hasSuffix("is outside of the pipeline's folder") == true)
        #expect(findings.first?.location == FileLocation(line: 3, column: 10))
      }
    }
    try folder.write(
      "in/p.yaml", "version: 1\nname: p\nextends: no.yaml\nsets: [{ name: a, urls: [https://a.example/] }]")
    #expect(
      try Self.findings(folder, "in/p.yaml") == [
        "in/p.yaml:3:10: the file \"\(folder.path)/in/no.yaml\" cannot be read: no such file or directory"
          .replacing(folder.path + "/", with: "")
      ])
  }

  @Test func longAndCyclicChainsAreRejected() throws {
    var files = [
      "p.yaml": "version: 1\nname: p\nextends: 1.yaml\nsets: [{ name: a, urls: [https://a.example/] }]"
    ]
    for number in 1...20 { files["\(number).yaml"] = "version: 1\nextends: \(number + 1).yaml" }
    #expect(
      try Self.findings(TemporaryFolder(files)) == [
        "8.yaml:2:10: more than 8 files extend each other: combine settings into fewer files"
      ])
    files["2.yaml"] = "version: 1\nextends: ./1.yaml"
    #expect(
      try Self.findings(TemporaryFolder(files)) == [
        "2.yaml:2:10: the file \"./1.yaml\" extends itself: name another file"
      ])
    files["1.yaml"] = "version: 1\nextends: p.yaml"
    #expect(
      try Self.findings(TemporaryFolder(files)) == [
        "1.yaml:2:10: the file \"p.yaml\" extends itself: name another file"
      ])
  }
}
