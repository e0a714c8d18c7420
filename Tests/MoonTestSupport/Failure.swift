/// The error that `body` throws, if any.
package func failure<R, E: Error>(_ body: () throws(E) -> R) -> E? {
  do throws(E) {
    _ = try body()
    return nil
  } catch {
    return error
  }
}
