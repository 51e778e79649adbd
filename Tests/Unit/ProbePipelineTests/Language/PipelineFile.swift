import BundledPlugins
import FoundationEssentials
import ProbeCore
import ProbePipeline
import TestSupport

/// A test file in `Files/valid` or `Files/invalid`; the expected results are in the folder `Snapshots`.
struct PipelineFile: Sendable {
  enum Table: String {
    case valid, invalid
  }

  /// The folder of both tables.
  static var folder: String {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().path + "/Files"
  }

  /// Its name, without a folder.
  let name: String
  let table: Table

  /// The names of all files of a table, in alphabetical order.
  static func names(_ table: Table) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(table.rawValue)")) ?? []
    return names.filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".json") }.sorted()
  }

  /// Its path.
  var path: String { "\(Self.folder)/\(table.rawValue)/\(name)" }

  /// The content.
  var bytes: [UInt8] {
    get throws {
      // Foundation leaks the buffer of an empty file.
      if readText(path).isEmpty { return [] }
      return Array(try Data(contentsOf: URL(filePath: path)))
    }
  }

  /// Loads the file; findings name it without its folder.
  func load() throws -> LoadedPipeline {
    PipelineLoader(try .ofLanguageTests).load(path: name, bytes: try bytes)
  }

  /// Compares a text with the stored one, and returns the latter.
  func snapshot(is text: String) throws -> String {
    try Snapshot(name, is: text, path: path).text
  }
}

extension PluginRegistry {
  /// The bundled plugins, and a user's validator and transport; no files are read.
  static var ofLanguageTests: PluginRegistry {
    get throws {
      var plugins = try PluginRegistry.bundled
      try plugins.register(ChecksumValidator.self)
      try plugins.register(LampTransport())
      plugins.transports = plugins.transports.wrapping { WithoutFiles(inner: $0) }
      return plugins
    }
  }
}

extension RequestContext {
  /// Secrets that contain their source; programs are allowed.
  static let ofLanguageTests = RequestContext { source throws(InvalidInput) in
    try source.secret(
      environment: { "secret-of-\($0)" },
      contents: { path throws(InvalidInput) in Array("secret-in-\(path)".utf8) }
    )
  }.allowingPrograms(FakeHost { _ in .none(.pluginFailed, "there is no plugin") })
}
