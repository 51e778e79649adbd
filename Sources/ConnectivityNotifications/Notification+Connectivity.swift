public import ConnectivityMonitor
public import Foundation

extension Notification.Name {
  /// Posted when the connectivity status has changed; its object is the `Connectivity`.
  public static let ConnectivityDidChange = Notification.Name("kNetworkConnectivityChangedNotification")
}

extension Connectivity {
  /// Posts `Notification.Name.ConnectivityDidChange` each time the status changes, where callbacks come.
  ///
  /// To be called once, before the monitor is started.
  ///
  /// - Parameter center: Where to post.
  public func postNotifications(to center: NotificationCenter = .default) {
    observe { connectivity, _ in
      center.post(name: .ConnectivityDidChange, object: connectivity)
    }
  }
}
