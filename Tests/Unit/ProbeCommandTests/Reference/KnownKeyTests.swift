import BundledPlugins
import FixtureReplay
import ProbeCore
import ProbePipeline
import SourceDocuments
import TestSupport
import TestRequirements
import Testing

/// All lists of known keys: of modules, web configuration files, pipelines, fixtures and options.
@Suite(.heavy) struct KnownKeyTests {
  private static let unknown = "qqqqqqqqqqqqqq"

  /// A blackbox.yml with an unknown key in each mapping.
  private static let modules = """
    Q: 1
    modules:
      web:
        Q: 1
        prober: http
        http:
          Q: 1
          basic_auth: { Q: 1 }
          authorization: { Q: 1 }
          oauth2: { Q: 1, tls_config: { Q: 1 } }
          tls_config: { Q: 1 }
          http_headers: { X-One: { Q: 1 } }
          fail_if_header_matches: [{ Q: 1 }]
      dialog:
        prober: tcp
        tcp: { Q: 1, query_response: [{ Q: 1, labels: [{ Q: 1 }] }] }
      ping: { prober: icmp, icmp: { Q: 1 } }
      name: { prober: dns, dns: { Q: 1, validate_answer_rrs: { Q: 1 } } }
      remote: { prober: grpc, grpc: { Q: 1 } }
      local: { prober: unix, unix: { Q: 1 } }
      socket: { prober: websocket, websocket: { Q: 1, http_config: { Q: 1 } } }

    """.replacing("Q: 1", with: "\(unknown): 1")

  private static let web = """
    Q: 1
    tls_server_config: { Q: 1 }
    http_server_config: { Q: 1, headers: { Q: 1 } }
    rate_limit: { Q: 1 }

    """.replacing("Q: 1", with: "\(unknown): 1")

  /// The lists in the findings about unknown keys.
  private static func lists(in findings: String) -> [[String]] {
    findings.split(separator: "\n").filter { $0.contains("unknown key \"\(unknown)\": use ") }.compactMap {
      line in
      line.firstRange(of: ": use ").map { range in
        line[range.upperBound...].replacing(" or ", with: ", ").split(separator: ", ").map(String.init)
      }
    }
  }

  private static func exporterLists() async throws -> [[String]] {
    let folder = try TemporaryFolder(["blackbox.yml": modules, "web.yml": web, "good.yml": "modules: {}\n"])
    let first = try await FolderRun(
      "serve", ["--config.file", "DIR/blackbox.yml", "--config.check"], in: folder)
    let second = try await FolderRun(
      "serve", ["--config.file", "DIR/good.yml", "--web.config.file", "DIR/web.yml", "--config.check"],
      in: folder)
    let lists = [first, second].map { Self.lists(in: $0.output + $0.errors) }
    #expect(lists[0].count >= 19, "\(first.output)\(first.errors)")
    #expect(lists[1].count == 5, "\(second.output)\(second.errors)")
    return lists[0] + lists[1]
  }

  /// The keys of every mapping in a schema.
  private static func lists(of schema: ValueSchema) -> [[String]] {
    switch schema.kind {
    case .named(_, let schema), .list(let schema, _): lists(of: schema)
    case .anyOf(let schemas): schemas.flatMap { lists(of: $0) }
    case .mapping(let keys, let others):
      [keys.map(\.name)] + keys.flatMap { lists(of: $0.schema) } + (others.map { lists(of: $0) } ?? [])
    default: []
    }
  }

  private static func schemaLists() throws -> [[String]] {
    lists(of: PipelineSchema(try .bundled).schema) + lists(of: FixtureSchema.schema)
  }

  /// All lists.
  static func allLists() async throws -> Set<[String]> {
    Set(try await exporterLists() + schemaLists()).filter { !$0.isEmpty }
  }

  @Test func noListNamesAKeyTwice() async throws {
    let lists = try await Self.allLists()
    #expect(lists.count > 60)
    for list in lists { #expect(Set(list).count == list.count, "\(list)") }
  }

  /// The number of edits between two names, by the definition of the distance; independent of the code.
  private static func distance(_ left: String, _ right: String) -> Int {
    let (left, right) = (Array(left.lowercased()), Array(right.lowercased()))
    var table = [[Int]](repeating: Array(repeating: 0, count: right.count + 1), count: left.count + 1)
    for row in 0...left.count {
      for column in 0...right.count {
        guard row > 0, column > 0 else {
          table[row][column] = row + column
          continue
        }
        var least = min(table[row - 1][column], table[row][column - 1]) + 1
        least = min(least, table[row - 1][column - 1] + (left[row - 1] == right[column - 1] ? 0 : 1))
        if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
          least = min(least, table[row - 2][column - 2] + 1)
        }
        table[row][column] = least
      }
    }
    return table[left.count][right.count]
  }

  /// A name with one letter added, removed, replaced, or swapped with its neighbour.
  private static func misspelled(_ name: String, _ numbers: inout SeededNumbers) -> String {
    var letters = Array(name)
    let index = Int.random(in: letters.indices, using: &numbers)
    let letter = Array("abcdefghijklmnopqrstuvwxyz").randomElement(using: &numbers) ?? "a"
    switch Int.random(in: 0..<4, using: &numbers) {
    case 0: letters.insert(letter, at: index)
    case 1: letters.remove(at: index)
    case 2: letters[index] = letter
    default: if index > 0 { letters.swapAt(index, index - 1) }
    }
    return String(letters)
  }

  @Test(arguments: 1...5 as ClosedRange<UInt64>) func aMisspelledKeyIsRecognized(_ seed: UInt64) async throws
  {
    var numbers = SeededNumbers(seed: seed)
    for list in try await Self.allLists().sorted(by: { "\($0)" < "\($1)" }) {
      for name in list where name.count >= 3 {
        let typed = Self.misspelled(name, &numbers)
        guard !list.contains(typed) else { continue }
        let nearest = try #require(nearestName(to: typed, among: list), "\(typed) of \(list), seed \(seed)")
        #expect(
          Self.distance(typed, nearest) <= Self.distance(typed, name),
          "\(typed) is \(nearest), not \(name), seed \(seed)")
      }
    }
  }

  /// A key with more words, such as `_regexp`, suggests the longest key that it begins with.
  @Test(arguments: ["_regexp", "_matching_this", "-x", "OfTheServer", "_in_the_configuration"])
  func aKeyWithMoreWordsIsRecognized(_ ending: String) async throws {
    for list in try await Self.allLists() {
      for name in list where name.count >= 3 {
        let typed = name + ending
        guard !list.contains(where: { Self.distance($0, typed) <= 1 }) else { continue }
        #expect(nearestName(to: typed, among: list) == name, "\(typed) of \(list)")
      }
    }
  }

  @Test(arguments: [
    ("fail_if_header_not_matches_regexp", "fail_if_header_not_matches"),
    ("fail_if_header_matches_regexp", "fail_if_header_matches"),
    ("fail_if_headr_not_matches_regexp", "fail_if_header_not_matches"),
    ("fail_if_body_not_matches", "fail_if_body_not_matches_regexp"),
    ("http_basic_auth", "basic_auth"), ("basicAuth", "basic_auth"), ("http_headers2", "http_headers"),
  ])
  func keysOfAModuleAreSuggested(_ typed: String, _ nearest: String) async throws {
    let lists = try await Self.exporterLists()
    let http = try #require(lists.first { $0.contains("fail_if_header_not_matches") })
    #expect(nearestName(to: typed, among: http) == nearest)
  }
}
