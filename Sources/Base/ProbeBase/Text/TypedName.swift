extension [String] {
  /// The names as alternatives: `a, b or c`.
  package var alternatives: String {
    guard let last, count > 1 else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " or " + last
  }
}

/// The known name that a misspelled name most likely means.
///
/// A name with further words at its end or one at its start, such as `retries_per_url` for `retries`, counts as
/// one mistake, and so does a name without its last words.
///
/// - Returns: The name, or nil if none is similar enough.
package func nearestName(to name: String, among known: [String]) -> String? {
  guard name.utf8.count <= 64 else { return nil }
  let typed = TypedName(name)
  var near: (name: String, distance: Int, length: Int)?
  for name in known {
    guard let (distance, length) = typed.distance(to: name) else { continue }
    // Of names with added words, the one that explains most of the name.
    if let near, near.distance < distance || near.distance == distance && near.length >= length { continue }
    near = (name, distance, length)
  }
  let extended = known.filter { typed.isBeginning(of: Array($0.utf8)) }
  // The name of which this one is the beginning leaves out no word.
  if extended.count == 1, near.map({ $0.distance > 1 || $0.length < typed.letters.count }) ?? true {
    return extended.first
  }
  if let near { return near.name }
  let longer = known.filter { $0.hasPrefix(name) }
  return longer.count == 1 && typed.letters.count >= 3 ? longer.first : nil
}

/// A name as typed, with the parts of it that can be meant if words were added.
private struct TypedName {
  /// The name in lower case.
  let letters: [UInt8]
  /// The name without its last words, and without its first word.
  private let parts: [ArraySlice<UInt8>]

  init(_ name: String) {
    let bytes = Array(name.utf8)
    let letters = bytes.map(\.asciiLowercased)
    // Words end at a separator, or before a capital.
    var ends: [(end: Int, next: Int)] = []
    for index in bytes.indices.dropFirst() {
      if "_-.".utf8.contains(bytes[index]) {
        ends.append((index, index + 1))
      } else if bytes[index].isASCIIUppercase, !bytes[index - 1].isASCIIUppercase {
        ends.append((index, index))
      }
    }
    let first = ends.first { end in
      end.next < bytes.count && bytes[..<end.end].contains { $0.isASCIILetter || $0.isASCIIDigit }
    }
    self.letters = letters
    parts = ends.map { letters[..<$0.end] } + (first.map { [letters[$0.next...]] } ?? [])
  }

  /// The number of mistakes between a known name and this one, and the length of the part that is meant; nil if
  /// they are not similar.
  func distance(to name: String) -> (distance: Int, length: Int)? {
    let known = Array(name.lowercased().utf8)
    var best = Self.distance(letters[...], known).map { (distance: $0, length: letters.count) }
    for part in parts where part.count >= 2 {
      guard let distance = Self.distance(part, known), distance + 1 < best?.distance ?? .max else { continue }
      // A short part is similar to too many names.
      guard distance == 0 || part.count >= 6 else { continue }
      best = (distance + 1, part.count)
    }
    return best
  }

  /// Whether this name is the first words of another one.
  func isBeginning(of name: [UInt8]) -> Bool {
    guard letters.count >= 3, letters.count < name.count, name.map(\.asciiLowercased).starts(with: letters)
    else {
      return false
    }
    let next = name[letters.count]
    return "_-.".utf8.contains(next) || next.isASCIIUppercase
  }

  private static func distance(_ typed: ArraySlice<UInt8>, _ known: [UInt8]) -> Int? {
    let maximum = max(1, min(known.count, typed.count) / 3)
    // Each extra letter costs one edit, so a larger difference in length cannot match; skip the slow
    // comparison.
    guard (known.count - typed.count).magnitude <= maximum else { return nil }
    let distance = editDistance(Array(typed), known)
    return distance <= maximum ? distance : nil
  }
}

/// The number of letters to insert, remove, replace, or swap with their neighbour to turn one text into the
/// other (optimal string alignment distance).
package func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...right.count)
  var row = 0
  while row < left.count {
    var current = [row + 1]
    var column = 0
    while column < right.count {
      var best = min(last[column + 1] + 1, current[column] + 1)
      best = min(best, last[column] + (left[row] == right[column] ? 0 : 1))
      if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
        best = min(best, beforeLast[column - 1] + 1)
      }
      current.append(best)
      column += 1
    }
    (beforeLast, last) = (last, current)
    row += 1
  }
  return last[right.count]
}
