import MoonValues

/// Reads the argument for a parameter into memory that has room for one value of its type.
typealias ArgumentReader =
  @Sendable (ServiceArguments, UnsafeMutableRawPointer) throws(ArgumentProblem) -> Void

/// The reading of all arguments of a call, one after another.
///
/// The parameters stand behind it as functions without a type of their own. A loop over parameters
/// of different types looks up the type `ServiceParameter` ten times for each, which was 40,000 of
/// the instructions of a request with nine parameters.
struct ArgumentReading: ~Copyable {
  /// The size of the memory for one argument after another, which larger ones don't use.
  private static let byteCount = 64

  private let readers: [ArgumentReader]
  private let arguments: ServiceArguments
  private let memory = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 16)
  private var index = 0

  init(_ readers: [ArgumentReader], _ arguments: ServiceArguments) {
    self.readers = readers
    self.arguments = arguments
  }

  deinit { memory.deallocate() }

  /// Returns the next argument, whose type must be that of the next parameter.
  ///
  /// - Throws: ``ArgumentProblem`` if it is missing or wrong.
  mutating func next<Content>(_ type: Content.Type) throws(ArgumentProblem) -> Content {
    defer { index += 1 }
    let isSmall =
      MemoryLayout<Content>.size <= Self.byteCount
      && MemoryLayout<Content>.alignment <= 16
    let place =
      isSmall
      ? memory
      : UnsafeMutableRawPointer.allocate(
        byteCount: MemoryLayout<Content>.size, alignment: MemoryLayout<Content>.alignment)
    defer { if !isSmall { place.deallocate() } }
    try readers[index](arguments, place)
    return place.assumingMemoryBound(to: Content.self).move()
  }
}

extension ServiceParameter {
  /// The function that reads the argument.
  var reader: ArgumentReader {
    {
      [name = facts.name, isRequired = facts.presence == .required, read]
      arguments, place throws(ArgumentProblem) in
      let content = try read(arguments[name, isRequired: isRequired])
      place.initializeMemory(as: Content.self, to: content)
    }
  }
}
