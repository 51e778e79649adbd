import FixtureReplay
import Foundation
import Glibc
import SourceDocuments
import TestSupport
import Testing

@Suite struct DiskFilesTests {
  private func fixture(_ body: String) -> String {
    """
    version: 1
    name: x
    source: { kind: synthetic, reference: y }
    routes: [{ respond: { body: \(body) } }]
    """
  }

  private func message(_ folder: TemporaryFolder, _ fixture: String) -> String {
    FixtureLoader().load(["\(folder.path)/\(fixture)"]).flatMap(\.findings).map(\.message).joined(
      separator: "|")
  }

  @Test func filesOfTheFolderAreRead() throws {
    let folder = try TemporaryFolder([
      "f/fixture.yaml": fixture("pages/a.html"), "f/pages/a.html": "", "f/b": "page",
    ])
    #expect(unsafe symlink("../b", "\(folder.path)/f/pages/link") == 0)
    #expect(message(folder, "f") == "")
    try Data(fixture("pages/link").utf8).write(to: URL(filePath: "\(folder.path)/f/fixture.yaml"))
    let loaded = FixtureLoader().load(["\(folder.path)/f"])
    #expect(loaded.flatMap(\.findings).isEmpty)
    #expect(loaded.first?.fixture?.routes.first?.response == .respond(.init(body: Array("page".utf8))))
  }

  @Test func symbolicLinksOutOfTheFolderAreRejected() throws {
    let folder = try TemporaryFolder(["f/fixture.yaml": fixture("link"), "secret": "s", "fx/secret": "s"])
    let link = "\(folder.path)/f/link"
    for target in ["../secret", "../fx/secret", "/etc/passwd"] {
      _ = unsafe unlink(link)
      #expect(unsafe symlink(target, link) == 0)
      #expect(
        message(folder, "f")
          == "the file \"link\": a symbolic link points outside the fixture's folder", "\(target)")
    }
    for name in ["fixture.yaml", "pipeline.yaml"] {
      try folder.write("g/\(name)", "")
      _ = unsafe unlink(folder.path(of: "g/\(name)"))
      #expect(unsafe symlink("../secret", folder.path(of: "g/\(name)")) == 0)
    }
    #expect(message(folder, "g") == "a symbolic link points outside the fixture's folder")
    _ = unsafe unlink(link)
    #expect(unsafe symlink("link", link) == 0)
    #expect(message(folder, "f") == "there is no file \"link\"")
  }

  @Test func onlyRegularFilesAreRead() throws {
    let folder = try TemporaryFolder(["f/fixture.yaml": fixture("pipe"), "f/pages/a": ""])
    #expect(unsafe mkfifo("\(folder.path)/f/pipe", 0o600) == 0)
    #expect(message(folder, "f") == "\"pipe\" is not a regular file")
    try Data(fixture("pages").utf8).write(to: URL(filePath: "\(folder.path)/f/fixture.yaml"))
    #expect(message(folder, "f") == "\"pages\" is a folder")
    // Not opened to be read, where it would wait for a writer.
    _ = unsafe unlink("\(folder.path)/f/fixture.yaml")
    #expect(unsafe mkfifo("\(folder.path)/f/fixture.yaml", 0o600) == 0)
    #expect(message(folder, "f/fixture.yaml") == "cannot be read: it is not a regular file")
  }

  @Test func aFileThatIsTooLargeIsNotRead() throws {
    let folder = try TemporaryFolder(["f/fixture.yaml": fixture("large"), "f/large": ""])
    #expect(unsafe truncate("\(folder.path)/f/large", off_t(FixtureLoader.maximumFileLength) + 1) == 0)
    #expect(message(folder, "f") == "the file \"large\": the file has more than 16 MiB")
  }

  @Test func allFilesTogetherAreLimited() throws {
    let count = FixtureLoader.maximumTotalLength / FixtureLoader.maximumFileLength + 1
    let routes = (1...count).map { "{ when: { path: /\($0) }, respond: { body: f\($0) } }" }
    let folder = try TemporaryFolder([
      "f/fixture.yaml": """
      version: 1
      name: x
      source: { kind: synthetic, reference: y }
      routes: [\(routes.joined(separator: ", "))]
      """
    ])
    for number in 1...count {
      let path = try folder.write("f/f\(number)", "")
      #expect(unsafe truncate(path, off_t(FixtureLoader.maximumFileLength)) == 0)
    }
    #expect(
      message(folder, "f")
        == "the file \"f\(count)\": the files of the fixture have more than 64 MiB together")
  }

  @Test func missingFilesAreReported() throws {
    let folder = try TemporaryFolder(["f/fixture.yaml": fixture("pgae.html"), "f/page.html": ""])
    #expect(message(folder, "f") == "there is no file \"pgae.html\"")
    #expect(
      FixtureLoader().load(["\(folder.path)/f"]).flatMap(\.findings).first?.remedy
        == "did you mean page.html?")
    #expect(message(folder, "g") == "cannot be read: No such file or directory")
    #expect(message(folder, "f\0g") == "cannot be read: the path contains a NUL")
  }
}
