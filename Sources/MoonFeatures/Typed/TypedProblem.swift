import MoonRouting

/// The reason that a registration can't be used, before its feature is known.
enum TypedProblem: Error, Equatable {
  case invalidType(String)
  case invalidPattern(String, reason: String)
}
