package import ProbePCRE2
package import ProbeCore

extension Pattern {
  /// A pattern as a file has it, compiled for searching streams.
  ///
  /// - Throws: ``InvalidInput`` for a pattern with a mistake in it, with its place, or an unknown option.
  package convenience init(streaming options: MatchesValidator.Options) throws(InvalidInput) {
    let known = try PatternOptions(named: options.options)
    do {
      try self.init(options.pattern, options: known.union(.streaming))
    } catch {
      throw InvalidInput(error).at("pattern")
    }
  }
}
