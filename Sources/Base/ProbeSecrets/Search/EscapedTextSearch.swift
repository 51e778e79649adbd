import ProbeBase

/// Searches for many forms at once, in any spelling.
///
/// Each byte of a form may be plain, percent-encoded, in quoted-printable, or escaped as in HTML, CSS, JSON or
/// scripts, with up to two of these nested; a line may end between any two. Ambiguous text, such as `%25` for itself or
/// for `%`, is read every way. The work grows only with the length of the text, not with its content or the number of
/// forms.
package struct EscapedTextSearch: Sendable {
  /// The position of a form in a text.
  package struct Match: Hashable, Sendable {
    /// The range of its whole spelling.
    package var range: Range<Int>
    /// The index of the form; nil for the beginning of a form that is cut by the end of the text.
    package var form: Int?
  }

  private let forms: SearchTrie
  /// Whether any spelling of a form can start with the byte.
  private let mayStart: [Bool]
  private let minimumPrefixLength: Int

  /// Creates a search for forms.
  ///
  /// - Parameters:
  ///   - forms: The forms, decoded, in bytes; of equal ones the first is found.
  ///   - ignoresCase: Whether ASCII letters of both cases are equal.
  ///   - minimumPrefixLength: The minimum number of bytes of a form that match at the end of a text, or where
  ///     `…` marks a cut; nil if partial matches do not count.
  package init(_ forms: [[UInt8]], ignoresCase: Bool = false, minimumPrefixLength: Int? = nil) {
    let trie = SearchTrie(forms, ignoresCase: ignoresCase)
    self.forms = trie
    self.minimumPrefixLength = minimumPrefixLength ?? .max
    let hasSpace = trie.starts(with: UInt8(ascii: " "))
    mayStart = (0...UInt8.max).map { byte in
      trie.starts(with: byte) || Escape.isIntroducer(byte) || byte == UInt8(ascii: "=")
        || byte == UInt8(ascii: "+") && hasSpace
    }
  }

  /// Finds forms in a text.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - accept: Returns whether a match counts; if it does not, the next shorter match is tried.
  /// - Returns: The longest match at each end position, in the order of their ends.
  package func matches(in text: [UInt8], where accept: (Match) -> Bool = { _ in true }) -> [Match] {
    var steps = 0
    return matches(in: text, counting: &steps, where: accept)
  }

  /// Does the same, and increases `steps` by the number of nodes visited.
  func matches(
    in text: [UInt8], counting steps: inout Int, where accept: (Match) -> Bool = { _ in true }
  ) -> [Match] {
    var reading = EscapedTextReader(forms, text, minimumPrefixLength)
    reading.read(mayStart, accept)
    steps += reading.steps
    return reading.matches.sorted {
      ($0.range.upperBound, $0.range.lowerBound) < ($1.range.upperBound, $1.range.lowerBound)
    }
  }
}

/// A set of forms to search for simultaneously, in time independent of their number (Aho and Corasick, 1975).
struct SearchTrie: Sendable {
  /// A prefix of one or more forms; node 0 is the empty prefix.
  struct Node {
    /// The byte of the edge to the first child.
    var byte: UInt8 = 0
    /// Whether there are more children, in ``others``.
    var isBranching = false
    /// The length of the prefix in bytes.
    var depth: Int32 = 0
    /// The first child, or 0.
    var child: Int32 = 0
    /// The longest other node that is a suffix of this one.
    var fallback: Int32 = 0
    /// The node to continue from if no child has the next byte: a fallback that may have one (Knuth, Morris,
    /// Pratt, 1977).
    var mismatch: Int32 = 0
    /// The longest node that is a form and a suffix of this one, which may be this one itself; or 0.
    var whole: Int32 = 0
  }

  private(set) var nodes = [Node()]
  /// The children of the root.
  private var first = [Int32](repeating: 0, count: 256)
  /// The other children of nodes that have several, by node and byte.
  private var others: [Int: Int32] = [:]
  /// The index of the form that equals a node's prefix.
  private var formOfNode: [Int32: Int] = [:]
  /// Whether ASCII letters of both cases are equal.
  private let ignoresCase: Bool

