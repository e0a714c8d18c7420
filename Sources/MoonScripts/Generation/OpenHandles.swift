import MoonServiceKit

/// The handles that the tasks of one generation of a module have open.
///
/// Confined to the host.
struct OpenHandles {
  /// The maximum number of handles that one module may have open.
  static let countMax = 256

  private var handles: [Int64: OpenHandle] = [:]
  private var lastID: Int64 = 0

  subscript(id: Int64) -> OpenHandle? { handles[id] }

  /// Adds a handle and returns its number.
  ///
  /// - Throws: ``ServiceRefusal/tooManyHandles(max:)``; the handle is then closed.
  mutating func add(_ handle: OpenHandle) throws(ServiceRefusal) -> Int64 {
    guard handles.count < Self.countMax else {
      handle.close()
      throw .tooManyHandles(max: Self.countMax)
    }
    lastID += 1
    handles[lastID] = handle
    return lastID
  }

  mutating func close(_ id: Int64) { handles.removeValue(forKey: id)?.close() }
}
