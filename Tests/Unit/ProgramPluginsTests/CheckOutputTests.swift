import ProbeCore
import Testing

@testable import Transports

/// The positions of the text and the performance data in the output of a monitoring plugin.
@Suite struct CheckOutputTests {
  static let outputs: [(output: String, summary: String, labels: [String])] = [
    ("OK", "OK", []),
    ("OK - all is well | a=1 b=2\n", "OK - all is well", ["a", "b"]),
    // The example of the plugin API: data after the text, and in the last lines.
    (
      "DISK OK - free space: / 3326 MB | /=2643MB;5948;5958;0;5968\n/ 15272 MB\n/boot 68 MB\n/home 69357 MB | "
        + "/boot=68MB;88;93;0;98\n/home=69357MB;253404;253409;0;253414\n/var/log=818MB;970;975;0;980\n",
      "DISK OK - free space: / 3326 MB", ["/", "/boot", "/home", "/var/log"]
    ),
    ("text\nmore = text\nlast | a=1\nb=2", "text", ["a", "b"]),
    // Only the first bar of a line is a separator; after the second line with one, everything is data.
    ("OK | a=1 | b=2\nlong | c=3\nd=4 | e=5", "OK", ["a", "b", "c", "d", "e"]),
    ("\n\nOK\r\n| a=1\r\n", "OK", ["a"]),
    ("| a=1", "", ["a"]),
    ("", "", []),
    ("\n", "", []),
  ]

  @Test(arguments: outputs.indices) func anOutput(_ index: Int) {
    let (output, summary, labels) = Self.outputs[index]
    let read = CheckOutput(Array(output.utf8))
    #expect(ProgramRun.firstLine(of: read.summary) ?? "" == summary)
    #expect(read.values.map(\.label) == labels)
  }
}
