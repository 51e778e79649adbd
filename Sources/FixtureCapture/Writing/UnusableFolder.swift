public import ProbeCore

/// A folder that no capture can be written to.
public struct UnusableFolder: Error, Hashable, Sendable {
  /// Who can do something about it.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code as a word.
    public let description: String

    /// Something else has this name, or it is none: another one must be named.
    public static let taken = Code(description: "taken")
    /// The system cannot write there: no room, no permission or no such place.
    public static let unwritable = Code(description: "unwritable")
  }

  /// What kind of trouble it is.
  public let code: Code
  /// What is wrong, and the way out.
  public let problem: InvalidInput

  init(_ code: Code, _ problem: InvalidInput) {
    self.code = code
    self.problem = problem
  }
}

extension UnusableFolder: CustomStringConvertible {
  /// What is wrong, and the way out.
  public var description: String { problem.description }
}
