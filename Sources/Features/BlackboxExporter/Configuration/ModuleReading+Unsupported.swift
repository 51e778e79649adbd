internal import SourceDocuments

/// Reading the sections of unsupported probers, in which a mistake is an error nevertheless.
extension ModuleReading {
  func grpc(_ node: SourceNode) -> ExporterModule.Probe? {
    guard var reader = MappingReader(node, "grpc", findings) else { return nil }
    _ = reader.text("service")
    _ = addresses(&reader)
    _ = reader.value("tls", .goBoolean)
    _ = reader.value("metadata", .dictionary(of: .list(of: .goText)))
    if let node = reader.filled("tls_config") { _ = tls(node) }
    reader.finish()
    return .unsupported("")
  }

  func unix(_ node: SourceNode) -> ExporterModule.Probe? {
    guard var reader = MappingReader(node, "unix", findings) else { return nil }
    _ = steps(&reader)
    _ = reader.value("tls", .goBoolean)
    if let node = reader.filled("tls_config") { _ = tls(node) }
    reader.finish()
    return .unsupported("")
  }

  func websocket(_ node: SourceNode) -> ExporterModule.Probe? {
    guard var reader = MappingReader(node, "websocket", findings) else { return nil }
    _ = steps(&reader)
    _ = addresses(&reader)
    _ = reader.entry("headers")
    if let node = reader.filled("http_config"), var client = MappingReader(node, "http_config", findings) {
      var unused = HTTPModule()
      readClient(&unused, &client)
      _ = client.value("follow_redirects", .goBoolean)
      client.finish()
    }
    reader.finish()
    return .unsupported("")
  }
}
