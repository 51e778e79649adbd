import ProbeCore
import SourceDocuments

/// What a pipeline file can name: the language itself, and what plugins add to it.
struct PipelineLanguage {
  /// The plugins.
  let plugins: PluginRegistry
  /// What was compiled for the file so far.
  let parts = CompiledParts()
  /// The request keys, in the order in which the transports tell them.
  let requestKeys: [LanguageKey]

  /// The language over these plugins.
  init(_ plugins: PluginRegistry) {
    self.plugins = plugins
    var keys: [LanguageKey] = []
    for scheme in plugins.transports.schemes {
      for key in plugins.transports[scheme]?.requestKeys(for: scheme) ?? [] {
        let index = keys.firstIndex { $0.name == key.name } ?? keys.endIndex
        if index == keys.endIndex {
          keys.append(LanguageKey(name: key.name, summary: key.summary, defaultValue: key.defaultValue))
        }
        keys[index].byScheme[scheme] = key
      }
    }
    requestKeys = keys
  }
}

/// A key of `request`, and what it is for the schemes that know it.
struct LanguageKey {
  /// The key in a file.
  let name: String
  /// What it sets, in one line.
  let summary: String
  /// What holds without it, in words, or nil.
  let defaultValue: String?
  /// What each scheme that knows it makes of it.
  var byScheme: [URLScheme: RequestKey] = [:]
}
