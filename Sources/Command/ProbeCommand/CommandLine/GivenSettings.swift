import CommandKit
import ProbeCore
import SourceDocuments

/// The settings of requests that options of a command line give.
struct GivenSettings: Sendable {
  /// The value of one option, as a file would have it.
  private struct Given: Sendable {
    var key: RequestKey
    var option: RequestOption
    var value: WrittenValue
    /// The setting of the value; nil for a part of a value, which is checked together with the rest.
    var setting: RequestSetting?
  }

  private var given: [Given] = []
  /// Settings of options that are more than the value of a key; they apply after the others.
  private var others: [RequestSetting] = []

  /// The names of the options.
  var names: Set<String> { Set(given.map(\.option.name) + others.compactMap(\.option)) }

  /// Adds the value of an option.
  ///
  /// - Throws: `InvalidInput` if it is not valid.
  mutating func give(_ option: RequestOption, of key: RequestKey, _ text: String) throws(InvalidInput) {
    let value = try key.value(of: text, by: option)
    let setting = option.requirement == nil ? try key.setting(asWritten: value) : nil
    given.append(Given(key: key, option: option, value: value, setting: setting))
  }

  /// Adds the setting of an option that is more than the value of a key.
  ///
  /// - Parameters:
  ///   - option: The option, for messages.
  ///   - key: The key that it sets.
  ///   - value: The value, for a report.
  ///   - isAddition: Whether it adds to the value of the key.
  ///   - change: Changes a request; throws if the context lacks something, such as a secret.
  mutating func add(
    _ option: String, of key: String, value: String, isAddition: Bool = false,
    _ change: @escaping @Sendable (inout ProbeRequest, RequestContext) throws(InvalidInput) -> Void
  ) {
    var setting = RequestSetting(change)
    (setting.key, setting.option, setting.isAddition) = (key, option, isAddition)
    setting.source = { RequestSetting.Source(value: value, location: option) }
    others.append(setting)
  }

  /// The settings, one for each key.
  var settings: [RequestSetting] { values.map(\.setting) + others }

  /// A request with these settings, as far as they need no URL and no secret.
  var request: ProbeRequest {
    var request = ProbeRequest.standard
    for setting in settings { try? setting.apply(to: &request, in: .withoutSecrets) }
    return request
  }

  /// Whether an option gives the value of a key.
  func gives(_ key: RequestKey) -> Bool { given.contains { $0.key.name == key.name } }

  /// The values that belong to a recording, as a mapping of a pipeline file: those about the server.
  var inYAML: String? {
    let kept = values.filter { !$0.key.isLocal && $0.key.isInFiles }
    guard !kept.isEmpty else { return nil }
    return SourceNode(.mapping(kept.map { WrittenValue.Entry($0.key.name, $0.value) })).inYAML
  }

  /// The errors in combinations of options.
  var mistakes: [InvalidInput] {
    var known: Set<String> = []
    let options = given.map(\.option).filter { known.insert($0.name).inserted }
    return options.flatMap { option in
      var mistakes = options.filter { option.exclusions.contains($0.name) }.map {
        InvalidInput(
          "\($0.usualName) and \(option.usualName) cannot be combined", remedy: "keep one of them")
      }
      if let requirement = option.requirement, !known.contains(requirement) {
        mistakes.append(
          InvalidInput(
            "\(option.name) requires \(requirement)", remedy: "add \(requirement), or omit the option"))
      }
      return mistakes
    }
  }

  /// The errors in options that none of these schemes uses: no transport of theirs has the key.
  func unused(bySchemes schemes: Set<URLScheme>, of transports: TransportRegistry) -> [InvalidInput] {
    transports.requestKeys.flatMap { key in
      let users = Set(key.byScheme.keys)
      guard schemes.isDisjoint(with: users) else { return [InvalidInput]() }
      let names = schemes.map(\.name).sorted().joined(separator: " and ")
      let options = Set(
        given.filter { $0.key.name == key.name && $0.option.requirement == nil }.map(\.option.name))
      return options.sorted().map {
        InvalidInput(
          "\($0): \(names) URLs do not have this setting",
          remedy: "it is for \(users.map(\.name).sorted().alternatives) URLs")
      }
    }
  }

  /// The value of each key that options give, in the order of the first option; each option that adds to a value has its own.
  private var values: [(key: RequestKey, value: WrittenValue, setting: RequestSetting)] {
    // A part without its whole, and one of two that cannot be combined, are reported as such.
    let names = names
    let usable = given.filter { given in
      given.option.requirement.map(names.contains) ?? true
        && names.isDisjoint(with: given.option.exclusions)
    }
    var keys: [String] = []
    var byKey: [String: [Given]] = [:]
    for given in usable {
      if byKey[given.key.name] == nil { keys.append(given.key.name) }
      byKey[given.key.name, default: []].append(given)
    }
    return keys.flatMap { name in
      let all = byKey[name] ?? []
      guard all.first?.key.addsOptions == true else { return [combined(all)] }
      let additions = all.map { combined([$0]) }
      return all[0].key.additionsPrecede ? additions.reversed() : additions
    }
  }

