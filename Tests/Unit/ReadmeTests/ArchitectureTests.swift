import Foundation
import TestSupport
import Testing
import TestRequirements

/// The layers of the package: Package.swift is compared with the imports, and docs/architecture.md with Package.swift.
@Suite struct ArchitectureTests {
  private static let architecture = Result { try Architecture() }

  /// A dependency on a layer above, and the reason; none is needed now.
  private static let upward: [String: String] = [:]

  /// A dependency on a plugin, of a target other than `BundledPlugins`, and the reason.
  private static let plugins = [
    "ConnectivityKit BundledPlugins": "the monitor for programs that need no others",
    "ConnectivityMonitor Validators": "pipelines made of URLs of the options of Connectivity",
    "ProbeCommand CurlTransport": "the version of libcurl, and what it supports",
    "ProbeCommand Transports": "the transports that options and dialogs configure",
    "ProbeCommand Validators": "the validators of options such as --contains",
    "ProbeKit BundledPlugins": "the kit for everyday use",
    "ProbeKit Transports": "the kit for everyday use",
    "ProbeKit Validators": "the kit for everyday use",
    "ProbeTesting Transports": "the conformance of plugins in processes",
    "Transports Validators": "the results of a dialog are judged by its validators",
    "probekit BundledPlugins": "the executable",
  ]

  /// A C library that a second target imports, and the reason; there is none now.
  private static let sharedLibraries: [String: String] = [:]

  /// A dependency of a target in C on a library, and the reason.
  private static let compiled = [
    "CProbeHTML CProbeGumbo": "gumbo within limits of time and memory, by setjmp",
    "CProbeTLSStart CProbeOpenSSL": "OpenSSL starts before main",
  ]

  /// How an include of a library begins, and the folder of its wrapper.
  private static let libraries = [
    "ares.h": "Ares", "brotli/": "Brotli", "crypt.h": "Crypt", "curl/": "Curl", "gumbo.h": "Gumbo",
    "idn2.h": "IDN2",
    "jansson.h": "Jansson", "ldns/": "LDNS", "libpsl.h": "PSL", "linux/if_": "Netlink",
    "linux/netlink.h": "Netlink",
    "linux/rtnetlink.h": "Netlink", "openssl/": "OpenSSL", "pcre2.h": "PCRE2", "yaml.h": "YAML",
    "zlib.h": "Zlib",
    "zstd": "Zstd",
  ]

  /// How an include of the C library or the kernel begins.
  private static let system = [
    "arpa/", "errno.h", "fcntl.h", "linux/", "malloc.h", "netdb.h", "netinet/", "pthread.h", "sched.h",
    "setjmp.h",
    "signal.h", "std", "string.h", "sys/", "time.h", "unistd.h",
  ]

