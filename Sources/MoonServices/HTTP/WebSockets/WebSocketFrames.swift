import CWslay
import Glibc
import Moonwire

/// The frames of a WebSocket (RFC 6455 §5), between bytes and messages.
///
/// The codec is wslay's. Checks that it leaves to the endpoints are made here.
final class WebSocketFrames {
  /// The meaning of a frame (RFC 6455 §5.2).
  enum Opcode: UInt8 {
    case continuation = 0
    case text, binary
    case close = 8
    case ping, pong
  }

  /// A complete message of one or more frames, or a control frame.
  struct Unit {
    let opcode: Opcode
    let bytes: [UInt8]
    /// What holds the bytes of a message; nil if they are few.
    var share: HeldMemory.Share?
  }

  /// Bytes that fail the connection.
  enum Fault: Error, Equatable {
    /// A frame is masked, as only a client's may be.
    case masked
    /// A reserved bit is set, though no extension was agreed on.
    case reservedBit
    /// The opcode has no meaning.
    case unknownOpcode
    /// A close frame has a code that must not be sent.
    case unknownCode
    /// A frame is out of place, or its length is wrong.
    case misplaced
    /// A message has more bytes or parts than allowed.
    case tooLarge
    /// The host has no room for a message in the memory of the module.
    case noRoom
    /// The system has no memory left.
    case noMemory
  }

  /// The maximum number of parts of a message.
  static let fragmentCountMax = 4_096

  private let bytesMax: Int
  private let inlet: HeldMemory.Inlet
  private var context: wslay_frame_context_ptr?
  /// The source and destination of the codec.
  private let source = Source()
  /// The frame being received; nil between frames.
  private var frame: Frame?
  /// The message being received, without the present frame.
  private var message: Message?

  private struct Frame {
    let opcode: Opcode
    let isLast: Bool
    let length: Int
    var bytes: [UInt8] = []
    /// Whether there was room for it, so that its bytes are read.
    var isAdmitted = false
    /// The number under which it waits for room.
    var arrival: Int?
    var share: HeldMemory.Share?
  }

  private struct Message {
    let opcode: Opcode
    var bytes: [UInt8]
    var count = 1
    var share: HeldMemory.Share?
  }

  /// The bytes for the codec to read, and those that it has written.
  private final class Source {
    var input: ArraySlice<UInt8> = []
    var output: [UInt8] = []
  }

  /// Makes frames for messages of up to `bytesMax` bytes, which are held in a module's memory; nil
  /// if the system has no memory left.
  init?(bytesMax: Int, through inlet: HeldMemory.Inlet) {
    self.bytesMax = bytesMax
    self.inlet = inlet
    var callbacks = wslay_frame_callbacks(
      send_callback: { bytes, count, _, context in
        guard let bytes, let context else { return -1 }
        Unmanaged<Source>.fromOpaque(context).takeUnretainedValue()
          .output.append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
        return count
      },
      recv_callback: { bytes, count, _, context in
        guard let bytes, let context else { return -1 }
        let source = Unmanaged<Source>.fromOpaque(context).takeUnretainedValue()
        let part = source.input.prefix(count)
        // If no bytes are left, the codec asks for more.
        guard !part.isEmpty else { return -1 }
        part.withUnsafeBytes {
          UnsafeMutableRawPointer(bytes).copyMemory(
            from: $0.baseAddress ?? UnsafeRawPointer(bytes), byteCount: $0.count)
        }
        source.input = source.input.dropFirst(part.count)
        return part.count
      },
      genmask_callback: { bytes, count, _ in
        guard let bytes else { return -1 }
        var generator = SystemRandomNumberGenerator()
        for index in 0..<count { bytes[index] = UInt8.random(in: .min ... .max, using: &generator) }
        return 0
      })
    let sourceContext = Unmanaged.passUnretained(source).toOpaque()
    guard wslay_frame_context_init(&context, &callbacks, sourceContext) == 0 else { return nil }
  }

  deinit { wslay_frame_context_free(context) }

  /// Returns a frame with a whole message, masked as a client's must be.
  func encoded(_ opcode: Opcode, _ content: [UInt8]) throws(Fault) -> [UInt8] {
    defer { source.output = [] }
    var sent = 0
    repeat {
      let count = content.withUnsafeBufferPointer { bytes in
        var frame = wslay_frame_iocb()
        frame.fin = 1
        frame.opcode = opcode.rawValue
        frame.payload_length = UInt64(content.count)
        frame.mask = 1
        frame.data = bytes.baseAddress.map { $0 + sent }
        frame.data_length = content.count - sent
        return wslay_frame_send(context, &frame)
      }
      guard count >= 0 else { throw .noMemory }
      sent += count
    } while sent < content.count
    return source.output
  }

