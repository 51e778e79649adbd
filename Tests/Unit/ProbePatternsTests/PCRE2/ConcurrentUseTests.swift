@testable import ProbePatterns
import Testing

@Suite
struct ConcurrentUseTests {
  @Test func `one pattern serves a thousand tasks at once`() async throws {
    let pattern = try Pattern("(?<word>Suc+ess)[0-9]+")
    let right = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<1000 {
        group.addTask {
          let subject = Array("\(String(repeating: "x", count: number))Success\(number)".utf8)
          let expected = Pattern.Match(
            range: number..<subject.count, groups: ["word": number..<(number + 7)])
          return pattern.firstMatch(in: subject, namedGroups: true) == .match(expected)
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(right == 1000)
  }

  @Test func `the limit ends a search before the larger stack does`() async throws {
    let deep = try Pattern("^(.|\n)*END")
    let page = Array(repeating: UInt8(ascii: "x"), count: 20_000)
    let results = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<100 {
        group.addTask {
          let hasEnd = number % 2 == 0
          let result = deep.firstMatch(in: hasEnd ? page + Array("END".utf8) : page)
          if case .match = result { return hasEnd }
          return !hasEnd && result == .noMatch
        }
      }
      return await group.reduce(true) { $0 && $1 }
    }
    #expect(results)
  }
}
