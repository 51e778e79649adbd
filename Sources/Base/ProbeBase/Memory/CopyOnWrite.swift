/// A value stored on the heap, so that its container copies as a single word, with copy-on-write semantics.
///
/// A probe in flight keeps several copies of its request and response in the frames of its task, and
/// thousands of probes can be in flight. As plain structs, these copies took more memory than everything
/// libcurl keeps for a connection.
///
/// The accessors are inlinable, and so are the accessors of the types that contain this value. Otherwise each
/// access from another module would allocate memory on the heap.
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

// A box is written to only while exactly one value refers to it.
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
