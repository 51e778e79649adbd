/// Numbers at the edges of their types and of the limits of formats.
private let extremes = [
  "0", "-1", "-9223372036854775808", "9223372036854775807", "9223372036854775808", "-9223372036854775809",
  "18446744073709551616", "4294967296", "2147483648", "9007199254740993", "10000000000000", "1e308", "1e-400",
  ".5",
  "99991231235959", "-0",
].map { Array($0.utf8) }

/// Changes an input: in half of the cases a number in it becomes an extreme one, otherwise libFuzzer does as usual.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutateNumber(
  _ input: UnsafeMutablePointer<UInt8>, _ count: Int, _ most: Int, _ seed: CUnsignedInt
) -> Int {
  let bytes = unsafe Array(UnsafeBufferPointer(start: input, count: count))
  let numbers = numbers(in: bytes)
  var choice = Int(seed)
  func choose(_ count: Int) -> Int {
    defer { choice /= count }
    return choice % count
  }
  guard choose(2) == 0, !numbers.isEmpty else { return unsafe mutate(input, count, most) }
  let number = extremes[choose(extremes.count)]
  let range = numbers[choose(numbers.count)]
  let result = bytes[..<range.lowerBound] + number + bytes[range.upperBound...]
  guard result.count <= most else { return unsafe mutate(input, count, most) }
  for (index, byte) in result.enumerated() { unsafe input[index] = byte }
  return result.count
}

/// The numbers in an input, but for those that are a part of a word or of another number.
private func numbers(in bytes: [UInt8]) -> [Range<Int>] {
  var ranges: [Range<Int>] = []
  var place = 0
  while place < bytes.count {
    let start = place
    if bytes[place] == UInt8(ascii: "-") { place += 1 }
    let digits = place
    while place < bytes.count, (0x30...0x39).contains(bytes[place]) { place += 1 }
    guard place > digits else {
      place = start + 1
      continue
    }
    let before = start == 0 ? UInt8(ascii: " ") : bytes[start - 1]
    if " :=,[(\"'>\n".utf8.contains(before) { ranges.append(start..<place) }
  }
  return ranges
}

/// The function of libFuzzer.
@_silgen_name("LLVMFuzzerMutate")
private func mutate(_ input: UnsafeMutablePointer<UInt8>, _ count: Int, _ most: Int) -> Int
