import ProbeBase

/// Follows all readings of a text in parallel.
///
/// Each reading is a path from the start of the text, which advances by a byte or an escape at a time. Paths
/// that arrive at the same position with the same prefix of a form are merged, so there are hardly ever more
/// than two or three. If there are more than eight, those with the shortest prefix of a form are dropped.
/// Memory grows with the number of consecutive escapes on the longest path.
struct EscapedTextReader {
  /// The end of a path.
  private struct Path {
    /// The prefix of a form that was read last; never the root.
    var node: Int32
    /// The last escape on it, or 0.
    var escape: Int32 = 0
  }

  /// An escape on a path.
  private struct Mark {
    /// The position of the escape in the text.
    var range: Range<Int>
    /// The difference between the bytes of the text and the decoded bytes, up to the start of the escape and
    /// to its end.
    var before: Int
    var after: Int
    /// The previous escape on the path, and one further back, which makes a search take few steps (Myers,
    /// 1983).
    var earlier: Int32
    var far: Int32
    /// The number of escapes on the path, including this one.
    var depth: Int32

    /// The start of the escape among the decoded bytes.
    var start: Int { range.lowerBound - before }
    /// The end of the escape among the decoded bytes.
    var end: Int { range.upperBound - after }
  }

  /// The maximum number of paths; those with the longest prefix of a form are kept.
  private static let maximumPaths = 8
  /// The mark of a cut text, in UTF-8.
  private static let ellipsis = Array("…".utf8)

  private let forms: SearchTrie
  private let text: [UInt8]
  private let minimumPrefixLength: Int
  /// The paths at the current position, and those that an escape has taken further ahead.
  private var paths: [Path] = []
  private var ahead: [(offset: Int, path: Path)] = []
  private var marks = [Mark(range: 0..<0, before: 0, after: 0, earlier: 0, far: 0, depth: 0)]

  /// The matches found, unordered.
  private(set) var matches: [EscapedTextSearch.Match] = []
  /// The number of nodes visited.
  private(set) var steps = 0

  init(_ forms: SearchTrie, _ text: [UInt8], _ minimumPrefixLength: Int) {
    self.forms = forms
    self.text = text
    self.minimumPrefixLength = minimumPrefixLength
  }

  /// Reads the whole text.
  ///
  /// - Parameters:
  ///   - mayStart: Whether a form can start with each byte.
  ///   - accept: Returns whether a match counts.
  mutating func read(_ mayStart: [Bool], _ accept: (EscapedTextSearch.Match) -> Bool) {
    var offset = 0
    while offset < text.count {
      if paths.isEmpty, ahead.isEmpty {
        // No path refers to earlier escapes any more.
        marks.removeSubrange(1...)
        while offset < text.count, !mayStart[Int(widening: text[offset])] { offset += 1 }
        guard offset < text.count else { break }
      }
      let byte = text[offset]
      if byte == Self.ellipsis[0], text[offset...].starts(with: Self.ellipsis) {
        endPaths(at: offset, upTo: offset)
      }
      readEscapes(at: offset, byte, accept)
      readByte(byte, at: offset, accept)
      offset += 1
      if !ahead.isEmpty { join(at: offset) }
    }
    endPaths(at: offset, upTo: offset)
  }
}

extension EscapedTextReader {
  /// Extends each path by the byte itself.
  private mutating func readByte(_ byte: UInt8, at offset: Int, _ accept: (EscapedTextSearch.Match) -> Bool) {
    guard !paths.isEmpty else {
      let node = forms.next(0, byte, counting: &steps)
      if node != 0 { add(Path(node: node), at: offset + 1, accept) }
      return
    }
    let before = paths
    paths.removeAll(keepingCapacity: true)
    for var path in before {
      path.node = forms.next(path.node, byte, counting: &steps)
      if path.node != 0 { add(path, at: offset + 1, accept) }
    }
  }

  private mutating func add(_ path: Path, at offset: Int, _ accept: (EscapedTextSearch.Match) -> Bool) {
    if insert(path) { find(path, at: offset, accept) }
  }

  /// Keeps a path, unless there already is one with the same prefix.
  private mutating func insert(_ path: Path) -> Bool {
    for other in paths where other.node == path.node { return false }
    guard paths.count >= Self.maximumPaths else {
      paths.append(path)
      return true
    }
    guard let least = paths.indices.min(by: { depth(of: paths[$0]) < depth(of: paths[$1]) }),
      depth(of: paths[least]) < depth(of: path)
    else { return false }
    paths[least] = path
    return true
  }

  /// The length of the prefix that was read last.
  private func depth(of path: Path) -> Int { Int(widening: forms.nodes[Int(widening: path.node)].depth) }

  /// Adds the paths whose escape ends here.
  private mutating func join(at offset: Int) {
    for other in ahead where other.offset == offset { _ = insert(other.path) }
    ahead.removeAll { $0.offset <= offset }
  }

