/// How much work one search may be, in the library's own unit: one resumption of a repeat or an alternative.
///
/// The library counts anew at every place a match could start at. Bounding that count alone leaves `(.|\n)*zb`, which
/// costs little at each of 65 536 places, seven seconds; see ``Search`` for how all places are counted together.
///
/// Measured with PCRE2 10.42: machine code takes 1.4 to 2.5 ns a unit, the interpreter 10 to 14. Connectivity's
/// default expression, `.*?<BODY>.*?Success.*?</BODY>.*`, on a page of n bytes without the word takes n for the
/// first `.*?` and n more for each `<BODY>`, all from one place. So with four times n, three of them on a page are
/// a plain "no match"; at 1 MB that is 4.7 million units, 7 to 12 ms.
struct WorkLimits: Equatable {
  /// At one place.
  let atOnePlace: Int
  /// At all the places together that go over ``atEveryPlace``.
  let altogether: Int
  /// At each place, before that place is looked at on its own.
  ///
  /// All places together stay within ``altogether`` up to the body size that probes keep by default; on larger
  /// subjects each place still has what a line of text takes, which keeps the work in proportion to the size.
  let atEveryPlace: Int
  /// The depth of nested backtracking; the interpreter alone knows it.
  let depth: Int
  /// The memory for backtracking in KiB, which the interpreter alone uses: 250 bytes a character for `(.|\n)*`.
  let heap: Int
  /// The stack of machine code, in bytes, where the 32 KiB every match has are too few.
  ///
  /// `(.|\n)*` needs 64 bytes a character: enough for the bodies that probes keep by default and several times
  /// that, not for a megabyte.
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
