/// An error in input such as a URL, a pattern or an option's value, described so that its author can fix it.
///
/// The error contains text of the input only if that is safe to print. The caller knows where the input came
/// from (argument, line, file) and adds that.
public struct InvalidInput: Error, Hashable, Sendable {
  /// The problem: one line, lower-case start, no final full stop.
  public var message: String
  /// How to fix it, on one line, or nil if the message already says so.
  public var remedy: String?
  /// The position of the problem, in UTF-8 bytes from the start of the value, or nil if it is the whole
  /// value.
  public var offset: Int?
  /// The part of the value that has the problem; empty for the whole value.
  ///
  /// The elements are keys, and numbers of list items from 0, from the outermost to the innermost.
  public var path: [String] = []
  /// Whether a named file is at fault, rather than the value that names it.
  package var concernsFile = false

  /// Describes a problem.
  public init(_ message: String, remedy: String? = nil, offset: Int? = nil) {
    self.message = message
    self.remedy = remedy
    self.offset = offset
  }
}

extension InvalidInput {
  /// The same error, seen from an enclosing value: the keys are prepended to ``path``.
  ///
  /// For example, if the option `pattern` has an error, throw `mistake.at("pattern")`. A caller that reads
  /// the options from a file can then point at the option.
  public func at(_ keys: String...) -> InvalidInput { at(keys) }

  /// The same error, marked as the fault of a named file.
  package var ofFile: InvalidInput {
    var mistake = self
    mistake.concernsFile = true
    return mistake
  }

  /// The same error, seen from the list that contains the value at this index, from 0.
  public func at(_ index: Int) -> InvalidInput { at(["\(index)"]) }

  /// Makes something from a part of a value, and rethrows an error as seen from the whole value.
  ///
  /// - Parameters:
  ///   - keys: The keys of the part, from the outermost to the innermost.
  ///   - make: Makes the result from the part.
  /// - Returns: The result of `make`.
  /// - Throws: The error that `make` throws, with the keys prepended to its path.
  public static func at<Value>(
    _ keys: String..., make: () throws(InvalidInput) -> Value
  ) throws(InvalidInput) -> Value {
    do throws(InvalidInput) {
      return try make()
    } catch {
      throw error.at(keys)
    }
  }

  /// The same error, seen from an enclosing value.
  package func at(_ keys: [String]) -> InvalidInput {
    var mistake = self
    mistake.path = keys + path
    return mistake
  }
}

/// An error that combines every problem of a value.
public protocol InvalidInputs: Error {
  /// The problems, each with its position in the value; never empty.
  var mistakes: [InvalidInput] { get }
}

extension InvalidInput: CustomStringConvertible {
  /// Message and remedy on one line.
  public var description: String {
    guard let remedy else { return message }
    return "\(message): \(remedy)"
  }

  /// The message, the position if known, and the remedy, on one line.
  public var descriptionWithOffset: String {
    guard let offset else { return description }
    return InvalidInput("\(message) at byte \(offset)", remedy: remedy).description
  }
}
