internal import ProbeCore

/// Finds out what the values of a type look like, and makes one that does no harm.
///
/// The type is decoded from a decoder that has an answer to everything and notes what it is asked for, several times:
/// once as a text, once as a list and so on, once with all keys and once with those only that must be there. What it asks
/// for in any of these trials is what it can be made of.
final class FormDescription {
  /// How deep types may stand in one another; those that have no end, as `G<[T]>` in `G<T>`, are cut off there.
  private static let depth = 32

  let userInfo: [CodingUserInfoKey: any Sendable]
  private var known: [ObjectIdentifier: (form: ValueForm, value: Any?)] = [:]
  private var open: [ObjectIdentifier] = []
  private var names: [ObjectIdentifier: String] = [:]

  private init(_ userInfo: [CodingUserInfoKey: any Sendable]) {
    self.userInfo = userInfo
  }

  /// What values of a type may look like.
  static func form(
    of type: any Decodable.Type, _ userInfo: [CodingUserInfoKey: any Sendable] = [:]
  ) -> ValueForm {
    FormDescription(userInfo).form(of: type)
  }

  /// What values of a type may look like, and one of them.
  static func of<Value: Decodable>(
    _ type: Value.Type, _ userInfo: [CodingUserInfoKey: any Sendable]
  ) -> (form: ValueForm, value: Value?) {
    FormDescription(userInfo).describe(type)
  }

  private func form<Value: Decodable>(of type: Value.Type) -> ValueForm { describe(type).form }

  /// What values of a type look like, and one of them where one could be made.
  func describe<Value: Decodable>(_ type: Value.Type) -> (form: ValueForm, value: Value?) {
    let id = ObjectIdentifier(type)
    if let (form, value) = known[id] { return (form, value.flatMap { $0 as? Value }) }
    guard !open.contains(id) else { return (.reference(name(of: type)), nil) }
    // Those of Swift's own collections are not worth a name.
    if type is any Wrapper.Type { return examine(type) }
    guard open.count < Self.depth else { return (.anything, nil) }
    open.append(id)
    defer { open.removeLast() }
    var (form, value) = examine(type)
    if let name = names[id] { form = .named(name, form) }
    // A form that is named stands in the schema once.
    known[id] = (names[id].map(ValueForm.reference) ?? form, value)
    return (form, value)
  }

  private func examine<Value: Decodable>(_ type: Value.Type) -> (form: ValueForm, value: Value?) {
    if type is Duration.Type { return (.duration, Duration.seconds(1) as? Value) }
    if let choice = type as? any (CaseIterable & RawRepresentable<String>).Type {
      return (.choice(ChoiceNames.of(type) ?? []), Self.first(choice) as? Value)
    }
    let notes = FormNotes()
    var value: Value?
    func attempt(_ trial: Trial) {
      let decoder = DescribingDecoder(notes, trial, self)
      guard let made = try? Value(from: decoder) else { return }
      notes.succeeded.insert(trial)
      // The value with the fewest parts: least can be wrong with it.
      if value == nil || trial.presence == .none { value = made }
    }
    for trial in Trial.all where trial.refused == nil || notes.hasParts { attempt(trial) }
    for trial in notes.more { attempt(trial) }
    if let optional = type as? any OptionalForm.Type { return (optional.wrappedForm(self), value) }
    let described = (type as? any DescribedForm.Type)?.form { self.form(of: $0) }
    return (described ?? notes.form, value)
  }

  private func name(of type: any Any.Type) -> String {
    let id = ObjectIdentifier(type)
    if let name = names[id] { return name }
    let plain = String(describing: type)
    let same = names.values.count { $0 == plain || $0.hasPrefix("\(plain)-") }
    names[id] = same == 0 ? plain : "\(plain)-\(same + 1)"
    return names[id] ?? plain
  }

  private static func first<Choice: CaseIterable>(_ type: Choice.Type) -> Choice? { type.allCases.first }
}

/// A type of Swift's that holds values of other types.
private protocol Wrapper {}

extension Array: Wrapper {}
extension Dictionary: Wrapper {}
extension Optional: Wrapper {}
extension Set: Wrapper {}

/// A value that may be missing looks like one that is there.
private protocol OptionalForm {
  static func wrappedForm(_ description: FormDescription) -> ValueForm
}

extension Optional: OptionalForm where Wrapped: Decodable {
  static func wrappedForm(_ description: FormDescription) -> ValueForm {
    description.describe(Wrapped.self).form
  }
}
