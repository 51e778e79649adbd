import FuzzSupport
import ProbeCore

/// Any text as a URL of a user, and as a reference from the network.
///
/// The first line is the URL, the second one the reference.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzURL(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  let end = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
  let text = String(decoding: bytes[..<end], as: UTF8.self)
  let reference = String(decoding: bytes[end...].dropFirst(), as: UTF8.self)
  checkWork(of: count) {
    var base = probedURL
    do throws(InvalidInput) {
      base = try ProbeURL(text)
      checkURL(base)
    } catch {
      checkSafeToPrint(error.description)
    }
    check(reference, from: base)
    check(text, from: base)
  }
  return 0
}

private func check(_ reference: String, from base: ProbeURL) {
  guard let target = base.resolve(reference) else { return }
  checkURL(target)
  // `/a/../b` in the URL of a user is unchanged until it is resolved.
  guard let again = base.resolve(target.string) else { preconditionFailure("\(target) cannot be resolved") }
  precondition(again.host == target.host && again.port == target.port, "\(target) is resolved to \(again)")
  precondition(base.resolve(again.string) == again, "\(again) is not resolved to itself")
  // As in a browser, a scheme is before the first colon, whatever is removed from the text.
  let cleaned = reference.utf8.drop { $0 <= 0x20 }.filter { $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
  let name = cleaned.prefix { $0 != UInt8(ascii: ":") }
  let isScheme =
    name.count < cleaned.count
    && name.first.map { ($0 | 0x20) > 0x60 && ($0 | 0x20) < 0x7B && $0 < 0x80 } ?? false
    && name.allSatisfy {
      ($0 | 0x20) > 0x60 && ($0 | 0x20) < 0x7B && $0 < 0x80 || (0x30...0x39).contains($0)
        || [UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: ".")].contains($0)
    }
  let scheme = isScheme ? URLScheme(String(decoding: name, as: UTF8.self)) : base.scheme
  precondition(target.scheme == scheme, "\(target) has another scheme than \(scheme)")
}
