import Foundation
import TestSupport
import Testing
import TestRequirements

/// The floors of the house: Package.swift beside the imports, and docs/architecture.md beside Package.swift.
@Suite struct HouseTests {
  private static let house = Result { try House() }

  /// A dependency on a floor above, and the reason; none is needed now.
  private static let upward: [String: String] = [:]

  /// A dependency that no file imports, and the reason.
  private static let unimported = [
    "ProbeTLS CProbeTLSStart": "runs before main, and has nothing to call",
    "CProbeHTML CProbeGumbo": "a target in C",
    "CProbeTLSStart CProbeOpenSSL": "a target in C",
  ]

  /// A C library that a second target imports, and the reason.
  private static let sharedLibraries = [
    "CurlTransport CProbeOpenSSL": "libcurl hands over its OpenSSL context, which ProbeTLS sets up"
  ]

  @Test func aTargetDependsOnItsFloorAndThoseBelow() throws {
    let house = try Self.house.get()
    #expect(house.targets.count > 50)
    for target in house.targets {
      for name in target.dependencies {
        let other = try #require(house.targets.first { $0.name == name }, "\(target.name): \(name)")
        #expect(
          other.floor <= target.floor || Self.upward["\(target.name) \(name)"] != nil,
          "\(target.name) of \(target.floorName) depends on \(name) of \(other.floorName)")
      }
    }
  }

  @Test(.heavy) func aTargetDeclaresWhatItImportsAndImportsWhatItDeclares() throws {
    let house = try Self.house.get()
    for target in house.all where !target.name.hasPrefix("CProbe") {
      let imports = try house.imports(of: target)
      let programs = Set(house.programs)
      let declared = Set(target.dependencies)
      #expect(imports.subtracting(declared) == [], "\(target.name) imports what it does not declare")
      let idle = declared.subtracting(imports).filter {
        Self.unimported["\(target.name) \($0)"] == nil && !(target.isTest && programs.contains($0))
      }
      #expect(idle == [], "\(target.name) declares what it does not import")
    }
  }

  @Test func aLibraryInCHasOneWrapper() throws {
    let house = try Self.house.get()
    for library in house.targets where library.name.hasPrefix("CProbe") && library.name != "CProbeSystem" {
      let users = house.targets.filter { target in
        target.dependencies.contains(library.name) && !target.name.hasPrefix("CProbe")
          && Self.sharedLibraries["\(target.name) \(library.name)"] == nil
      }
      // The module of gumbo is used by its parser in C, and by the wrapper.
      #expect(users.count == 1, "\(library.name) is used by \(users.map(\.name))")
    }
  }

  @Test func aFolderHasTheNameOfItsTarget() throws {
    for floor in try FileManager.default.contentsOfDirectory(atPath: projectFile("Sources").path) {
      let house = try Self.house.get()
      let folders = try FileManager.default.contentsOfDirectory(atPath: projectFile("Sources/\(floor)").path)
      let expected = house.targets.filter { $0.floorName == floor }.map {
        $0.name.hasPrefix("CProbe") ? String($0.name.dropFirst(6)) : $0.name
      }
      #expect(Set(folders) == Set(expected), "Sources/\(floor)")
    }
  }

  /// Run with UPDATE_SNAPSHOTS=1 to write it.
  @Test func theDrawingIsThatOfThePackage() throws {
    let drawing = try Self.house.get().drawing
    let file = projectFile("docs/floors.svg")
    if ProcessInfo.processInfo.environment["UPDATE_SNAPSHOTS"] == "1" {
      try Data(drawing.utf8).write(to: file)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == drawing)
  }

  @Test func theTreeOfThePageHasEachTarget() throws {
    let page = try String(contentsOf: projectFile("docs/architecture.md"), encoding: .utf8)
    let tree = try #require(page.firstMatch(of: /```text\n(Sources\/\n[\s\S]*?)```/)).output.1
    var floor = ""
    var found: Set<String> = []
    for line in tree.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard let first = words.first else { continue }
      if first.hasSuffix("/") { floor = String(first.dropLast()) }
      for word in words where word.allSatisfy({ $0.isLetter || $0.isNumber }) {
        found.insert("\(floor) \(word)")
      }
    }
    for target in try Self.house.get().targets where target.floorName != "C" {
      #expect(found.contains("\(target.floorName) \(target.name)"), "\(target.name)")
    }
  }
}

