import ConnectivityKit

/// Prints each change of Internet access.
func watchConnectivity() async throws {
  for await state in try Connectivity().changes {
    print(state.status)
  }
}
