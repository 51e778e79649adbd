/// A value on the heap, so that what holds it is copied as one word; it is copied itself when written to while shared.
///
/// A probe in flight keeps several copies of its request and answer in the frames of its task, and thousands of probes
/// are in flight: as plain structs these took more memory than everything libcurl keeps of a connection.
///
/// Its accessors are inlinable, as are those of what holds it: across modules each call of one would otherwise take memory from
/// the heap for the access.
@usableFromInline package struct CopyOnWrite<Value: Sendable> {
  @usableFromInline final class Box {
    @usableFromInline var value: Value

    @inlinable init(_ value: Value) {
      self.value = value
    }
  }

  @usableFromInline var box: Box

  @inlinable package init(_ value: Value) {
    box = Box(value)
  }

  @inlinable package var value: Value {
    _read { yield box.value }
    _modify {
      if !isKnownUniquelyReferenced(&box) { box = Box(box.value) }
      yield &box.value
    }
  }
}

// A box is written to only while a single value holds it.
extension CopyOnWrite: @unchecked Sendable {}

extension CopyOnWrite: Equatable where Value: Equatable {
  @usableFromInline package static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.value == right.value
  }
}

extension CopyOnWrite: Hashable where Value: Hashable {
  @usableFromInline package func hash(into hasher: inout Hasher) {
    hasher.combine(value)
  }
}
