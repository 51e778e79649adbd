/// The question of a pipeline, which determines the subject of its verdict.
public enum Question: String, Hashable, Sendable, Codable, CaseIterable {
  /// Whether the network is open to the Internet, and if not, what is in the way.
  case internet
  /// Whether the services that the pipeline probes are healthy.
  ///
  /// Every probe runs to its end, and validators alone judge the responses.
  case services
}
