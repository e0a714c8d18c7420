import CMoonLua
import Glibc
import Synchronization

/// The compiled forms of the program's own texts in Lua, which all machines share.
///
/// Compiling the texts takes longer than all else that a new machine does.
enum CompiledTexts {
  /// The maximum number of texts that are kept.
  static let countMax = 64

  private struct Name: Hashable {
    let chunk: String
    let byteCount: Int
  }

  private struct Kept {
    let source: [UInt8]
    let form: [UInt8]
  }

  private static let kept = Mutex<[Name: Kept]>([:])

  /// Returns the compiled form of a text; nil if it doesn't compile, or for lack of memory.
  ///
  /// Only for texts of the program: Lua trusts a compiled form.
  static func form(of source: [UInt8], chunk: String) -> [UInt8]? {
    let name = Name(chunk: chunk, byteCount: source.count)
    return kept.withLock { kept in
      if let known = kept[name], known.source == source { return known.form }
      guard let form = compiled(source, chunk) else { return nil }
      if kept.count < countMax || kept[name] != nil {
        kept[name] = Kept(source: source, form: form)
      }
      return form
    }
  }

  private static func compiled(_ source: [UInt8], _ chunk: String) -> [UInt8]? {
    var size = 0
    let bytes = source.withUnsafeBufferPointer { text in
      text.withMemoryRebound(to: CChar.self) {
        moon_compiled($0.baseAddress, text.count, chunk, &size)
      }
    }
    guard let bytes else { return nil }
    defer { free(bytes) }
    return Array(UnsafeBufferPointer(start: bytes, count: size))
  }
}