  @Test func aTargetDependsOnItsLayerAndThoseBelow() throws {
    let architecture = try Self.architecture.get()
    var needed: Set<String> = []
    for target in architecture.targets {
      for name in target.dependencies {
        let other = try #require(architecture.targets.first { $0.name == name }, "\(target.name): \(name)")
        guard other.layer > target.layer else { continue }
        let edge = "\(target.name) \(name)"
        needed.insert(edge)
        #expect(
          Self.upward[edge] != nil,
          "\(target.name) of \(target.layerName) depends on \(name) of \(other.layerName)")
      }
    }
    #expect(Set(Self.upward.keys).subtracting(needed) == [], "exceptions that are not needed")
  }

  @Test func pluginsAreLeaves() throws {
    let architecture = try Self.architecture.get()
    let plugins = Set(architecture.targets.filter { $0.layerName == "Plugins" }.map(\.name))
    let edges = architecture.targets.filter { $0.name != "BundledPlugins" }.flatMap { target in
      target.dependencies.filter(plugins.contains).map { "\(target.name) \($0)" }
    }
    #expect(Set(edges) == Set(Self.plugins.keys))
  }

  @Test(.heavy) func aTargetDeclaresWhatItImportsAndImportsWhatItDeclares() throws {
    let architecture = try Self.architecture.get()
    let programs = Set(architecture.programs)
    for target in architecture.all where !target.name.hasPrefix("CProbe") {
      let imports = try architecture.imports(of: target)
      let declared = Set(target.dependencies)
      #expect(imports.subtracting(declared) == [], "\(target.name) imports what it does not declare")
      let idle = declared.subtracting(imports).filter { !(target.isTest && programs.contains($0)) }
      #expect(idle == [], "\(target.name) declares what it does not import")
    }
  }

  @Test(arguments: [
    ("import A", "A"), ("@testable import A", "A"), ("@_exported public import A", "A"),
    ("import struct A.B", "A"),
    ("  package import let A.b", "A"), ("import\tA;", "A"), ("@preconcurrency internal import A // why", "A"),
    ("// import A", nil), ("/// an import A", nil), ("let text = \"import A\"", nil), ("important A", nil),
  ])
  func formsOfImports(_ line: String, _ module: String?) {
    #expect(Architecture.module(importedIn: line[...]).map(String.init) == module)
  }

  /// What a file that is not named after a type has.
  private static let namedOtherwise = [
    "Deprecated": "the names of the last version", "Exports": "the modules that an import includes",
    "ConnectivityKit": "the modules of the product", "ProbeKit": "the modules of the product",
    "ProbeReplay": "the modules of the product", "RequestKey+Values": "the values of keys in files",
  ]

  @Test(.heavy) func aFileIsNamedAfterAType() throws {
    let architecture = try Self.architecture.get()
    for target in architecture.targets where !target.name.hasPrefix("CProbe") {
      for (path, text) in try architecture.files(of: target, [".swift"]) {
        let name = path.split(separator: "/").last?.split(separator: ".").first ?? ""
        let stem = name.split(separator: "+").first ?? name
        guard Self.namedOtherwise[String(name)] == nil else { continue }
        var names: Set<Substring> = text.contains("extension [") ? ["Array"] : []
        for type in text.matches(of: Self.declaration).map(\.output.3) {
          names.formUnion(type.split(separator: "."))
        }
        #expect(names.contains(stem), "\(target.name): \(path)")
      }
    }
  }

  @Test(.heavy) func aNameHasOneType() throws {
    let architecture = try Self.architecture.get()
    var owners: [Substring: Set<String>] = [:]
    for target in architecture.targets where !target.name.hasPrefix("CProbe") {
      for text in try architecture.files(of: target, [".swift"]).values {
        for found in text.matches(of: Self.declaration).map(\.output)
        where found.2 != "extension" && !found.1.contains("private") {
          owners[found.3, default: []].insert(target.name)
        }
      }
    }
    let modules = Set(architecture.targets.map(\.name))
    for (name, owners) in owners {
      #expect(owners.count == 1, "\(name) is declared in \(owners.sorted())")
      #expect(!modules.contains(String(name)), "a module and a type are called \(name)")
    }
  }

  /// A declaration at the beginning of a line: its modifiers, its kind and its name.
  private static var declaration: Regex<(Substring, Substring, Substring, Substring)> {
    /(?m)^((?:@\w+(?:\([^)]*\))? )*(?:(?:public|package|internal|fileprivate|private|final|indirect) )*)(struct|enum|class|protocol|actor|typealias|extension) ([\w.]+)/
  }

  @Test func aLibraryInCHasOneWrapper() throws {
    let architecture = try Self.architecture.get()
    var needed: Set<String> = []
    for library in architecture.targets
    where library.name.hasPrefix("CProbe") && library.name != "CProbeSystem" {
      var users = architecture.targets.filter { target in
        target.dependencies.contains(library.name) && !target.name.hasPrefix("CProbe")
      }.map(\.name)
      if users.count > 1 {
        users.removeAll { user in
          guard Self.sharedLibraries["\(user) \(library.name)"] != nil else { return false }
          needed.insert("\(user) \(library.name)")
          return true
        }
      }
      #expect(users.count == 1, "\(library.name) is used by \(users)")
    }
    #expect(Set(Self.sharedLibraries.keys).subtracting(needed) == [], "exceptions that are not needed")
  }

  /// A target in C includes its library only, so that no other target needs the headers of that library.
  @Test func aHeaderOfALibraryIsIncludedByItsWrapper() throws {
    let architecture = try Self.architecture.get()
    var edges: Set<String> = []
    for target in architecture.targets where target.layerName == "C" {
      for text in try architecture.files(of: target, [".c", ".h"]).values {
        for include in text.matches(of: /(?m)^\s*#\s*include\s*<([^>]+)>/).map(\.output.1) {
          let library = Self.libraries.first { include.hasPrefix($0.key) }?.value
          if let library, "CProbe\(library)" != target.name {
            edges.insert("\(target.name) CProbe\(library)")
          }
          #expect(
            library != nil || Self.system.contains(where: include.hasPrefix), "\(target.name): \(include)")
        }
      }
      for name in target.dependencies { edges.insert("\(target.name) \(name)") }
    }
    #expect(edges == Set(Self.compiled.keys))
    #expect(Set(Self.libraries.values.map { "CProbe\($0)" }) == Set(architecture.wrappers))
  }

  @Test func theTestsOfATargetDependOnIt() throws {
    let architecture = try Self.architecture.get()
    let targets = Set(architecture.targets.map(\.name))
    var found = 0
    for tests in architecture.all where tests.isTest {
      let name = String(tests.name.dropLast("Tests".count))
      guard targets.contains(name) else { continue }
      found += 1
      #expect(tests.dependencies.contains(name), "\(tests.name)")
    }
    #expect(found > 25)
  }

  @Test func aFolderHasTheNameOfItsTarget() throws {
    let architecture = try Self.architecture.get()
    func folders(_ path: String) throws -> Set<String> {
      Set(try FileManager.default.contentsOfDirectory(atPath: projectFile(path).path))
    }
    #expect(try folders("Sources") == Set(Architecture.layers).subtracting(["Plugins"]))
    for layer in Architecture.layers {
      let expected = architecture.targets.filter { $0.layerName == layer }.map {
        $0.name.hasPrefix("CProbe") ? String($0.name.dropFirst(6)) : $0.name
      }
      let folder = layer == "Plugins" ? layer : "Sources/\(layer)"
      #expect(try folders(folder) == Set(expected), "\(folder)")
    }
    for folder in ["Tests/Support", "Tests/Unit"] {
      let expected = architecture.all.filter { $0.path == "\(folder)/\($0.name)" }.map(\.name)
      #expect(try folders(folder) == Set(expected), "\(folder)")
    }
    #expect(Set(architecture.all.map(\.name)).count == architecture.all.count)
  }

  /// Run with UPDATE_SNAPSHOTS=1 to write it.
  @Test func theDrawingIsThatOfThePackage() throws {
    let drawing = try Self.architecture.get().drawing
    let file = projectFile("docs/layers.svg")
    if ProcessInfo.processInfo.environment["UPDATE_SNAPSHOTS"] == "1" {
      try Data(drawing.utf8).write(to: file)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == drawing)
  }

  @Test func theTreeOfThePageIsThatOfThePackage() throws {
    let page = try String(contentsOf: projectFile("docs/architecture.md"), encoding: .utf8)
    let tree = try #require(page.firstMatch(of: /```text\n(Sources\/[\s\S]*?)```/)).output.1
    var layers: [String] = []
    var found: [String] = []
    for line in tree.split(separator: "\n") {
      let word = line.split(separator: " ").first ?? ""
      if line.first != " " {
        layers.append(String(word.split(separator: "/").last ?? ""))
      } else if layers.last == "C" {
        found += line.matches(of: /(\w+):/).map { "C CProbe\($0.output.1)" }
      } else {
        found.append("\(layers.last ?? "") \(word)")
      }
    }
    #expect(layers == Architecture.layers)
    let architecture = try Self.architecture.get()
    // The first line says what the wrappers are.
    let targets = architecture.targets.filter { !architecture.wrappers.contains($0.name) }
    #expect(found.sorted() == targets.map { "\($0.layerName) \($0.name)" }.sorted())
  }
}

