public import MoonActions
public import MoonValues

/// An action whose payload is a Swift type: a structure with the fields of the payload, or an
/// enumeration with a case for each action.
///
/// ```swift
/// struct Measure: TypedAction { var celsius: Double }
/// ```
///
/// In a feature `Thermometer`, this is `thermometer/measure`, with the payload `{celsius = 21.5}`.
/// Scripts, the prompt and other features dispatch and hear it as they do any action.
///
/// The actions of an enumeration are named after its cases. ``examples`` has a value of each, since
/// nothing else knows which cases there are:
///
/// ```swift
/// enum Counter: TypedAction {
///   case add(by: Int), reset
///   static let examples: [Counter] = [.add(by: 1), .reset]  // counter/add, counter/reset
/// }
/// ```
///
/// A sole value without a label is the field `value`. The fields that are declared are those that
/// the case decodes, with those that may be left out. If a type doesn't show them, as one whose
/// `init(from:)` accepts little, the fields of the example are declared.
public protocol TypedAction: Codable, Sendable {
  /// The type of the action; of an enumeration, that of all its cases, such as `counter/*`.
  ///
  /// By default, it is made of the name of the type, and of that of the type that it is in, in
  /// lowercase with underscores. An enumeration that isn't in another type gives its own name to
  /// the module.
  static var type: Text { get }
  /// One value for each case of an enumeration; empty for a structure.
  static var examples: [Self] { get }
}

extension TypedAction {
  /// The type, made of the names of the types.
  public static var type: Text {
    let names = TypeName.parts(of: Self.self).suffix(2).map(TypeName.snakeCase)
    guard !examples.isEmpty else { return Text(names.joined(separator: "/")) }
    return Text("\(names.first ?? "")/*")
  }

  /// No examples.
  public static var examples: [Self] { [] }
}

extension TypedAction where Self: CaseIterable {
  /// All cases.
  public static var examples: [Self] { Array(allCases) }
}

extension Action {
  /// Makes the action of a typed one.
  ///
  /// - Throws: ``ValueCodingError`` if the payload can't be encoded.
  public init<A: TypedAction>(_ typed: A) throws(ValueCodingError) {
    self = try ActionForm.of(A.self).action(typed)
  }
}
