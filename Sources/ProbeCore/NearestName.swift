extension [String] {
  /// The names as alternatives: `a, b or c`.
  package var alternatives: String {
    guard let last, count > 1 else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " or " + last
  }
}

/// The known name that a misspelled name most likely means.
///
/// - Returns: The name, or nil if none is similar enough.
package func nearestName(to name: String, among known: [String]) -> String? {
  let typed = Array(name.lowercased().utf8)
  guard typed.count <= 64 else { return nil }
  var near: (name: String, distance: Int)?
  for name in known {
    let most = max(1, min(name.utf8.count, typed.count) / 3)
    let letters = Array(name.lowercased().utf8)
    // Each extra letter costs one edit, so a larger difference in length cannot match; skip the slow
    // comparison.
    guard (letters.count - typed.count).magnitude <= most else { continue }
    let distance = editDistance(typed, letters)
    if distance <= most, distance < near?.distance ?? .max { near = (name, distance) }
  }
  if let near { return near.name }
  let longer = known.filter { $0.hasPrefix(name) }
  return longer.count == 1 && typed.count >= 3 ? longer.first : nil
}

/// The number of letters to insert, remove, replace, or swap with their neighbour to turn one text into the
/// other (optimal string alignment distance).
private func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...right.count)
  for row in left.indices {
    var current = [row + 1]
    for column in right.indices {
      var best = min(last[column + 1] + 1, current[column] + 1)
      best = min(best, last[column] + (left[row] == right[column] ? 0 : 1))
      if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
        best = min(best, beforeLast[column - 1] + 1)
      }
      current.append(best)
    }
    (beforeLast, last) = (last, current)
  }
  return last[right.count]
}
