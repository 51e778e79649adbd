/// Something private in a file that others are given, such as a fixture.
public struct PrivateData: Hashable, Sendable {
  /// What it is: a hardware address or an e-mail address.
  public var kind: CaptureRedaction.Replacement.Kind
  /// Where it stands, in bytes from the start of the file; what is in packed content is where that starts.
  public var offset: Int
  /// Whether it is in content that is packed (gzip, deflate).
  public var isPacked: Bool

  /// The hardware addresses and e-mail addresses in a file that may be somebody's.
  ///
  /// Nobody's are those for documentation (RFC 7042 §2.1.2, RFC 2606), the broadcast address, and one of zeros. A file
  /// with an answer in it is read as one: its content is put together from its chunks, or unpacked.
  ///
  /// - Parameter file: All bytes of the file.
  /// - Returns: Each with its place, from the start of the file to its end.
  public static func found(in file: [UInt8]) -> [PrivateData] {
    let texts = WireText(file, isRequest: false)
    let plain = texts.parts.flatMap { part in
      findings(in: part).map { finding in
        let start = finding.range.lowerBound
        return PrivateData(
          kind: finding.value.kind, offset: part.places?[start] ?? (part.start + start), isPacked: false)
      }
    }
    let packed = texts.packed.flatMap { packed in
      let part = WireText.Part(bytes: packed.bytes ?? [], start: 0)
      return Set(findings(in: part).map(\.value.kind)).map { kind in
        PrivateData(kind: kind, offset: packed.places.first?.lowerBound ?? 0, isPacked: true)
      }
    }
    return (plain + packed).sorted { ($0.offset, $0.kind.rawValue) < ($1.offset, $1.kind.rawValue) }
  }

  private static func findings(in part: WireText.Part) -> [PrivateFinding] {
    PrivateText.findings(in: part.bytes, head: part.head).filter { finding in
      finding.isPrivate && (finding.value.kind == .mac || finding.value.kind == .email)
    }
  }
}
