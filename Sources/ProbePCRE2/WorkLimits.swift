/// Limits for the work of a search, in the library's own unit: one resumption of a repeat or an alternative.
///
/// The library restarts its count at every position where a match could start. Limiting only that count lets
/// `(.|\n)*zb`, which costs little at each of 65 536 positions, take seven seconds; see ``Search`` for how
/// all positions are counted together.
///
/// Measured with PCRE2 10.42: machine code takes 1.4 to 2.5 ns per unit, the interpreter 10 to 14.
/// Connectivity's default expression, `.*?<BODY>.*?Success.*?</BODY>.*`, on a page of n bytes without the
/// word takes n for the first `.*?` and n more for each `<BODY>`, all from one position. With a limit of four
/// times n, three of them on a page result in a plain "no match"; at 1 MB that is 4.7 million units, 7 to 12
/// ms.
struct WorkLimits: Equatable {
  /// The limit at one position.
  let atOnePlace: Int
  /// The total limit of all positions that exceed ``atEveryPlace``.
  let altogether: Int
  /// The limit at each position, before that position is searched separately.
  ///
  /// All positions together stay within ``altogether`` up to the body size that probes keep by default; on
  /// larger subjects each position still has enough for a line of text, which keeps the work in proportion to
  /// the size.
  let atEveryPlace: Int
  /// The depth of nested backtracking, used only by the interpreter.
  let depth: Int
  /// The memory for backtracking in KiB, used only by the interpreter: 250 bytes per character for `(.|\n)*`.
  let heap: Int
  /// The stack size of machine code in bytes, for matches that need more than the default of 32 KiB.
  ///
  /// `(.|\n)*` needs 64 bytes per character: enough for several times the body size that probes keep by
  /// default, but not for a megabyte.
  let stack: Int

  /// The limits for a subject of this many bytes.
  init(subject count: Int, isTranslated: Bool) {
    atOnePlace = isTranslated ? 500_000 + 4 * count : 100_000 + 3 * count
    altogether = isTranslated ? 4_000_000 : 500_000
    atEveryPlace = min(max(altogether / (count + 1), isTranslated ? 128 : 16), atOnePlace)
    depth = atOnePlace
    heap = min(1024 + count / 4, 64 * 1024)
    stack = min(1024 * 1024 + 64 * count, 32 * 1024 * 1024)
  }
}
