import ConnectivityMonitor
import ConnectivityNotifications
import Foundation

/// Starts the notifier, with a callback for each direction.
public func startWithCallbacks(_ connectivity: Connectivity, _ report: @escaping @Sendable (String) -> Void) {
  let connectivityChanged: @Sendable (Connectivity) -> Void = { connectivity in
    report("callback: \(connectivity.status)")
  }
  connectivity.whenConnected = connectivityChanged
  connectivity.whenDisconnected = connectivityChanged
  connectivity.startNotifier(queue: DispatchQueue(label: "callbacks"))
}

/// Has each change posted, for whoever observes it.
public func observeNotifications(
  of connectivity: Connectivity, _ report: @escaping @Sendable (String) -> Void
) -> any NSObjectProtocol {
  let center = NotificationCenter()
  connectivity.postNotifications(to: center)
  return center.addObserver(forName: .ConnectivityDidChange, object: nil, queue: nil) { notification in
    guard let connectivity = notification.object as? Connectivity else { return }
    report("notification: \(connectivity.status)")
  }
}

/// Reads the changes as a sequence; that starts the notifier, and leaving the loop stops it.
public func waitForInternet(_ connectivity: Connectivity) async -> ConnectivityState? {
  for await state in connectivity.changes where state.isConnected {
    return state
  }
  return nil
}

/// Describes what is known, in the words of each status.
public func describe(_ state: ConnectivityState) -> String {
  switch state.status {
  case .connected, .connectedViaCellular, .connectedViaEthernet, .connectedViaWiFi:
    "online by \(state.currentInterface?.name ?? "some way")"
  case .connectedViaCellularWithoutInternet, .connectedViaEthernetWithoutInternet,
    .connectedViaWiFiWithoutInternet, .notConnected:
    state.portal.map { "log in at \($0.loginURL)" } ?? "offline: \(state.evidence.first?.summary ?? "no way")"
  case .determining: "checking"
  }
}
