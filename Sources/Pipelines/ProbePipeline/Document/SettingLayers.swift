import ProbeCore

/// The settings of a request in layers, each of which overrides those before it, key by key: those of the whole
/// pipeline, of the set, of the URL or step, and of the command line.
struct SettingLayers {
  /// The settings of one layer.
  struct Layer {
    /// What the settings are for.
    enum Scope: String {
      case pipeline, set, url = "URL", step, option
    }

    var scope: Scope
    var settings: [RequestSetting]
    var set: Int?
    var target: Int?
  }

  let layers: [Layer]

  /// The layers of a request that no URL of a pipeline makes: the options alone.
  init(ofOptions settings: [RequestSetting]) {
    layers = [Layer(scope: .option, settings: settings)]
  }

  /// The layers of the request for a URL.
  init(_ pipeline: Pipeline, set index: Int, target position: Int) {
    let set = pipeline.sets[index]
    layers = [
      Layer(scope: .pipeline, settings: pipeline.settings),
      Layer(scope: .set, settings: set.settings, set: index),
      Layer(
        scope: set.isSequence ? .step : .url, settings: set.targets[position].settings, set: index,
        target: position),
      Layer(scope: .option, settings: pipeline.overrides),
    ]
  }

  /// The settings of a key that have an effect, with their layers: the last one and, if that only adds to the value, those
  /// before it.
  func effective(_ key: String) -> [(layer: Layer, setting: RequestSetting)] {
    var effective: [(layer: Layer, setting: RequestSetting)] = []
    for layer in layers {
      for setting in layer.settings where setting.key == key {
        if !setting.isAddition { effective = [] }
        effective.append((layer, setting))
      }
    }
    return effective
  }

  /// The setting that causes an error: the last one of those that the error names; nil if none of them is set.
  func cause(of error: InvalidInput) -> (layer: Layer, setting: RequestSetting)? {
    for layer in layers.reversed() {
      let cause = layer.settings.last { $0.key.map(error.settings.contains) ?? false }
      if let cause { return (layer, cause) }
    }
    return nil
  }
}
