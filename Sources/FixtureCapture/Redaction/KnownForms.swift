/// Looks for many values at once, in time that does not depend on how many they are (Aho and Corasick, 1975).
struct KnownForms: Sendable {
  private struct Node {
    /// The longest other node that ends as this one does.
    var fallback = 0
    /// The form that ends here, or nil.
    var form: Int?
    /// The next of the nodes that end as this one does at which a form ends.
    var shorter: Int?
  }

  private var nodes = [Node()]
  private var edges: [Int: Int] = [:]
  private let forms: [KnownForm]

  /// Whether there is nothing to look for.
  var isEmpty: Bool { forms.isEmpty }

  /// The forms to look for; of equal ones the first counts.
  init(_ forms: [KnownForm]) {
    self.forms = forms
    for (index, form) in forms.enumerated() where !form.bytes.isEmpty {
      var node = 0
      for byte in form.bytes {
        let key = node << 8 | Int(byte)
        if let next = edges[key] {
          node = next
        } else {
          nodes.append(Node())
          edges[key] = nodes.count - 1
          node = nodes.count - 1
        }
      }
      if nodes[node].form == nil { nodes[node].form = index }
    }
    link()
  }

  /// Finds each node's fallback, the shorter ones first.
  private mutating func link() {
    var children: [Int: [(byte: Int, node: Int)]] = [:]
    for (key, node) in edges { children[key >> 8, default: []].append((key & 0xFF, node)) }
    var queue = [0]
    var index = 0
    while index < queue.count {
      let node = queue[index]
      index += 1
      for child in children[node] ?? [] {
        queue.append(child.node)
        guard node != 0 else { continue }
        var fallback = nodes[node].fallback
        while fallback != 0, edges[fallback << 8 | child.byte] == nil { fallback = nodes[fallback].fallback }
        let target = edges[fallback << 8 | child.byte] ?? 0
        nodes[child.node].fallback = target
        nodes[child.node].shorter = nodes[target].form == nil ? nodes[target].shorter : target
      }
    }
  }

  /// Where forms stand in a text: from left to right, none over another, the longest of those that start at one place.
  func found(in text: [UInt8]) -> [(range: Range<Int>, form: KnownForm)] {
    var all: [(range: Range<Int>, form: Int)] = []
    var node = 0
    for index in text.indices {
      let byte = Int(text[index])
      while node != 0, edges[node << 8 | byte] == nil { node = nodes[node].fallback }
      node = edges[node << 8 | byte] ?? 0
      guard node != 0 else { continue }
      var end: Int? = nodes[node].form == nil ? nodes[node].shorter : node
      while let found = end, let form = nodes[found].form {
        let place = (index + 1 - forms[form].bytes.count)..<(index + 1)
        if !forms[form].isWord || Self.isWord(place, of: text) {
          all.append((place, form))
          break
        }
        end = nodes[found].shorter
      }
    }
    let sorted = all.sorted {
      ($0.range.lowerBound, -$0.range.count) < ($1.range.lowerBound, -$1.range.count)
    }
    var last = 0
    return sorted.compactMap { match in
      guard match.range.lowerBound >= last else { return nil }
      last = match.range.upperBound
      return (match.range, forms[match.form])
    }
  }

  /// Whether neither a letter nor a digit stands before or behind, but for those of an escape.
  private static func isWord(_ range: Range<Int>, of text: [UInt8]) -> Bool {
    if range.upperBound < text.count, text[range.upperBound].isWord { return false }
    guard let before = text[..<range.lowerBound].last, before.isWord else { return true }
    return TextEscapes.endsInEscape(text[..<range.lowerBound])
  }
}
