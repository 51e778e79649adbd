extension Duration {
  /// The time in seconds, rounded to microseconds: finer than any measurement of a probe, and short in text
  /// form.
  package var inSeconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + (Double(attoseconds) / 1e12).rounded() / 1e6
  }
}
