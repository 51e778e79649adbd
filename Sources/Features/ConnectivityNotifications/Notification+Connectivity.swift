public import ConnectivityMonitor
public import Foundation

extension Notification.Name {
  /// Posted after a change of the connectivity status; its object is the `Connectivity`.
  public static let ConnectivityDidChange = Notification.Name("kNetworkConnectivityChangedNotification")
}

extension Connectivity {
  /// Posts `Notification.Name.ConnectivityDidChange` on the callback queue each time the status changes.
  ///
  /// Call this once, before starting the monitor.
  ///
  /// - Parameter center: The notification center.
  public func postNotifications(to center: NotificationCenter = .default) {
    observe { connectivity, _ in
      center.post(name: .ConnectivityDidChange, object: connectivity)
    }
  }
}
