import ProbeCore

/// The final settings of a probe, each with its origin.
package struct ExplainedProbe: Encodable, Sendable {
  /// A setting that applies to the probe.
  package struct Setting: Encodable, Hashable, Sendable {
    /// The key of `request` in a pipeline file.
    package var key: String
    /// The value as written, without secrets, or the default value in words.
    package var value: String
    /// What it was given for: the pipeline, its set, the URL, the step or an option; nil for a default.
    package var scope: String?
    /// Where it was given: `FILE:LINE:COLUMN`, or the options; nil for a default.
    package var location: String?
  }

  /// The name of its set.
  package var set: String
  /// The URL as its author wrote it, without credentials.
  package var url: String
  /// The name of the probe, or nil.
  package var name: String?
  /// The settings, in the order of the keys of its scheme.
  package var settings: [Setting]
}

extension LoadedPipeline {
  /// The final settings of each probe.
  package var explanation: [ExplainedProbe] {
    guard let pipeline else { return [] }
    return pipeline.sets.indices.flatMap { index in
      pipeline.sets[index].targets.indices.map { pipeline.explanation(index, $0, over: allTransports) }
    }
  }
}

extension Pipeline {
  fileprivate func explanation(
    _ index: Int, _ position: Int, over transports: TransportRegistry
  ) -> ExplainedProbe {
    let target = sets[index].targets[position]
    let layers = SettingLayers(self, set: index, target: position)
    let url = target.parsedURL ?? (try? ProbeURL(target.secretURL ?? target.url))
    let keys = url.flatMap { transports[$0.scheme]?.requestKeys(for: $0.scheme) } ?? []
    return ExplainedProbe(
      set: sets[index].name, url: target.url.withoutCredentials, name: target.name,
      settings: keys.flatMap { key in
        if key.name == RequestKey.family.name, sets[index].families != [nil] {
          return [familiesSetting(of: sets[index])]
        }
        return layers.settings(of: key)
      })
  }

  /// The families of a set, which replace the setting of its requests.
  private func familiesSetting(of set: ProbeSet) -> ExplainedProbe.Setting {
    let names = set.families.map { $0?.rawValue ?? "any" }
    return ExplainedProbe.Setting(
      key: RequestKey.family.name, value: names.joined(separator: ", "), scope: "families of the set")
  }
}

extension SettingLayers {
  /// The settings of a key that have an effect, or its default.
  fileprivate func settings(of key: RequestKey) -> [ExplainedProbe.Setting] {
    let effective = effective(key.name)
    let given = effective.map { layer, setting in
      let source = setting.source?()
      return ExplainedProbe.Setting(
        key: key.name, value: source?.value ?? "set in code", scope: layer.scope.rawValue,
        location: source?.location)
    }
    let isReplaced = !key.extendsDefault && effective.contains { !$0.setting.isAddition }
    guard !isReplaced, given.isEmpty || key.defaultValue != nil else { return given }
    return [ExplainedProbe.Setting(key: key.name, value: key.defaultValue ?? "none")] + given
  }
}
