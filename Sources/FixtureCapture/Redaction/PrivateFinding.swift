/// A private value, in the form by which its spellings are known for one.
struct PrivateValue: Hashable, Sendable {
  /// What it is.
  let kind: CaptureRedaction.Replacement.Kind
  /// A hardware address as twelve hex digits in lower case, an address in canonical form, an e-mail address in lower
  /// case, a token without any encoding (in lower case when it is hexadecimal).
  let bytes: [UInt8]
}

/// Something met in a text that is private, or looks like it and is not.
struct PrivateFinding {
  /// Where it stands.
  var range: Range<Int>
  /// What it is.
  var value: PrivateValue
  /// Where it was recognised.
  var place: String
  /// Whether it is private; what is not only keeps others from taking it for a part of theirs.
  var isPrivate = true

  /// The same, so much further on.
  func moved(by distance: Int) -> PrivateFinding {
    var moved = self
    moved.range = range.moved(by: distance)
    return moved
  }
}

extension [PrivateFinding] {
  /// Without those that overlap one before it; of those that start at the same place the longest stays.
  func withoutOverlaps() -> [PrivateFinding] {
    let sorted = enumerated().sorted {
      ($0.element.range.lowerBound, -$0.element.range.count, $0.offset)
        < ($1.element.range.lowerBound, -$1.element.range.count, $1.offset)
    }
    var end = 0
    return sorted.map(\.element).filter { finding in
      guard finding.range.lowerBound >= end, !finding.range.isEmpty else { return false }
      end = finding.range.upperBound
      return true
    }
  }
}
