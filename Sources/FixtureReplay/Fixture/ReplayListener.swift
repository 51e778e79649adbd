/// One of the three kinds of connections that a replay server receives.
public enum ReplayListener: String, Hashable, Sendable, CaseIterable {
  /// Plain HTTP.
  case http
  /// HTTP inside TLS.
  case https
  /// Plain TCP, on which no HTTP is spoken.
  case tcp
}

/// How connections to a listener are received.
public enum ListenerMode: String, Hashable, Sendable, CaseIterable {
  /// They are accepted, and requests on them answered.
  case open
  /// They are refused, as by a closed port.
  case refused
  /// They are not answered at all, as by a firewall that drops packets.
  case blackhole
  /// They are accepted, and reset at once.
  case rst
  /// They are accepted, what comes is read, and nothing is ever sent.
  case hold
}