  /// Builds the set; empty forms are ignored, and the first of equal forms counts.
  init(_ forms: [[UInt8]], ignoresCase: Bool) {
    self.ignoresCase = ignoresCase
    nodes.reserveCapacity(forms.reduce(1) { $0 + $1.count })
    for (index, form) in forms.enumerated() where !form.isEmpty {
      var node: Int32 = 0
      var offset = 0
      while offset < form.count {
        let byte = folded(form[offset])
        offset += 1
        node = child(of: node, byte) ?? addChild(of: node, byte)
      }
      if formOfNode[node] == nil { formOfNode[node] = index }
    }
    link()
  }

  func starts(with byte: UInt8) -> Bool { first[Int(widening: folded(byte))] != 0 }

  /// The node after one more byte; `steps` is increased by the number of nodes visited.
  func next(_ node: Int32, _ byte: UInt8, counting steps: inout Int) -> Int32 {
    var node = node
    let byte = folded(byte)
    while true {
      steps += 1
      if let child = child(of: node, byte) { return child }
      if node == 0 { return 0 }
      node = nodes[Int(widening: node)].mismatch
    }
  }

  /// The longest form that is a suffix of a node; nil if there is none.
  func form(at node: Int32) -> (form: Int, node: Int32)? {
    let whole = nodes[Int(widening: node)].whole
    return formOfNode[whole].map { ($0, whole) }
  }

  /// The next shorter form after one of these results.
  func form(shorterThan node: Int32) -> (form: Int, node: Int32)? {
    form(at: nodes[Int(widening: node)].fallback)
  }
}

extension SearchTrie {
  private func folded(_ byte: UInt8) -> UInt8 { ignoresCase ? byte.asciiLowercased : byte }

  private func child(of node: Int32, _ byte: UInt8) -> Int32? {
    if node == 0 {
      let child = first[Int(widening: byte)]
      return child == 0 ? nil : child
    }
    let parent = nodes[Int(widening: node)]
    if parent.byte == byte, parent.child != 0 { return parent.child }
    return parent.isBranching ? others[Int(widening: node) << 8 | Int(widening: byte)] : nil
  }

  private mutating func addChild(of node: Int32, _ byte: UInt8) -> Int32 {
    let child = Int32(clamping: nodes.count)
    nodes.append(Node(depth: nodes[Int(widening: node)].depth + 1))
    if node == 0 {
      first[Int(widening: byte)] = child
    } else if nodes[Int(widening: node)].child == 0 {
      nodes[Int(widening: node)].byte = byte
      nodes[Int(widening: node)].child = child
    } else {
      nodes[Int(widening: node)].isBranching = true
      others[Int(widening: node) << 8 | Int(widening: byte)] = child
    }
    return child
  }

  /// Finds each node's fallback, shorter prefixes first.
  private mutating func link() {
    var children: [Int32: [(byte: UInt8, node: Int32)]] = [:]
    for (key, node) in others {
      children[Int32(truncatingIfNeeded: key >> 8), default: []].append(
        (UInt8(truncatingIfNeeded: key & 0xFF), node))
    }
    // Node 0 is the fallback of all one-byte prefixes.
    var queue = first.filter { $0 != 0 }
    queue.reserveCapacity(nodes.count)
    for node in queue where formOfNode[node] != nil { nodes[Int(widening: node)].whole = node }
    var steps = 0
    var index = 0
    while index < queue.count {
      let node = queue[index]
      index += 1
      if nodes[Int(widening: node)].child == 0 {
        nodes[Int(widening: node)].mismatch = mismatch(of: node)
        continue
      }
      let only = (byte: nodes[Int(widening: node)].byte, node: nodes[Int(widening: node)].child)
      // Most nodes have one child.
      let all = nodes[Int(widening: node)].isBranching ? [only] + (children[node] ?? []) : [only]
      for child in all {
        let fallback = next(nodes[Int(widening: node)].fallback, child.byte, counting: &steps)
        nodes[Int(widening: child.node)].fallback = fallback
        nodes[Int(widening: child.node)].whole =
          formOfNode[child.node] == nil ? nodes[Int(widening: fallback)].whole : child.node
        queue.append(child.node)
      }
      nodes[Int(widening: node)].mismatch = mismatch(of: node)
    }
  }

  /// The first fallback that may have a child with a byte for which the node itself has none.
  private func mismatch(of node: Int32) -> Int32 {
    let this = nodes[Int(widening: node)]
    var next = this.fallback
    while next != 0 {
      let other = nodes[Int(widening: next)]
      let hasTheSame =
        !other.isBranching && !this.isBranching && this.child != 0 && other.byte == this.byte
      guard other.child == 0 || hasTheSame else { break }
      next = other.mismatch
    }
    return next
  }
}
