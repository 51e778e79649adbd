private import Glibc

extension Crew {
  /// The journal after the handshakes that have begun, which a client can finish before the server notes them.
  var journalAfterHandshakes: Journal {
    // A client that never finishes one does not hold up a test for long.
    for _ in 0..<60_000 where journal.pendingHandshakes > 0 { usleep(1000) }
    return journal
  }
}
