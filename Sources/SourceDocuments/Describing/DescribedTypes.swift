internal import ProbeCore

/// What was found out about types while one value is decoded, so that it is found out once.
final class DescribedTypes {
  private let userInfo: [CodingUserInfoKey: any Sendable]
  private var known: [ObjectIdentifier: (form: ValueForm, value: Any?)] = [:]

  init(_ userInfo: [CodingUserInfoKey: any Sendable]) {
    self.userInfo = userInfo
  }

  /// What values of a type may look like; anything for one that cannot be decoded.
  func form(of type: any Any.Type) -> ValueForm {
    guard let type = type as? any Decodable.Type else { return .anything }
    return describe(type).form
  }

  /// A value of a type, to go on with where the real one is wrong; nil when none could be made.
  func harmless<Value: Decodable>(_ type: Value.Type) -> Value? {
    describe(type).value.flatMap { $0 as? Value }
  }

  private func describe<Value: Decodable>(_ type: Value.Type) -> (form: ValueForm, value: Any?) {
    let id = ObjectIdentifier(type)
    if let known = known[id] { return known }
    let (form, value) = FormDescription.of(type, userInfo)
    known[id] = (form, value)
    return (form, value)
  }
}
