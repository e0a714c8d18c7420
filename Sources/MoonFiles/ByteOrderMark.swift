extension [UInt8] {
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The bytes without the byte order mark of UTF-8 that some editors put at the beginning.
  package var withoutByteOrderMark: [UInt8] {
    starts(with: Self.byteOrderMark) ? Array(dropFirst(Self.byteOrderMark.count)) : self
  }
}
