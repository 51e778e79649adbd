import ConnectivityMonitor

/// Observes the kernel's route to the Internet.
func internetObserver() throws -> ReachabilityObserver {
  ReachabilityObserver(.internet, paths: try PathMonitor())
}
