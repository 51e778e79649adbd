import PortalAnalysis
import TestRequirements
import Testing

/// Pages designed to exhaust the parser's time, memory or stack.
@Suite(.heavy, .serialized, .patience(minutes: 1)) struct HostilePageTests {
  @Test(arguments: [
    "<div>", "<i>", "<a>", "<b><p>", "<ul><li>", "<table><tr><td>", "<table><a>", "<template>", "<svg><p>",
    "<button>", "<nobr>", "<select><option>", "<dd><div>", "<h1><div>", "<form>", "<table>x<b>", "<script>",
    "<frameset>",
  ])
  func aHundredThousandNestedTagsAreReadToTheLimit(_ tag: String) {
    let page = Array(String(repeating: tag, count: 100_000).utf8)
    #expect(ReadPage(page) != nil)
  }

  @Test(arguments: ["</x>", "</p>", "</div>", "<p>", "<isindex>"])
  func deepNestingIsBounded(_ tag: String) {
    let half = HTMLPage.maximumTags / 2
    let page = String(repeating: "<div>", count: half) + String(repeating: tag, count: half)
    #expect(ReadPage(page) != nil)
  }

  @Test func aHundredThousandAttributesAreRefused() {
    var page = "<a"
    for number in 0..<100_000 { page += " \(String(number, radix: 36))" }
    #expect(ReadPage(page + ">") == nil)
  }

  @Test func attributesAddedToOneElementByManyTagsAreRefused() {
    var page = ""
    for number in 0..<2000 { page += "<html a\(number)>" }
    #expect(ReadPage(page) == nil)
  }

  @Test func aThousandAttributesAreRead() {
    var page = "<a"
    for number in 0..<1000 { page += " a\(number)=\(number)" }
    #expect(ReadPage(page + ">")?.elements.first { $0.name == "a" }?.attributes.count == 1000)
  }

  @Test func formattingElementsThatMultiplyAreRefused() {
    // Each paragraph repeats all the unclosed elements before it: 2000 × 2000 nodes from 50 KB.
    var page = "<p>"
    for number in 0..<2000 { page += "<b a=\(number)>" }
    page += String(repeating: "<p>x", count: 2000)
    #expect(ReadPage(page) == nil)
  }

  @Test func aFramesetDoesNotMakeTheParserRecurseOverTheBody() {
    // The parser destroys the body here, recursively for each level of nesting. Whether it succeeds depends
    // on the size of its stack frames; it must return either way.
    let page = String(repeating: "<div>", count: HTMLPage.maximumTags - 1) + "<frameset>"
    _ = ReadPage(page)
  }

  @Test func aRefusedPageDoesNotAffectTheNext() {
    formattingElementsThatMultiplyAreRefused()
    aHundredThousandAttributesAreRefused()
    #expect(ReadPage("<p>hello") != nil)
  }
}
