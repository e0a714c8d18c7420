import CWslay
import Glibc

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
    /// The system has no memory left.
    case noMemory
  }

  /// The maximum number of parts of a message.
  static let fragmentCountMax = 4_096

  private let bytesMax: Int
  private var context: wslay_frame_context_ptr?
  /// The source and destination of the codec.
  private let source = Source()
  /// The frame being received; nil between frames.
  private var frame: Frame?
  /// The message being received, without the present frame.
  private var message: (opcode: Opcode, bytes: [UInt8], count: Int)?

  private struct Frame {
    let opcode: Opcode
    let isLast: Bool
    let length: Int
    var bytes: [UInt8] = []
  }

  /// The bytes for the codec to read, and those that it has written.
  private final class Source {
    var input: ArraySlice<UInt8> = []
    var output: [UInt8] = []
  }

  /// Makes frames for messages of up to `bytesMax` bytes; nil if memory has run out.
  init?(bytesMax: Int) {
    self.bytesMax = bytesMax
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

  /// Returns the next message or control frame; nil until more bytes arrive.
  func next() throws(Fault) -> Unit? {
    while true {
      var part = wslay_frame_iocb()
      let count = wslay_frame_recv(context, &part)
      if count == Int(WSLAY_ERR_WANT_READ.rawValue) { return nil }
      guard count >= 0 else { throw .misplaced }
      var frame: Frame
      if let begun = self.frame { frame = begun } else { frame = try begin(part) }
      frame.bytes.append(contentsOf: UnsafeBufferPointer(start: part.data, count: part.data_length))
      if frame.bytes.count < frame.length {
        self.frame = frame
      } else {
        self.frame = nil
        if let unit = end(frame) { return unit }
      }
    }
  }

  private func begin(_ part: wslay_frame_iocb) throws(Fault) -> Frame {
    if part.rsv != 0 { throw .reservedBit }
    if part.mask != 0 { throw .masked }
    guard let opcode = Opcode(rawValue: part.opcode) else { throw .unknownOpcode }
    let frame = Frame(
      opcode: opcode, isLast: part.fin != 0, length: Int(clamping: part.payload_length))
    switch opcode {
    // The codec has checked their length.
    case .close, .ping, .pong: return frame
    case .text, .binary:
      guard message == nil else { throw .misplaced }
      guard frame.length <= bytesMax else { throw .tooLarge }
    case .continuation:
      guard let message else { throw .misplaced }
      guard frame.length <= bytesMax - message.bytes.count, message.count < Self.fragmentCountMax
      else { throw .tooLarge }
    }
    return frame
  }

  /// Ends a frame; returns the message or control frame that it completes.
  private func end(_ frame: Frame) -> Unit? {
    switch frame.opcode {
    case .close, .ping, .pong: return Unit(opcode: frame.opcode, bytes: frame.bytes)
    case .text, .binary:
      if frame.isLast { return Unit(opcode: frame.opcode, bytes: frame.bytes) }
      message = (frame.opcode, frame.bytes, 1)
    case .continuation:
      message?.bytes += frame.bytes
      message?.count += 1
      guard frame.isLast, let whole = message else { return nil }
      message = nil
      return Unit(opcode: whole.opcode, bytes: whole.bytes)
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
    case .noMemory: "the system has no memory left"
    }
  }
}
