import FixtureCapture
import ProbeCore
import TestSupport
import TestRequirements
import Testing

/// Addresses in every spelling, in every context where a page names them.
@Suite(.heavy) struct RedactionSpellingTests {
  private static let v4 = "192.168.44.57"
  private static let v6 = "2a02:810d:1234:5678:9abc:def0:1122:3344"
  private static let mac = "3c:22:fb:12:34:56"

  /// More names of HTML, which the spellings of secrets do not need.
  private static let names: [Unicode.Scalar: String] = [":": "&colon;", ".": "&period;", "-": "&hyphen;"]

  private typealias Spelling = (name: String, spell: @Sendable (Unicode.Scalar) -> String)

  /// The spellings of a character; each page uses one of them.
  private static let spellings: [Spelling] =
    Spellings.all.filter { spelling in
      !["form", "fragment", "printable"].contains { spelling.name.contains($0) }
    } + furtherSpellings

  private static let furtherSpellings: [Spelling] = [
    ("HTML, all names", { names[$0] ?? String($0) }),
    ("HTML, two times decimal", { "&amp;#\($0.value);" }),
    ("HTML within a URL, decimal", { "%26%23\($0.value)%3B" }),
    ("JSON within a script, numbers", { "\\\\u00" + Spellings.hex($0.value, 2, uppercase: false) }),
  ]

  /// The contexts of an address and a hardware address in a page.
  private static let contexts: [(name: String, page: @Sendable (_ ip: String, _ mac: String) -> String)] =
    [
      ("link", { "<a href=\"http://l.example/login?ip=\($0)&amp;mac=\($1)&x=1\">x</a>" }),
      ("brackets", { "<a href=\"http://l.example/login?ip=[\($0)]&amp;mac=\($1)&x=1\">x</a>" }),
      ("port", { "<a href=\"http://l.example/login?ip=[\($0)]:8080&amp;mac=\($1)&x=1\">x</a>" }),
      ("JSON", { "<script>var c = {\"ip\": \"\($0)\", \"mac\": \"\($1)\"};</script>" }),
      (
        "input", { "<input type=hidden name=ip value=\"\($0)\"><input type=hidden name=mac value=\"\($1)\">" }
      ),
      ("element", { "<client_ip>\($0)</client_ip><mac>\($1)</mac>" }),
    ]

  /// The text with its escapes decoded repeatedly, in ways that are independent of the redaction.
  private static func decoded(_ text: String) -> String {
    var text = text.replacing("&#X", with: "&#x")
    for _ in 0..<3 {
      for (character, name) in names { text = text.replacing(name, with: String(character)) }
      text = text.replacing("&amp;", with: "&").replacing("\\\\", with: "\\")
      text = text.replacing(/\\u\{([0-9a-fA-F]+)\}|\\x([0-9a-fA-F]{2})/) { match in
        UInt32(match.1 ?? match.2 ?? "", radix: 16).flatMap { Unicode.Scalar($0) }.map { String($0) } ?? "?"
      }
      text = text.replacing(/\\(?:(0000[0-9a-f]{2})|([0-3][0-7]{2})|([0-9A-F]{2}) )/) { match in
        UInt32(match.1 ?? match.2 ?? match.3 ?? "", radix: match.2 == nil ? 16 : 8).flatMap {
          Unicode.Scalar($0)
        }
        .map { String($0) } ?? "?"
      }
      for reading in Spellings.readings(of: text).dropFirst().prefix(3) where reading != text {
        text = reading
        break
      }
    }
    return text
  }

  @Test(arguments: spellings.map(\.name), contexts.map(\.name))
  func noAddressIsLeft(_ spelling: String, _ context: String) throws {
    let spell = try #require(Self.spellings.first { $0.name == spelling }).spell
    let makePage = try #require(Self.contexts.first { $0.name == context }).page
    for address in [Self.v4, Self.v6] where context != "port" || address == Self.v6 {
      // Escape every character, and the separators alone.
      for isWhole in [true, false] {
        func escaped(_ text: String) -> String {
          Spellings.escaped(text) { isWhole || ".:".unicodeScalars.contains($0) ? spell($0) : String($0) }
        }
        let body = makePage(escaped(address), escaped(Self.mac))
        #expect(Self.decoded(body).contains(address), "the test cannot decode \(body)")
        let redacted = try redactedPage(body)
        for value in [address, Self.mac] {
          #expect(
            !Self.decoded(redacted).contains(value) && !redacted.contains(escaped(value)), "\(redacted)")
        }
      }
    }
  }

  /// Each character has its own spelling.
  @Test(arguments: 0..<40 as Range<UInt64>) func mixedSpellingsLeaveNoAddress(_ seed: UInt64) throws {
    var numbers = SeededNumbers(seed: seed)
    let mixable = Self.spellings.filter { spelling in
      !["within", "twice", "two times"].contains { spelling.name.contains($0) }
    }
    func escaped(_ text: String) -> String {
      Spellings.escaped(text) { mixable.randomElement(using: &numbers)?.spell($0) ?? String($0) }
    }
    for context in Self.contexts where context.name != "port" {
      let (address, mac) = (escaped(Self.v4), escaped(Self.mac))
      let redacted = try redactedPage(context.page(address, mac))
      #expect(!redacted.contains(address) && !redacted.contains(mac), "\(redacted), seed \(seed)")
      for value in [Self.v4, Self.mac] {
        #expect(!Self.decoded(redacted).contains(value), "\(redacted), seed \(seed)")
      }
    }
  }

  @Test(
    arguments: [
      // A replacement is an address again, where the spelling has room for other digits.
      ("?ip=192.168.44&#46;57", "?ip=203.0.113.&#49;00"),
      ("?ip=192.168.44&period;57", "?ip=203.0.113.&#00049;00"),
      ("?ip=[2a02:810d::77]", "?ip=[2001:db8::001]"),
      ("?ip=[2a02&colon;810d&colon;&colon;77]", "?ip=[2001&colon;db8&colon;&colon;001]"),
      // A reference by number needs no semicolon before another character.
      ("mac=a8&#58ff&#58ff&#58fa&#58fb&#58fc", "mac=00&#5800&#585e&#5800&#5853&#5800"),
      // Quoted JSON in HTML.
      ("data='{&quot;ip&quot;:&quot;172.16.31.4&quot;}'", "data='{&quot;ip&quot;:&quot;192.0.2.100&quot;}'"),
      // A list, as proxies send it.
      ("?clientip=172.16.31.4,172.16.31.5", "?clientip=192.0.2.100,192.0.2.101"),
    ] as [(String, String?)])
  func replacementsKeepTheSpelling(_ text: String, _ expected: String?) throws {
    let redacted = try redactedPage(text)
    if let expected { #expect(redacted == expected) } else { #expect(redacted != text) }
  }

  /// What is listed as replaced is replaced.
  @Test(arguments: spellings.map(\.name)) func everyListedValueIsReplaced(_ spelling: String) throws {
    let spell = try #require(Self.spellings.first { $0.name == spelling }).spell
    let body = Self.contexts[0].page(Spellings.escaped(Self.v4, spell), Spellings.escaped(Self.mac, spell))
    let captured = try exchange(received: page(body))
    let redaction = CaptureRedaction(learningFrom: [captured])
    #expect(Set(redaction.replacements.map(\.kind)).isSuperset(of: [.mac, .clientAddress]))
    #expect(redaction.redacted(captured).receivedText.utf8.count == captured.receivedText.utf8.count)
  }
}
