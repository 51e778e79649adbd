import ProbeCore
import ProbePipeline
import SourceDocuments
import CommandKit

extension OptionSpec {
  /// Values for the variables of pipeline files.
  ///
  /// - Parameter set: Sets the value of a variable.
  /// - Returns: The option.
  static func values(
    _ set: @escaping @Sendable (inout Options, _ name: String, _ value: String) -> Void
  ) -> OptionSpec {
    .option(
      "--set", value: "NAME=TEXT",
      help: "the value of a variable, in place of the one in vars of the pipeline; not for secrets",
      repeats: true
    ) { options, text in
      guard let sign = text.firstIndex(of: "="), sign > text.startIndex else {
        throw InvalidInput("\(Excerpt(text)) has no name and value", remedy: "write it as NAME=TEXT")
      }
      let value = text[text.index(after: sign)...]
      guard !value.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
        throw InvalidInput(
          "the value has a control character or a line end in it", remedy: "give it in one line")
      }
      set(&options, String(text[..<sign]), String(value))
    }
  }
}

extension ProbingOptions {
  /// An error for each value whose variable no pipeline uses.
  ///
  /// - Parameter names: The variables of the pipelines.
  /// - Returns: The errors.
  func unusedValues(_ names: [String]) -> [SourceFinding] {
    Self.unusedValues(values, names)
  }

  /// An error for each of these values whose variable no pipeline uses.
  static func unusedValues(_ values: [String: String], _ names: [String]) -> [SourceFinding] {
    values.keys.sorted().filter { !names.contains($0) }.map { name in
      let nearest = nearestName(to: name, among: names).map { "did you mean \($0)?" }
      return SourceFinding(
        argument: "--set",
        InvalidInput(
          "no pipeline has a variable \(Excerpt(name))",
          remedy: nearest ?? "declare it in vars of the pipeline"))
    }
  }
}
