internal import CCurl
internal import CProbeShims
internal import Glibc

/// The socket of a connection that stands, closed with its last reference.
///
/// It is libcurl's own, which gives it up as soon as the connection stands: libcurl takes an open connection without a
/// transfer for one to use again. While another transfer starts it looks whether such ones are alive, reads the error of
/// a reset, which is then gone for whoever reads next, and closes what it finds at its end.
final class ConnectedSocket: Sendable {
  let descriptor: Int32

  /// Takes a descriptor that nobody else closes.
  init(taking descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    close(descriptor)
  }
}

extension Transfer {
  /// Takes the socket of the connection over when it stands: libcurl is told to end there, and not to close it.
  func takeSocketWhenItStands() {
    let user = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe probe_curl_hand_over(
      easy.pointer,
      { user, _, _, _, _ in
        if let user = unsafe user {
          unsafe Unmanaged<Transfer>.fromOpaque(user).takeUnretainedValue().stood = .now
        }
        return CURL_PREREQFUNC_ABORT
      },
      { user, descriptor in
        guard let user = unsafe user else { return close(descriptor) }
        let transfer = unsafe Unmanaged<Transfer>.fromOpaque(user).takeUnretainedValue()
        // Before it stood this is one of several that were tried.
        guard transfer.stood != nil, transfer.socket == nil else { return close(descriptor) }
        transfer.socket = ConnectedSocket(taking: descriptor)
        return 0
      }, user)
  }
}
