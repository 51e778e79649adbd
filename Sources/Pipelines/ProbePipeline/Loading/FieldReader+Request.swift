import ProbeBase
import ProbeCore
import SourceDocuments

/// The level of a pipeline at which request settings are given.
enum RequestLevel {
  /// The whole pipeline: a key applies to the URLs that support it.
  case pipeline
  /// A set, or a URL: every URL that it applies to must support the key.
  case set, url
}

extension FieldReader where Value == [RequestSetting] {
  /// The contents of `request`: the keys that the transports support.
  static func settings(_ language: PipelineLanguage, of level: RequestLevel) -> FieldReader {
    let keys = language.requestKeys.map {
      ($0, FieldReader<RequestSetting>.setting($0, at: level, language.parts))
    }
    return named("request") {
      .mapping { reader in
        keys.compactMap { key, setting in
          reader.optional(
            key.name, setting, default: key.first.defaultValue,
            summary: key.description(among: language.plugins.transports.schemes))
        }
      }
    }
  }
}

extension FieldReader where Value == RequestSetting {
  /// The setting for a key's value.
  ///
  /// Each scheme that supports the key decodes the value itself; most often all schemes share one definition.
  fileprivate static func setting(
    _ key: SharedRequestKey, at level: RequestLevel, _ parts: CompiledParts
  ) -> FieldReader {
    let readers = key.byScheme.mapValues { reader(of: $0, as: $0.valueType, parts) }
    func schema() -> ValueSchema {
      .anyOf(readers.sorted { $0.key.name < $1.key.name }.map(\.value.schema))
    }
    return FieldReader(schema: schema()) { node, field, findings in
      var byScheme: [URLScheme: RequestSetting] = [:]
      for (scheme, reader) in readers { byScheme[scheme] = reader.value(of: node, field: field, findings) }
      guard byScheme.count == readers.count else { return nil }
      var setting = key.setting(byScheme, at: level)
      let (file, secrets) = (findings.file, findings.secretKeys)
      let known = Guarded<RequestSetting.Source?>(nil)
      // A setting may be that of thousands of URLs.
      setting.source = {
        known.withLock { known in
          let source =
            known
            ?? RequestSetting.Source(
              value: node.shown(asValueOf: key.name, of: Array(key.byScheme.values), and: secrets),
              location: file.locationText(at: node.span.lowerBound))
          known = source
          return source
        }
      }
      return setting
    }
  }

  private static func reader<Written: Decodable & Sendable>(
    of key: RequestKey, as type: Written.Type, _ parts: CompiledParts
  ) -> FieldReader {
    parts.leavingOut(
      .decoded(as: key.schema, userInfo: parts.userInfo) { (value: Written) in try key.setting(of: value) },
      unlessLight: type)
  }
}

extension SharedRequestKey {
  /// The description, with the schemes that know the key where others do not.
  fileprivate func description(among schemes: [URLScheme]) -> String {
    let known = schemes.filter { byScheme[$0] != nil }
    guard known.count < schemes.count else { return first.description() }
    // Every connection has the key, and a check has none.
    if Set(schemes).subtracting(known) == [.check] { return first.description(for: "not for checks") }
    return first.description(for: known.map(\.name).joined(separator: ", "))
  }

  /// A setting that applies the definition for the scheme of the URL.
  fileprivate func setting(
    _ byScheme: [URLScheme: RequestSetting], at level: RequestLevel
  ) -> RequestSetting {
    let known = byScheme.keys.map(\.name).sorted().alternatives
    var setting = RequestSetting { [name] request, context throws(InvalidInput) in
      let scheme = request.url.scheme
      if let setting = byScheme[scheme] {
        try setting.apply(to: &request, in: context)
      } else if level != .pipeline {
        throw InvalidInput("\(scheme) URLs have no request key \(name)", remedy: "it is for \(known)")
      }
    }
    setting.key = name
    return setting
  }
}
