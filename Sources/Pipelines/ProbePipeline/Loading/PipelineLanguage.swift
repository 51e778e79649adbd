import ProbeCore
import SourceDocuments

/// The vocabulary of pipeline files: the built-in keys, and those that plugins add.
struct PipelineLanguage {
  let plugins: PluginRegistry
  /// The folder of the file, or nil if only the schema is needed.
  let folder: PipelineFolder?
  /// The plugins in other processes that the file declares.
  let declared: [DeclaredPlugin]
  /// The keys that start a program so far.
  let uses = ProgramUses()
  /// The parts compiled for the file so far.
  let parts = CompiledParts()
  /// The request keys, in the order of the transports.
  let requestKeys: [LanguageKey]

  /// Creates the language for these plugins, and for those that the file declares.
  init(_ plugins: PluginRegistry, declared: [DeclaredPlugin] = [], folder: PipelineFolder? = nil) {
    var plugins = plugins
    // A scheme that is taken was reported when the declaration was read.
    plugins.transports = plugins.transports.adding(declared.compactMap(\.transport))
    self.plugins = plugins
    self.declared = declared
    self.folder = folder
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

/// A key of `request`, with its definition for each scheme that supports it.
struct LanguageKey {
  let name: String
  /// The purpose of the key, on one line.
  let summary: String
  /// The default value, in words, or nil.
  let defaultValue: String?
  /// The definition of the key for each scheme.
  var byScheme: [URLScheme: RequestKey] = [:]
}
