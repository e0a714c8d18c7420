import CMoonLua
import MoonValues

/// The functions that C calls.
///
/// Each returns a status and never throws into C.
///
/// Their context is an unretained ``Machine``, which outlives every call into its own Lua.
enum Callbacks {
  static func table() -> moon_callbacks {
    moon_callbacks(
      draft_get: { context, draft, key, out in
        Callbacks.withMachine(context) { machine throws(HostRefusal) in
          guard let key, let out else { return MOON_FAILED }
          try machine.read(draft, key, &out.pointee)
          return MOON_DONE
        }
      },
      draft_set: { context, draft, key, value in
        Callbacks.withMachine(context) { machine throws(HostRefusal) in
          guard let key, let value else { return MOON_FAILED }
          if key.pointee.tag == UInt8(MOON_SMALL.rawValue), let scalar = value.pointee.scalar,
            machine.drafts.replaceScalar(
              draft, packed: (key.pointee.small.high, key.pointee.small.low), with: scalar)
          {
            return MOON_DONE
          }
          try Callbacks.write(value, under: key, of: draft, in: machine)
          return MOON_DONE
        }
      },
      draft_length: { context, draft, out in
        Callbacks.withMachine(context) { machine throws(HostRefusal) in
          out?.pointee = Int64(machine.drafts.length(draft))
          return MOON_DONE
        }
      },
      draft_next: { context, draft, key, next, value in
        Callbacks.withMachine(context) { machine throws(HostRefusal) in
          let entry = try machine.drafts.next(draft, after: key.map { Key($0) })
          next?.pointee.set(entry.map { .scalar($0.key.value) } ?? .absent)
          value?.pointee.set(entry?.value ?? .absent)
          machine.noteGrowth()
          return MOON_DONE
        }
      },
      draft_insert: { context, draft, position, value in
        Callbacks.withMachine(context) { machine throws(HostRefusal) in
          guard let value else { return MOON_FAILED }
          let done =
            switch moon_tag(UInt32(value.pointee.tag)) {
            case MOON_DRAFT:
              try machine.drafts.insert(draft, position, .null, draft: value.pointee.draft)
            case MOON_TREE:
              try machine.insertTree(draft, position, value)
            default:
              try machine.drafts.insert(draft, position, value.pointee.scalar ?? .null)
            }
          machine.noteGrowth()
          return done ? MOON_DONE : MOON_NOT_A_LIST
        }
      },
      draft_remove: { context, draft, position, out in
        Callbacks.withMachine(context) { machine throws(HostRefusal) in
          guard let removed = try machine.drafts.remove(draft, position) else {
            return MOON_NOT_A_LIST
          }
          out?.pointee.set(removed)
          machine.noteGrowth()
          return MOON_DONE
        }
      },
      draft_path: { context, draft, key, out in
        Callbacks.withMachine(context) { machine throws(HostRefusal) in
          var path = machine.drafts.path(draft, key.map { Key($0) })
          path.withUTF8 { moon_buffer_append(out, $0.baseAddress, $0.count) }
          return MOON_DONE
        }
      },
      host_call: { context, function, arguments, length, out in
        Callbacks.withMachine(context) { machine throws(HostRefusal) in
          try machine.callHost(
            function, UnsafeRawBufferPointer(start: arguments, count: length), out)
          return MOON_DONE
        }
      },
      find_library: { context, name, length, out in
        Callbacks.withMachine(context) { machine throws(HostRefusal) in
          let name = String(
            decoding: UnsafeBufferPointer(start: name, count: length), as: UTF8.self)
          let library = try machine.library(name)
          var file = library.file
          file.withUTF8 { bytes in
            for number in [UInt32(bytes.count), library.isCompiled ? 1 : 0] {
              withUnsafeBytes(of: number) { moon_buffer_append(out, $0.baseAddress, $0.count) }
            }
            moon_buffer_append(out, bytes.baseAddress, bytes.count)
          }
          library.source.withUnsafeBufferPointer {
            moon_buffer_append(out, $0.baseAddress, $0.count)
          }
          return MOON_DONE
        }
      }
    )
  }

  /// Stores a value in a draft.
  // Not inlined, so that the callback is small where a number is replaced.
  @inline(never)
  private static func write(
    _ value: UnsafePointer<moon_item>, under key: UnsafePointer<moon_item>, of draft: UInt32,
    in machine: Machine
  ) throws(HostRefusal) {
    let name = Key(key)
    switch moon_tag(UInt32(value.pointee.tag)) {
    case MOON_DRAFT: try machine.drafts.set(draft, name, draft: value.pointee.draft)
    case MOON_TREE:
      let (tree, depth) = try machine.tree(value, draft, name)
      try machine.drafts.set(draft, name, tree, depth: depth)
    default: try machine.drafts.set(draft, name, value.pointee.scalar)
    }
    machine.noteGrowth()
  }

