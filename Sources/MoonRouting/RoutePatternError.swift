public import MoonValues

/// What is wrong with a pattern's text.
///
/// Columns count characters (Unicode scalars) from 1.
public enum RoutePatternError: Error, Hashable, Sendable {
  /// The text has more bytes than ``RoutePattern/byteCountMax``.
  case tooLong(max: Int)
  /// There are more components than ``RoutePattern/componentCountMax``.
  case tooManyComponents(max: Int, column: Int)
  /// There are more groups than ``RoutePattern/groupCountMax``.
  case tooManyGroups(max: Int, column: Int)
  /// The groups stand for more patterns than ``RoutePattern/variantCountMax``.
  case tooManyVariants(max: Int)
  /// A `(` has no `)`.
  case unclosedGroup(column: Int)
  /// A `)` has no `(`.
  case unopenedGroup(column: Int)
  /// Nothing stands between `(` and `)`.
  case emptyGroup(column: Int)
  /// Something follows the `*`.
  case wildcardNotLast(column: Int)
  /// Something adjoins the `*` within its component.
  case wildcardWithText(column: Int)
  /// A parameter with a type or a suffix has no name.
  case emptyName(column: Int)
  /// A parameter's name has a character that can't be in one.
  case invalidName(column: Int)
  /// Two parameters have the same name, or one beside a `*` is named `wildcard`.
  case duplicateName(Text, column: Int)
  /// A `<` has no `>`.
  case unclosedType(column: Int)
  /// There is no such parameter type.
  case unknownType(Text, column: Int)
  /// A `%` isn't followed by two hexadecimal digits.
  case malformedEscape(column: Int)
  /// Escapes stand for bytes that aren't UTF-8.
  case invalidUTF8(column: Int)
  /// A control character.
  case unexpectedByte(UInt8, column: Int)
  /// A `?` in a literal, which no URL's path can have.
  case queryInPattern(column: Int)
  /// A second `#`, which no URL can have.
  case secondFragment(column: Int)
  /// A network host after the scheme: hosts with a dot and `localhost` aren't part of the path.
  case hostInPattern(column: Int)
}
