import ConnectivityMonitor
import ConnectivityNotifications
import Foundation

/// Prints the status each time it changes, until the token is given to `removeObserver`.
func announce(_ connectivity: Connectivity, by center: NotificationCenter) -> any NSObjectProtocol {
  connectivity.postNotifications(to: center)
  return center.addObserver(forName: .ConnectivityDidChange, object: connectivity, queue: nil) { note in
    if let monitor = note.object as? Connectivity { print(monitor.status) }
  }
}
