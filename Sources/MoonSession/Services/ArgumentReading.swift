import MoonValues

/// Reads the argument for a parameter into memory that has room for one value of its type.
typealias ArgumentReader =
  @Sendable (ServiceArguments, UnsafeMutableRawPointer) throws(ArgumentProblem) -> Void

/// The reading of all arguments of a call, one after another.
///
/// The parameters stand behind it as functions without a type of their own. A loop over parameters
/// of different types looks up the type `ServiceParameter` ten times for each, which was 40,000 of
/// the instructions of a request with nine parameters.
struct ArgumentReading {
  private let readers: [ArgumentReader]
  private let arguments: ServiceArguments
  private var index = 0

  init(_ readers: [ArgumentReader], _ arguments: ServiceArguments) {
    self.readers = readers
    self.arguments = arguments
  }

  /// Returns the next argument, whose type must be that of the next parameter.
  ///
  /// - Throws: ``ArgumentProblem`` if it is missing or wrong.
  mutating func next<Content>(_ type: Content.Type) throws(ArgumentProblem) -> Content {
    defer { index += 1 }
    let place = UnsafeMutablePointer<Content>.allocate(capacity: 1)
    defer { place.deallocate() }
    try readers[index](arguments, UnsafeMutableRawPointer(place))
    return place.move()
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
