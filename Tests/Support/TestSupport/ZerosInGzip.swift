import Foundation

/// One mebibyte of zeros in a kilobyte of gzip (RFC 1952).
package enum ZerosInGzip {
  /// The output of `head -c 1048576 /dev/zero | gzip -9n`: in base64 it is one long run between a start and
  /// an end.
  package static let bytes: [UInt8] = {
    let text = "H4sIAAAAAAACA+3BMQEAAADCoPVPbQhfo" + String(repeating: "A", count: 1355) + "PgMc6jinAAAQAA=="
    return Data(base64Encoded: text).map(Array.init) ?? []
  }()
}
