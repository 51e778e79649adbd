import ProbeCore

extension PerformanceValue {
  /// The base unit of a metric, and the factor or the divisor from a unit to it.
  private struct BaseUnit {
    let name: String
    var factor = 1.0
    var divisor = 1.0
  }

  /// The units of the Monitoring Plugins Development Guidelines, and binary multiples of bytes.
  private static let baseUnits: [String: BaseUnit] = {
    var units = [
      "s": BaseUnit(name: "seconds"), "ms": BaseUnit(name: "seconds", divisor: 1e3),
      "us": BaseUnit(name: "seconds", divisor: 1e6), "ns": BaseUnit(name: "seconds", divisor: 1e9),
      "%": BaseUnit(name: "ratio", divisor: 100), "c": BaseUnit(name: "count"),
      "B": BaseUnit(name: "bytes"), "kB": BaseUnit(name: "bytes", factor: 1e3),
    ]
    var (decimal, binary) = (1.0, 1.0)
    for prefix in "KMGTPE" {
      (decimal, binary) = (decimal * 1000, binary * 1024)
      units["\(prefix)B"] = BaseUnit(name: "bytes", factor: decimal)
      units["\(prefix)iB"] = BaseUnit(name: "bytes", factor: binary)
    }
    return units
  }()

  /// The number in the base unit of a metric, with the name of that unit.
  ///
  /// The base units are those of Prometheus' rules for names: seconds, bytes and, for percentages, a ratio. Any other
  /// unit stays as it is.
  var inBaseUnit: (number: Double, unit: String) {
    guard let base = Self.baseUnits[unit] else { return (number, unit) }
    return (number * base.factor / base.divisor, base.name)
  }
}
