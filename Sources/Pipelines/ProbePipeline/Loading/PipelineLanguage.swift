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
  let requestKeys: [SharedRequestKey]

  /// Creates the language for these plugins, and for those that the file declares.
  init(_ plugins: PluginRegistry, declared: [DeclaredPlugin] = [], folder: PipelineFolder? = nil) {
    var plugins = plugins
    // A scheme that is taken was reported when the declaration was read.
    plugins.transports = plugins.transports.adding(declared.compactMap(\.transport))
    self.plugins = plugins
    self.declared = declared
    self.folder = folder
    requestKeys = plugins.transports.requestKeys.filter(\.first.isInFiles)
  }
}