  /// Adds bytes that have arrived.
  func add(_ bytes: some Sequence<UInt8>) { source.input.append(contentsOf: bytes) }

  /// Whether the frame being received waits for room in the memory.
  var wantsRoom: Bool { frame.map { !$0.isAdmitted } ?? false }

  /// Asks for room for the frame that waits, once; `goOn` learns of it on any thread.
  func askForRoom(
    then goOn: @escaping @Sendable (HeldMemory.Share?) -> Void
  ) throws(Fault) {
    guard let frame, wantsRoom, frame.arrival == nil else { return }
    do throws(ServiceRefusal) {
      self.frame?.arrival = try inlet.memory.admit(frame.length, through: inlet, then: goOn)
    } catch {
      throw .noRoom
    }
  }

  /// Stops waiting for room.
  func withdraw() { if let arrival = frame?.arrival { inlet.memory.withdraw(arrival) } }

  /// Lets the frame that waits go on, with what holds its bytes.
  func admit(_ share: HeldMemory.Share?) {
    frame?.isAdmitted = true
    frame?.share = share
  }

  /// Returns the next message or control frame; nil until more bytes arrive, or until the frame
  /// that waits is admitted.
  func next() throws(Fault) -> Unit? {
    while true {
      if wantsRoom { return nil }
      if let whole = frame, whole.bytes.count >= whole.length {
        frame = nil
        if let unit = end(whole) { return unit }
      }
      var part = wslay_frame_iocb()
      let count = wslay_frame_recv(context, &part)
      if count == Int(WSLAY_ERR_WANT_READ.rawValue) { return nil }
      guard count >= 0 else { throw .misplaced }
      if frame == nil { frame = try begin(part) }
      frame?.bytes.append(
        contentsOf: UnsafeBufferPointer(start: part.data, count: part.data_length))
    }
  }

  private func begin(_ part: wslay_frame_iocb) throws(Fault) -> Frame {
    if part.rsv != 0 { throw .reservedBit }
    if part.mask != 0 { throw .masked }
    guard let opcode = Opcode(rawValue: part.opcode) else { throw .unknownOpcode }
    var frame = Frame(
      opcode: opcode, isLast: part.fin != 0, length: Int(clamping: part.payload_length))
    switch opcode {
    // The codec has checked their length.
    case .close, .ping, .pong: frame.isAdmitted = true
    case .text, .binary:
      guard message == nil else { throw .misplaced }
      guard frame.length <= bytesMax else { throw .tooLarge }
      frame.isAdmitted = frame.length < HeldMemory.countedBytesMin
    case .continuation:
      guard let message else { throw .misplaced }
      guard frame.length <= bytesMax - message.bytes.count, message.count < Self.fragmentCountMax
      else { throw .tooLarge }
      try hold(message.bytes.count + frame.length, growingBy: frame.length)
      frame.isAdmitted = true
    }
    return frame
  }

  /// Holds more bytes of a message that has begun.
  ///
  /// It doesn't wait: if several did, none might ever have room for its rest.
  private func hold(_ count: Int, growingBy more: Int) throws(Fault) {
    var share = message?.share
    do throws(ServiceRefusal) {
      try inlet.memory.hold(count, growingBy: more, in: &share)
    } catch {
      throw .noRoom
    }
    message?.share = share
  }

  /// Ends a frame; returns the message or control frame that it completes.
  private func end(_ frame: Frame) -> Unit? {
    switch frame.opcode {
    case .close, .ping, .pong: return Unit(opcode: frame.opcode, bytes: frame.bytes)
    case .text, .binary:
      if frame.isLast {
        return Unit(opcode: frame.opcode, bytes: frame.bytes, share: frame.share)
      }
      message = Message(opcode: frame.opcode, bytes: frame.bytes, share: frame.share)
    case .continuation:
      message?.bytes += frame.bytes
      message?.count += 1
      guard frame.isLast, let whole = message else { return nil }
      message = nil
      return Unit(opcode: whole.opcode, bytes: whole.bytes, share: whole.share)
    }
    return nil
  }
}

extension WebSocketFrames.Fault: CustomStringConvertible {
  /// A description of what the server did.
  var description: String {
    switch self {
    case .masked: "it sent a masked frame"
    case .reservedBit: "it sent a frame with a reserved bit set"
    case .unknownOpcode: "it sent a frame of an unknown kind"
    case .unknownCode: "it closed with a code that has no meaning"
    case .misplaced: "it sent a frame that may not be there"
    case .tooLarge: "it sent a message that is too large"
    case .noRoom: "it sent more than the host may hold for the module"
    case .noMemory: "the system has no memory left"
    }
  }
}
