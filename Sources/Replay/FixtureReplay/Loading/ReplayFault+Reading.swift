package import SourceDocuments

extension ReplayFault {
  /// Reads a fault as in `fixture.yaml`.
  package static var reader: FieldReader<ReplayFault> { .fault }
}