/// The targets of Package.swift, by their floors.
private struct House {
  struct Target {
    let name: String
    let path: String
    let dependencies: [String]
    /// The position of its floor, from the lowest.
    let floor: Int
    let floorName: String

    var isTest: Bool { path.hasPrefix("Tests/Unit/") }
  }

  /// The floors from the lowest to the highest.
  static let floors = [
    "C", "Base", "System", "Probing", "Portals", "Pipelines", "Plugins", "Replay", "Features", "Kits",
    "Command",
  ]

  /// The targets of the floors.
  let targets: [Target]
  /// These, and those of the tests.
  let all: [Target]
  /// The executables.
  let programs: [String]

  init() throws {
    let text = try String(contentsOf: projectFile("Package.swift"), encoding: .utf8)
    var targets: [Target] = []
    var others: [Target] = []
    var programs = ["probekit"]
    func names(_ list: Substring?) -> [String] {
      (list ?? "").matches(of: /"([^"]+)"/).map { String($0.output.1) }
    }
    func add(_ name: Substring, _ path: String, _ dependencies: [String]) {
      let parts = path.split(separator: "/").map(String.init)
      let floorName = parts[0] == "Plugins" ? "Plugins" : parts[0] == "Sources" ? parts[1] : ""
      let floor = Self.floors.firstIndex(of: floorName)
      let target = Target(
        name: String(name), path: path, dependencies: dependencies, floor: floor ?? .max, floorName: floorName
      )
      if floor == nil { others.append(target) } else { targets.append(target) }
    }
    for match in text.matches(of: /library\(\s*"(\w+)", "/) {
      add("CProbe\(match.output.1)"[...], "Sources/C/\(match.output.1)", [])
    }
    for match in text.matches(
      of:
        /\.(?:systemLibrary|target|executableTarget)\(\s*name: "(\w+)"(?:,\s*dependencies: \[([^\]]*)\])?,\s*path: "([^"]+)"/
    ) {
      add(match.output.1, String(match.output.3), names(match.output.2))
    }
    for match in text.matches(of: /\btarget\(\s*"([\w\/]+)", "(\w+)",\s*\[([^\]]*)\]/) {
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
  }

  /// The targets of the package that the files of a target import.
  func imports(of target: Target) throws -> Set<String> {
    let known = Set(all.map(\.name)).subtracting([target.name])
    let folder = projectFile(target.path).path
    var imports: Set<String> = []
    for case let file as String in FileManager.default.enumerator(atPath: folder) ?? .init()
    where file.hasSuffix(".swift") {
      for line in try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8).split(separator: "\n") {
        guard line.contains("import "), !line.hasPrefix(" "), !line.hasPrefix("/") else { continue }
        let words = line.split(separator: " ").drop { $0 != "import" }.dropFirst()
        let kinds: Set<Substring> = ["class", "enum", "func", "protocol", "struct", "typealias", "var"]
        guard let word = words.first(where: { !kinds.contains($0) }) else { continue }
        let module = word.prefix { $0 != "." }
        if known.contains(String(module)) { imports.insert(String(module)) }
      }
    }
    return imports
  }

  /// The floors, the highest at the top, each with its targets.
  var drawing: String {
    let (left, width, rowHeight, boxHeight) = (110, 960, 30, 22)
    var rows: [String] = []
    var y = 8
    for (index, floor) in Self.floors.enumerated().reversed() {
      let boxes = targets.filter { $0.floor == index }
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
          <rect x="8" y="\(y)" width="\(width - 16)" height="\(height)" rx="6" class="floor"/>
          <text x="20" y="\(y + 23)" class="title">\(floor)</text>
        \(shapes.joined(separator: "\n"))
        """)
      y += height + 6
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(y + 2)" font-family="sans-serif" role="img">
        <title>The floors of ProbeKit: each target depends only on its own floor and those below</title>
        <style>
          .floor { fill: #eef2f7; stroke: #9fb0c3 } .target { fill: #ffffff; stroke: #4a6785 }
          .name { font-size: 12px; text-anchor: middle; fill: #1d2b3a } .title { font-size: 14px; font-weight: bold; fill: #1d2b3a }
        </style>
      \(rows.joined(separator: "\n"))
      </svg>

      """
  }
}
