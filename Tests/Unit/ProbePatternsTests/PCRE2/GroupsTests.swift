import Testing

@testable import ProbePatterns

@Suite struct GroupsTests {
  @Test func groupsHaveTheirNumbers() throws {
    let pattern = try Pattern("(a)|(b)(?<c>c)?")
    #expect(pattern.groupCount == 3)
    #expect(pattern.groupsOfFirstMatch(in: Array("xbc".utf8)) == .match([1..<3, nil, 1..<2, 2..<3]))
    #expect(pattern.groupsOfFirstMatch(in: Array("xb".utf8)) == .match([1..<2, nil, 1..<2, nil]))
    #expect(pattern.groupsOfFirstMatch(in: Array("x".utf8)) == .noMatch)
  }

  @Test func aLimitIsNotAMissingMatch() throws {
    let subject = [UInt8](repeating: UInt8(ascii: "a"), count: 10_000)
    #expect(try Pattern("(?:a|aa|aaa)+$").groupsOfFirstMatch(in: subject + [0x62]) == .limit)
  }
}
