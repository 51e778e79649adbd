import Testing

/// Scripts in the style of real pages, each with the URL that node.js opens (`make script-judges`): closures,
/// `this`, arrays, objects, loops, destructuring, classes, `URL` and `URLSearchParams`, and texts.
@Suite struct ScriptIdiomTests {
  private static let page = "http://probe.example/x?url=%2Fw%3Fq&b=2"

  @Test(arguments: try ScriptRow.below("followed", in: "scripts.txt"))
  func theURLMatchesThatOfABrowser(_ row: ScriptRow) throws {
    #expect(try row.urls { try findings($0, page: Self.page) } == [row.url])
  }

  /// A script that is not followed yields an unknown URL or none, but never a wrong one.
  @Test(arguments: try ScriptRow.below("not followed", in: "scripts.txt"))
  func noWrongURLIsReported(_ row: ScriptRow) throws {
    #expect(try row.urls { try findings($0, page: Self.page) }.allSatisfy { $0 == row.url })
  }

  @Test func bothListsHaveMoreThan100Rows() throws {
    #expect(try ScriptRow.below("followed", in: "scripts.txt").count > 100)
    #expect(try ScriptRow.below("not followed", in: "scripts.txt").count > 100)
  }
}