  /// The value of a key that one or more options give together; of an option that is repeated, the last one counts.
  private func combined(
    _ all: [Given]
  ) -> (key: RequestKey, value: WrittenValue, setting: RequestSetting) {
    let own = all.filter { !$0.option.isFallback }
    var used: [Given] = []
    for given in own.isEmpty ? all : own {
      if let index = used.firstIndex(where: { $0.option.name == given.option.name }) {
        used[index] = given
      } else {
        used.append(given)
      }
    }
    let (key, options) = (used[0].key, used.map(\.option.name).joined(separator: " and "))
    let value = used.dropFirst().reduce(used[0].value) { $0.merged(with: $1.value) }
    var setting: RequestSetting
    do throws(InvalidInput) {
      setting =
        if used.count == 1, let own = used[0].setting { own } else { try key.setting(asWritten: value) }
    } catch {
      setting = RequestSetting { _, _ throws(InvalidInput) in throw error }
    }
    setting.option = options
    setting.source = {
      .init(value: SourceNode(value).shown(asValueOf: key.name, of: [key]), location: options)
    }
    return (key, value, setting)
  }
}

extension RequestOption {
  /// The name that people use: a letter for an option without a value.
  fileprivate var usualName: String { value == nil ? short ?? name : name }
}

extension RequestKey {
  /// Makes the setting of a value, which is decoded and checked as in a pipeline file.
  ///
  /// - Throws: `InvalidInput` for a value that is not valid.
  func setting(asWritten value: WrittenValue) throws(InvalidInput) -> RequestSetting {
    func decoded<Value: Decodable & Sendable>(_: Value.Type) throws(InvalidInput) -> RequestSetting {
      let text = if case .text(let text) = value { Array(text.utf8) } else { [UInt8]() }
      let findings = SourceFindings(SourceFile(path: name, bytes: text))
      var node = SourceNode(value)
      // Errors in a text have positions in it.
      node.span = 0..<text.count
      let setting = SourceDecoding.value(
        of: node, as: schema, field: "the value", findings
      ) { (value: Value) in try self.setting(ofOptions: value) }
      if let setting { return setting }
      guard let finding = findings.all.first else { throw InvalidInput("the value cannot be used") }
      // The start of the value is no position worth a mention.
      let offset = finding.offset == 0 ? nil : finding.offset
      throw InvalidInput(finding.message, remedy: finding.remedy, offset: offset)
    }
    return try decoded(valueType)
  }
}

extension OptionSpec {
  /// The option of a setting.
  ///
  /// - Parameters:
  ///   - option: The option.
  ///   - key: The setting.
  ///   - defaultValue: The default value, for the help; nil for none.
  ///   - apply: Stores its text.
  /// - Returns: The option.
  static func setting(
    _ option: RequestOption, of key: RequestKey, default defaultValue: String?,
    _ apply: @escaping @Sendable (inout Options, String) throws -> Void
  ) -> OptionSpec {
    let kind: ValueKind =
      switch option.completion {
      case .text: .text
      case .file: .file
      case .words(let words): .oneOf(words)
      }
    var spec = OptionSpec(
      name: option.name, short: option.short, value: option.value, kind: kind,
      help: option.help ?? key.summary, defaultValue: defaultValue,
      repeats: option.repeats || option.value == nil, apply: apply)
    if key.options.first?.name == option.name { spec.form.details = key.details }
    return option.alias.map(spec.also) ?? spec
  }
}

extension PluginRegistry {
  /// The options of a command for the settings of requests.
  ///
  /// - Parameters:
  ///   - command: The name of the command.
  ///   - showsDefaults: Whether the help has the defaults; false if a file has the settings that no option gives.
  ///   - path: The property of the options that has the settings.
  /// - Returns: The options, in the order of the keys.
  func settingOptions<Options>(
    of command: String, showsDefaults: Bool = false,
    _ path: any WritableKeyPath<Options, ProbingOptions> & Sendable
  ) -> [OptionSpec<Options>] {
    transports.requestKeys.map(\.first).flatMap { key in
      key.options.enumerated().filter { $0.element.commands.contains(command) }.map { index, option in
        .setting(option, of: key, default: showsDefaults && index == 0 ? key.defaultValue : nil) {
          try $0[keyPath: path].settings.give(option, of: key, $1)
        }
      }
    }
  }
}
