internal import ProbeCore

extension SourceDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { node.scalar?.isNull == true }

  func decode(_ type: Bool.Type) throws -> Bool {
    try scalar(harmless: true, type) { (node, field) throws(InvalidInput) in
      try ScalarRules.boolean(node, field)
    }
  }

  func decode(_ type: String.Type) throws -> String {
    try scalar(harmless: "x", type) { (node, field) throws(InvalidInput) in
      try ScalarRules.text(node, field)
    }
  }

  func decode(_ type: Double.Type) throws -> Double { try number(type) }
  func decode(_ type: Float.Type) throws -> Float { try number(type) }
  func decode(_ type: Int.Type) throws -> Int { try integer(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
  func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }
  func decode(_ type: Int128.Type) throws -> Int128 { try integer(type) }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try integer(type) }

  private func number<Number: BinaryFloatingPoint & LosslessStringConvertible>(
    _ type: Number.Type
  ) throws -> Number {
    try scalar(harmless: 1, type) { (node, field) throws(InvalidInput) in
      try ScalarRules.number(node, field, type)
    }
  }

  private func integer<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
    try scalar(harmless: 1, type) { (node, field) throws(InvalidInput) in
      try ScalarRules.integer(node, field, in: Number.min...Number.max)
    }
  }
}
