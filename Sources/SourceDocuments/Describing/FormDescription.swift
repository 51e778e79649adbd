internal import ProbeCore

/// Finds out what the values of a type look like, and makes one that does no harm.
enum FormDescription {
  /// What values of a type may look like.
  static func form(of type: any Decodable.Type, _ userInfo: [CodingUserInfoKey: any Sendable] = [:])
    -> ValueForm
  {
    .anything
  }

  /// A value of a type, to go on with where the real one is wrong.
  static func harmless<Value: Decodable>(
    _ type: Value.Type, _ userInfo: [CodingUserInfoKey: any Sendable] = [:]
  ) -> Value? {
    nil
  }
}
