import ProbeCore

/// Numbers names that occur more than once.
struct OccurrenceCounter {
  /// For each name, the number of its occurrence from 1, or nil if the name is unique.
  let numbers: [Int?]

  init(_ given: [String]) {
    // Compare escaped names, because different names may be equal after escaping.
    let names = given.map(\.escapedForDisplay)
    let counts = names.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    var seen: [String: Int] = [:]
    numbers = names.map { name in
      guard counts[name, default: 0] > 1 else { return nil }
      seen[name, default: 0] += 1
      return seen[name]
    }
  }
}
