extension ValueForm {
  /// A time as ``ValueSyntax`` reads it, such as `5s` or `800ms`.
  public static var duration: ValueForm {
    .text(
      pattern: #"^[0-9]+(\.[0-9]+)? *(ms|s|m|h|d)$"#, canBeNumber: false, canBeBoolean: false,
      examples: ["5s", "800ms"])
  }

  /// A number of bytes as ``ValueSyntax`` reads it, such as `4096` or `64KiB`.
  public static var byteCount: ValueForm {
    .text(
      pattern: #"^[0-9]+(\.[0-9]+)? *(B|kB|KB|MB|GB|KiB|MiB|GiB)?$"#, canBeBoolean: false,
      examples: ["64KiB", "4096"])
  }
}
