import Foundation
import ProbeCore
import ProbePipeline
import TestRequirements
import TestSupport
import Testing

@testable import ProbeReporting

@Suite(.heavy) struct TAPReporterTests {
  struct Line: Codable, Equatable {
    var isOK: Bool
    var description: String
    var directive: String
    var explanation: String
    /// The YAML block that follows.
    var block: [String: String]?
  }

  struct Stream: Codable {
    var errors: [String]
    var planned: Int
    var unknown: [String]
    var lines: [Line]
  }

  /// TAP::Parser, the parser of Perl's own harness.
  static let tapParser = OtherParser.perl(
    #"""
    use TAP::Parser;
    local $/;
    open(my $file, '<:encoding(UTF-8)', $ARGV[0]) or die;
    my $tap = <$file>;
    $/ = "\n";
    my $parser = TAP::Parser->new({ tap => $tap });
    my (@lines, @unknown);
    while (my $result = $parser->next) {
      if ($result->is_test) {
        push @lines, { isOK => $result->is_ok ? JSON::PP::true : JSON::PP::false,
          description => $result->description, directive => $result->directive,
          explanation => $result->explanation };
      } elsif ($result->is_yaml) {
        $lines[-1]{block} = $result->data;
      } elsif (!$result->is_plan && !$result->is_version) {
        push @unknown, $result->raw;
      }
    }
    print JSON::PP->new->utf8->encode({ errors => [$parser->parse_errors],
      planned => 0 + $parser->tests_planned, unknown => \@unknown, lines => \@lines });
    """#)

  @Test func golden() throws {
    let text = TAPReporter().text(of: try HostileSamples.runs())
    #expect(try text == Snapshot("several", is: text, extension: "tap").text)
  }

  @Test func aThirdPartyParserReadsTheSameResults() throws {
    let stream = try Self.tapParser.read(TAPReporter().text(of: try HostileSamples.runs()), as: Stream.self)
    #expect(stream.errors == [])
    #expect(stream.unknown == [])
    try #require(stream.lines.count == 6)
    #expect(stream.planned == 6)
    #expect(stream.lines.map(\.isOK) == [true, true, false, false, true, false])
    #expect(stream.lines[4].directive == "SKIP")
    #expect(stream.lines[4].description == "- built-in: secure: https://www.example.com/")
    #expect(stream.lines[3].block?["detail"] == "no answer in 5 s")
    #expect(stream.lines[3].block?["reason"] == "timeout.connect")
    #expect(stream.lines[2].block?["status"] == "302")
    #expect(stream.lines[5].block?["verdict"] == "captivePortal")
  }

  @Test func hostileTextRemainsText() throws {
    let runs = try HostileSamples.texts.map { ReportedRun(source: $0, try HostileSamples.run($0)) }
    let text = TAPReporter().text(of: runs)
    #expect(text.isSafeToShow)
    let stream = try Self.tapParser.read(text, as: Stream.self)
    #expect(stream.errors == [])
    #expect(stream.unknown == [])
    #expect(stream.planned == HostileSamples.texts.count * 5)
    try #require(stream.lines.count == stream.planned)
    for (index, hostile) in HostileSamples.texts.enumerated() {
      let mine = Array(stream.lines[(index * 5)..<(index * 5 + 5)])
      #expect(mine.map(\.isOK) == [true, false, false, true, false])
      #expect(mine.map(\.directive) == ["", "", "", "SKIP", ""])
      #expect(mine[1].block?["detail"] == hostile.withoutNoncharacters)
      // TAP::Parser respects escapes, but does not remove them.
      let name = Self.withoutEscapes(mine[0].description)
      let shown = hostile.withoutNoncharacters
      let whole = "- \(shown): \(shown): https://probe.example/\(shown)"
      #expect(name == whole.trimmingCharacters(in: .whitespaces))
    }
  }

  /// The text without the backslashes before `#` and `\`, by code points.
  private static func withoutEscapes(_ text: String) -> String {
    var bytes: [UInt8] = []
    var isEscaped = false
    for byte in text.utf8 {
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
      if !isEscaped { bytes.append(byte) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func anEmptyReport() {
    #expect(TAPReporter().text(of: []) == "TAP version 13\n1..0\n")
  }
}