  @inline(__always)
  private static func withMachine(
    _ context: UnsafeMutableRawPointer?, _ body: (Machine) throws(HostRefusal) -> Int32
  ) -> Int32 {
    guard let context else { return MOON_FAILED }
    #if DEBUG
      moon_count_swift_frame(1)
      defer { moon_count_swift_frame(-1) }
    #endif
    return Unmanaged<Machine>.fromOpaque(context)._withUnsafeGuaranteedRef { machine in
      do throws(HostRefusal) {
        return try body(machine)
      } catch {
        machine.note(error)
        return MOON_FAILED
      }
    }
  }
}

extension Machine {
  /// Like ``Drafts/value(_:_:)``, for items.
  @inline(__always)
  fileprivate func read(
    _ index: UInt32, _ key: UnsafePointer<moon_item>, _ out: inout moon_item
  ) throws(HostRefusal) {
    let draft = drafts.drafts + Int(index)
    let slot =
      switch moon_tag(UInt32(key.pointee.tag)) {
      case MOON_SMALL:
        draft.pointee.branch.slot(packed: (key.pointee.small.high, key.pointee.small.low))
      case MOON_INTEGER: draft.pointee.branch.slot(int: key.pointee.integer)
      default: draft.pointee.branch.slot(Key(key))
      }
    guard let slot else {
      out.tag = UInt8(MOON_NIL.rawValue)
      return
    }
    switch slot.pointee {
    case .int(let integer):
      out.tag = UInt8(MOON_INTEGER.rawValue)
      out.integer = integer
    case .bool(let flag): out.tag = UInt8((flag ? MOON_TRUE : MOON_FALSE).rawValue)
    case .list, .map:
      out.draft = try drafts.child(index, Key(key), slot)
      noteGrowth()
      out.tag = UInt8(MOON_DRAFT.rawValue)
    default: out.set(slot.pointee)
    }
  }
}

extension Key {
  fileprivate init(_ item: UnsafePointer<moon_item>) {
    switch moon_tag(UInt32(item.pointee.tag)) {
    case MOON_SMALL:
      self = .string(Text(packed: (item.pointee.small.high, item.pointee.small.low)))
    case MOON_TEXT: self = .string(item.pointee.longText)
    default: self = .int(item.pointee.integer)
    }
  }

  fileprivate var value: Value {
    switch self {
    case .int(let integer): .int(integer)
    case .string(let text): .string(text)
    }
  }
}

extension moon_item {
  fileprivate var longText: Text {
    Text(validUTF8: UnsafeBufferPointer(start: text.bytes, count: text.length))
  }

  fileprivate var scalar: Value? {
    switch moon_tag(UInt32(tag)) {
    case MOON_FALSE: .bool(false)
    case MOON_TRUE: .bool(true)
    case MOON_INTEGER: .int(integer)
    case MOON_NUMBER: .double(number)
    case MOON_SMALL: .string(Text(packed: (small.high, small.low)))
    case MOON_TEXT: .string(longText)
    case MOON_NULL: .null
    default: nil
    }
  }

  /// Points to the bytes of a long text in the tree: C reads them before the next callback.
  fileprivate mutating func set(_ value: DraftValue) {
    switch value {
    case .absent: tag = UInt8(MOON_NIL.rawValue)
    case .draft(let index):
      tag = UInt8(MOON_DRAFT.rawValue)
      draft = index
    case .scalar(let scalar): set(scalar)
    }
  }

  mutating func set(_ scalar: Value) {
    switch scalar {
    case .bool(let flag): tag = UInt8((flag ? MOON_TRUE : MOON_FALSE).rawValue)
    case .int(let value):
      tag = UInt8(MOON_INTEGER.rawValue)
      integer = value
    case .double(let value):
      tag = UInt8(MOON_NUMBER.rawValue)
      number = value
    case .string(let value):
      if let packed = value.packed {
        tag = UInt8(MOON_SMALL.rawValue)
        small.high = packed.0
        small.low = packed.1
      } else if let bytes = value.stableBytes {
        tag = UInt8(MOON_TEXT.rawValue)
        text.bytes = bytes.baseAddress
        text.length = bytes.count
      }
    case .null, .list, .map: tag = UInt8(MOON_NULL.rawValue)
    }
  }
}