  /// Extends each path by each escape that starts here.
  private mutating func readEscapes(
    at offset: Int, _ byte: UInt8, _ accept: (EscapedTextSearch.Match) -> Bool
  ) {
    // Form encoding (URL standard §5.1).
    if byte == UInt8(ascii: "+") { read(Escape(UInt8(ascii: " "), length: 1), at: offset, accept) }
    if !paths.isEmpty, let gap = Escape.lineBreak(at: offset, of: text) { read(gap, at: offset, accept) }
    if byte == UInt8(ascii: "="), let escape = Escape.quotedPrintable(at: offset, of: text) {
      read(escape, at: offset, accept)
      if escape.meansIntroducer {
        Escape.forEach(within: escape, at: offset, of: text) { read($0, at: offset, accept) }
      }
    }
    guard Escape.isIntroducer(byte) else { return }
    var escapes: [Escape] = []
    Escape.forEach(at: offset, of: text, upTo: text.count) { escapes.append($0) }
    for escape in escapes { read(escape, at: offset, accept) }
    for gap in escapes where gap.meansLineBreak { read(Escape(skipping: gap.length), at: offset, accept) }
    var outer = escapes.filter(\.meansIntroducer)
    // In a URL, `&#34;` can be spelled `&%2334;`.
    if byte != UInt8(ascii: "%"), text[offset...].prefix(10).contains(UInt8(ascii: "%")) {
      outer.append(Escape(byte, length: 1))
    }
    for escape in outer {
      var inner: [Escape] = []
      Escape.forEach(within: escape, at: offset, of: text) { inner.append($0) }
      for escape in inner { read(escape, at: offset, accept) }
    }
    if !paths.isEmpty, let end = endOfCutEscape(at: offset, isWhole: escapes.contains { $0.length > 2 }) {
      endPaths(at: offset, upTo: end)
    }
  }

  private mutating func read(_ escape: Escape, at offset: Int, _ accept: (EscapedTextSearch.Match) -> Bool) {
    for path in paths.isEmpty ? [Path(node: 0)] : paths {
      var node = path.node
      for index in 0..<escape.count { node = forms.next(node, escape[index], counting: &steps) }
      guard node != 0 else { continue }
      let earlier = path.node == 0 ? 0 : path.escape
      let before = marks[Int(widening: earlier)].after
      let next = Path(
        node: node,
        escape: add(
          Mark(
            range: offset..<(offset + escape.length), before: before,
            after: before + escape.length - escape.count,
            earlier: earlier, far: 0, depth: 0)))
      // What decodes to nothing is no part of a form that ends before it.
      if escape.count > 0 { find(next, at: offset + escape.length, accept) }
      ahead.append((offset + escape.length, next))
    }
  }

  private mutating func add(_ mark: Mark) -> Int32 {
    let earlier = marks[Int(widening: mark.earlier)]
    let far = marks[Int(widening: earlier.far)]
    var mark = mark
    mark.depth = earlier.depth + 1
    mark.far =
      earlier.depth - far.depth == far.depth - marks[Int(widening: far.far)].depth && earlier.depth > 0
      ? far.far : mark.earlier
    marks.append(mark)
    return Int32(clamping: marks.count - 1)
  }
}

extension EscapedTextReader {
  /// Records the longest accepted form that ends at a path's position.
  private mutating func find(_ path: Path, at offset: Int, _ accept: (EscapedTextSearch.Match) -> Bool) {
    var found = forms.form(at: path.node)
    while let (form, node) = found {
      let match = EscapedTextSearch.Match(range: start(of: node, path, at: offset)..<offset, form: form)
      if accept(match) { return matches.append(match) }
      found = forms.form(shorterThan: node)
    }
  }

  /// Records the beginnings of forms that the end of the text cuts.
  private mutating func endPaths(at offset: Int, upTo end: Int) {
    for path in paths {
      let last = marks[Int(widening: path.escape)]
      // What ends with a line is not cut.
      if last.range.upperBound == offset, last.start == last.end, path.escape != 0 { continue }
      var node = path.node
      // A complete form is not cut, so look for a shorter prefix.
      while node != 0, forms.nodes[Int(widening: node)].child == 0 {
        node = forms.nodes[Int(widening: node)].fallback
      }
      guard Int(widening: forms.nodes[Int(widening: node)].depth) >= minimumPrefixLength else { continue }
      matches.append(EscapedTextSearch.Match(range: start(of: node, path, at: offset)..<end, form: nil))
    }
  }

  /// The start in the text of the bytes of a node, which a path has just read.
  private func start(of node: Int32, _ path: Path, at offset: Int) -> Int {
    let start =
      offset - marks[Int(widening: path.escape)].after - Int(widening: forms.nodes[Int(widening: node)].depth)
    var index = path.escape
    while index != 0, marks[Int(widening: index)].start > start {
      let far = marks[Int(widening: index)].far
      index = far != 0 && marks[Int(widening: far)].start > start ? far : marks[Int(widening: index)].earlier
    }
    let mark = marks[Int(widening: index)]
    return start < mark.end ? mark.range.lowerBound : start + mark.after
  }

  /// The end of the text, if it is inside an escape that starts here.
  private func endOfCutEscape(at offset: Int, isWhole: Bool) -> Int? {
    let rest = text[offset...].prefix(10)
    let end = rest.indices.first { text[$0...].starts(with: Self.ellipsis) } ?? rest.endIndex
    guard end == text.count || end < rest.endIndex else { return nil }
    var digits = text[(offset + 1)..<end]
    if text[offset] == UInt8(ascii: "%") {
      // A rest of `%252F`.
      while digits.starts(with: "25".utf8) { digits = digits.dropFirst(2) }
      return digits.count < 2 ? end : nil
    }
    let isPart = digits.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "#{".utf8.contains($0) }
    // An escape of HTML, and a number of CSS, is also valid without its end.
    let hasNoEnd = text[offset] == UInt8(ascii: "&") || digits.allSatisfy { $0.hexDigitValue != nil }
    let isCut = !isWhole && digits.first.map { "ux".utf8.contains($0) } == true
    return isPart && (hasNoEnd || isCut) ? end : nil
  }
}