/// The targets of Package.swift, by their layers.
private struct Architecture {
  struct Target {
    let name: String
    let path: String
    let dependencies: [String]
    /// The position of its layer, from the lowest.
    let layer: Int
    let layerName: String

    var isTest: Bool { path.hasPrefix("Tests/Unit/") }
  }

  /// The layers from the lowest to the highest.
  static let layers = [
    "C", "Base", "System", "Probing", "Portals", "Pipelines", "Plugins", "Replay", "Features", "Kits",
    "Command",
  ]

  /// The targets of the layers.
  let targets: [Target]
  /// These, and those of the tests.
  let all: [Target]
  /// The executables.
  let programs: [String]
  /// The targets that are a module map for a library.
  let wrappers: [String]

  init() throws {
    let text = try String(contentsOf: projectFile("Package.swift"), encoding: .utf8)
    var targets: [Target] = []
    var others: [Target] = []
    var programs = ["probekit"]
    var wrappers: [String] = []
    func names(_ list: Substring?) -> [String] {
      (list ?? "").matches(of: /"([^"]+)"/).map { String($0.output.1) }
    }
    func add(_ name: Substring, _ path: String, _ dependencies: [String]) {
      let parts = path.split(separator: "/").map(String.init)
      let layerName = parts[0] == "Plugins" ? "Plugins" : parts[0] == "Sources" ? parts[1] : ""
      let layer = Self.layers.firstIndex(of: layerName)
      let target = Target(
        name: String(name), path: path, dependencies: dependencies, layer: layer ?? .max, layerName: layerName
      )
      if layer == nil { others.append(target) } else { targets.append(target) }
    }
    for match in text.matches(of: /library\(\s*"(\w+)", "/) {
      add("CProbe\(match.output.1)"[...], "Sources/C/\(match.output.1)", [])
      wrappers.append("CProbe\(match.output.1)")
    }
    for match in text.matches(
      of:
        /\.(systemLibrary|target|executableTarget)\(\s*name: "(\w+)"(?:,\s*dependencies: \[([^\]]*)\])?,\s*path: "([^"]+)"/
    ) {
      add(match.output.2, String(match.output.4), names(match.output.3))
      if match.output.1 == "systemLibrary", match.output.4.hasPrefix("Sources/") {
        wrappers.append(String(match.output.2))
      }
    }
    for match in text.matches(of: /\btarget\(\s*"([\w\/]+)", "(\w+)"(?:,\s*\[([^\]]*)\])?/) {
      add(match.output.2, "\(match.output.1)/\(match.output.2)", names(match.output.3))
    }
    for match in text.matches(of: /program\(\s*"([\w-]+)", "([\w\/]+)",\s*\[([^\]]*)\]/) {
      programs.append(String(match.output.1))
      add(match.output.1, "Tests/\(match.output.2)", names(match.output.3))
    }
    for match in text.matches(of: /\btests\(\s*"(\w+)",\s*\[([^\]]*)\]/) {
      add(match.output.1, "Tests/Unit/\(match.output.1)", names(match.output.2))
    }
    self.targets = targets
    all = targets + others
    self.programs = programs
    self.wrappers = wrappers
  }

  /// The texts of the files of a target whose names end in one of these, by their paths.
  func files(of target: Target, _ ends: [String]) throws -> [String: String] {
    let folder = projectFile(target.path).path
    var texts: [String: String] = [:]
    for case let file as String in FileManager.default.enumerator(atPath: folder) ?? .init()
    where ends.contains(where: file.hasSuffix) {
      texts[file] = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
    }
    return texts
  }

  /// The targets of the package that the files of a target import.
  func imports(of target: Target) throws -> Set<String> {
    let known = Set(all.map(\.name)).subtracting([target.name])
    let lines = try files(of: target, [".swift"]).values.flatMap { $0.split(whereSeparator: \.isNewline) }
    return known.intersection(lines.compactMap { Self.module(importedIn: $0).map(String.init) })
  }

  /// The module that a line imports, in any form of an import; nil for another line.
  static func module(importedIn line: Substring) -> Substring? {
    // Most lines have no such word, and a regular expression takes long.
    guard line.contains("import") else { return nil }
    let form =
      /\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+(?:(?:class|enum|func|let|protocol|struct|typealias|var)\s+)?(\w+)/
    return line.prefixMatch(of: form)?.output.1
  }

  /// The layers, the highest at the top, each with its targets.
  var drawing: String {
    let (left, width, rowHeight, boxHeight) = (110, 960, 30, 22)
    var rows: [String] = []
    var y = 8
    for (index, layer) in Self.layers.enumerated().reversed() {
      let boxes = targets.filter { $0.layer == index }
      var shapes: [String] = []
      var (x, top) = (left, y + 8)
      for target in boxes {
        let size = target.name.count * 7 + 16
        if x + size > width - 8 { (x, top) = (left, top + rowHeight) }
        let below = target.dependencies.isEmpty ? "nothing" : target.dependencies.joined(separator: ", ")
        shapes.append(
          """
            <g><title>\(target.name) depends on \(below)</title>
              <rect x="\(x)" y="\(top)" width="\(size)" height="\(boxHeight)" rx="4" class="target"/>
              <text x="\(x + size / 2)" y="\(top + 15)" class="name">\(target.name)</text></g>
          """)
        x += size + 8
      }
      let height = top + boxHeight + 8 - y
      rows.append(
        """
          <rect x="8" y="\(y)" width="\(width - 16)" height="\(height)" rx="6" class="layer"/>
          <text x="20" y="\(y + 23)" class="title">\(layer)</text>
        \(shapes.joined(separator: "\n"))
        """)
      y += height + 6
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(y + 2)" font-family="sans-serif" role="img">
        <title>The layers of ProbeKit: each target depends only on its own layer and those below</title>
        <style>
          .layer { fill: #eef2f7; stroke: #9fb0c3 } .target { fill: #ffffff; stroke: #4a6785 }
          .name { font-size: 12px; text-anchor: middle; fill: #1d2b3a } .title { font-size: 14px; font-weight: bold; fill: #1d2b3a }
        </style>
      \(rows.joined(separator: "\n"))
      </svg>

      """
  }
}
