package import ProbePatterns
package import ProbeCore

extension Pattern {
  /// Compiles a pattern from a pipeline file for searching streams.
  ///
  /// - Throws: ``InvalidInput`` for an invalid pattern, with the position of the error, or an unknown option.
  package convenience init(streaming options: MatchesValidator.Options) throws(InvalidInput) {
    let known = try PatternOptions(named: options.options)
    do {
      try self.init(options.pattern, options: known.union(.streaming))
    } catch {
      throw InvalidInput(error).at("pattern")
    }
  }
}
