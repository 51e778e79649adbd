import ProbeKit
import ProbeReplay
import Testing

/// Every captured network is judged as its fixture expects.
///
/// A new folder in Fixtures is a new test.
@Suite struct FixtureTests {
  @Test(arguments: Captured.fixtures)
  func isJudgedAsItExpects(_ fixture: LoadedFixture) async throws {
    // Throws when the verdict or the login URL is another one, and reports its evidence.
    try await ReplayedNetwork(fixture, with: .bundled).verify(Captured.plan())
  }

  /// A fixture that expects nothing would pass whatever is found.
  @Test(arguments: Captured.fixtures)
  func saysWhatItExpects(_ fixture: LoadedFixture) {
    #expect(fixture.fixture?.expectation != nil)
  }

  /// The report of a mistake in a fixture: the location, the line, and the correction.
  @Test func aBrokenFixtureReportsItsMistakes() throws {
    let files = MemoryFiles([
      "lobby/fixture.yaml": Array(
        """
        version: 1
        name: lobby
        source: { kind: synthetic, reference: "a fixture with mistakes" }
        expect: { verdict: captive }
        routes:
          - id: redirect
            send: 10-redirect.resp

        """.utf8)
    ])
    let lobby = try #require(FixtureLoader(files: files).load(["lobby"]).first)
    let error = #expect(throws: InvalidFixture.self) { try ReplayedNetwork(lobby, with: .bundled) }
    #expect(
      error?.description == """
        lobby/fixture.yaml:4:20: verdict cannot be "captive": did you mean captivePortal?
          expect: { verdict: captive }
                             ^
        lobby/fixture.yaml:7:11: there is no file "10-redirect.resp": name a file in the fixture's folder
              send: 10-redirect.resp
                    ^
        """)
  }
}
