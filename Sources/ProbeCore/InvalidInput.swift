/// Input that cannot be used, said so that its author can mend it: a URL, a pattern, an option's value.
///
/// The text of the input itself is not part of the error unless it is safe to print; the caller knows
/// where the input stood (argument, line, file) and adds that.
public struct InvalidInput: Error, Hashable, Sendable {
  /// What is wrong, one line, lower-case start, no final stop.
  public var message: String
  /// The way out, one line, or nil where the message already says it.
  public var remedy: String?
  /// Where in the value the problem was met, in UTF-8 bytes from its start, or nil when it is the whole value.
  public var offset: Int?
  /// Which part of the value it is about: keys, and numbers of list items from 0, from the outside in; empty for all of
  /// it.
  public var path: [String] = []
  /// Whether a file that was named is at fault, and not what names it.
  package var concernsFile = false

  /// Describes a problem.
  public init(_ message: String, remedy: String? = nil, offset: Int? = nil) {
    self.message = message
    self.remedy = remedy
    self.offset = offset
  }
}

extension InvalidInput {
  /// The same as seen from further out: what it is about is a part of what the keys lead to.
  ///
  /// `try …` of a pattern that is the option `pattern` throws `mistake.at("pattern")`, so that whoever read the options
  /// from a file can point at it.
  public func at(_ keys: String...) -> InvalidInput { at(keys) }

  /// The same, of which a file that was named is at fault.
  package var ofFile: InvalidInput {
    var mistake = self
    mistake.concernsFile = true
    return mistake
  }

  /// The same as seen from the list in which it is about the item of this number, from 0.
  public func at(_ index: Int) -> InvalidInput { at(["\(index)"]) }

  /// What is made of a part; what is wrong with it is thrown as seen from the whole.
  ///
  /// - Parameters:
  ///   - keys: The keys that lead to the part.
  ///   - make: Makes something of the part.
  /// - Returns: What was made.
  /// - Throws: The mistake that was thrown, at the part.
  public static func at<Value>(
    _ keys: String..., make: () throws(InvalidInput) -> Value
  ) throws(InvalidInput) -> Value {
    do throws(InvalidInput) {
      return try make()
    } catch {
      throw error.at(keys)
    }
  }

  /// The same as seen from further out.
  package func at(_ keys: [String]) -> InvalidInput {
    var mistake = self
    mistake.path = keys + path
    return mistake
  }
}

/// An error that stands for everything that is wrong with a value.
public protocol InvalidInputs: Error {
  /// What is wrong, each with its place in the value; never empty.
  var mistakes: [InvalidInput] { get }
}

extension InvalidInput: CustomStringConvertible {
  /// Message and remedy on one line.
  public var description: String {
    guard let remedy else { return message }
    return "\(message): \(remedy)"
  }

  /// Message, place where one is known, and remedy on one line.
  public var descriptionWithPlace: String {
    guard let offset else { return description }
    return InvalidInput("\(message) at byte \(offset)", remedy: remedy).description
  }
}
