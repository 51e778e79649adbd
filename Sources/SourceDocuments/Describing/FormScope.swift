internal import ProbeCore

/// Which named forms have been described so far, so that each is described once, and recursion ends.
final class FormScope {
  private var names: Set<String> = []

  /// The form under a name: described where the name comes first, and a reference everywhere else.
  func define(_ name: String, _ describe: (FormScope) -> ValueForm) -> ValueForm {
    guard names.insert(name).inserted else { return .reference(name) }
    return .named(name, describe(self))
  }
}

/// What a mapping's reader asks for, in its order.
final class MappingDescription {
  let scope: FormScope
  private(set) var keys: [KeyForm] = []

  init(_ scope: FormScope) {
    self.scope = scope
  }

  /// Notes a key; one that is asked for twice may have either form.
  func add(_ key: KeyForm) {
    guard let index = keys.firstIndex(where: { $0.name == key.name }) else { return keys.append(key) }
    // Who looks at the key itself leaves it to another to say what its value is.
    let forms = [keys[index].form, key.form].filter { $0 != .anything }
    keys[index].form = forms.isEmpty ? .anything : .anyOf(forms)
    keys[index].isRequired = keys[index].isRequired || key.isRequired
    keys[index].summary = keys[index].summary ?? key.summary
  }
}
