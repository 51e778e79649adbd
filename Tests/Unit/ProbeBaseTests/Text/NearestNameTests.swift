import ProbeBase
import Testing

/// The name that a mistyped one was meant to be.
@Suite struct NearestNameTests {
  static let names: [(typed: String, nearest: String?)] = [
    ("--timeout", "--timeout"), ("--timeuot", "--timeout"), ("--tim", "--timeout"),
    ("--conc", "--concurrency"),
    ("--con", nil), ("--x", nil), ("", nil), (String(repeating: "x", count: 1000), nil),
  ]

  @Test(arguments: names)
  func nearest(_ typed: String, nearest: String?) {
    #expect(nearestName(to: typed, among: ["--timeout", "--concurrency", "--contains"]) == nearest)
  }
}
