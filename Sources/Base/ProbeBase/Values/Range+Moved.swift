extension Range<Int> {
  /// The range moved by a distance.
  package func moved(by distance: Int) -> Range<Int> { (lowerBound + distance)..<(upperBound + distance) }
}
