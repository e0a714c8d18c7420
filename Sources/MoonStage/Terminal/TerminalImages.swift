import Moonwire

/// The images on the terminal, by the graphics protocol of kitty.
///
/// They are drawn beside ncurses, over cells that it has left blank. A value that follows what the
/// terminal has, and makes the commands for what is to change.
///
/// Source: the terminal graphics protocol, sections "Display images on screen" and "Deleting
/// images".
struct TerminalImages {
  /// A part of an image that is on the terminal.
  private struct Part: Equatable {
    /// The number by which the terminal knows the image.
    var image: Int
    var area: StageArea
    /// The rows of pixels.
    var pixels: Range<Int>
  }

  /// The number of images that the terminal keeps, so that those of a moment ago needn't be sent
  /// again.
  private static let keptMax = 64
  /// The maximum number of bytes in a command.
  private static let chunkMax = 4096

  /// What the terminal has been sent, by number from 1.
  private var kept: [Text?] = Array(repeating: nil, count: keptMax)
  private var parts: [Part] = []
  private var commands = ""

  /// Has the terminal remove all images, in case it isn't known which ones it has.
  mutating func forgetAll() {
    if kept.contains(where: { $0 != nil }) { add("a=d,d=A") }
    (kept, parts) = (Array(repeating: nil, count: Self.keptMax), [])
  }

  /// Returns the commands that draw the images of a picture, each as far as nothing lies over it.
  mutating func commands(for canvas: Canvas) -> String {
    let wanted = canvas.images.indices.flatMap { index in
      parts(of: canvas.images[index], canvas.seenRows(of: index), in: canvas)
    }
    if wanted != parts {
      // Placements are few, so they are all made anew.
      for image in Set(parts.map(\.image)).sorted() { add("a=d,d=i,i=\(image)") }
      for (number, part) in wanted.enumerated() { place(part, number + 1) }
      parts = wanted
    }
    defer { commands = "" }
    return commands
  }

  /// Rows that follow one another are one part.
  private mutating func parts(of image: PlacedImage, _ rows: [Int], in canvas: Canvas) -> [Part] {
    guard !rows.isEmpty, let number = number(of: image.image.base64, beside: canvas.images) else {
      return []
    }
    var areas: [StageArea] = []
    for row in rows {
      if let last = areas.last, last.row + last.height == row {
        areas[areas.count - 1].height += 1
      } else {
        var area = image.area
        (area.row, area.height) = (row, 1)
        areas.append(area)
      }
    }
    return areas.map { area in
      let (first, height) = (area.row - image.area.row, image.area.height)
      let start = first * image.image.height / height
      let end = (first + area.height) * image.image.height / height
      return Part(image: number, area: area, pixels: start..<max(start + 1, end))
    }
  }

  /// Returns the number of an image, which is sent if the terminal hasn't got it; nil if there is
  /// no room beside the others on the picture.
  private mutating func number(of base64: Text, beside images: [PlacedImage]) -> Int? {
    if let index = kept.firstIndex(of: base64) { return index + 1 }
    let free = kept.firstIndex(of: nil)
    let index =
      free ?? kept.firstIndex { old in !images.contains { $0.image.base64 == old } }
    guard let index else { return nil }
    if free == nil { add("a=d,d=I,i=\(index + 1)") }
    kept[index] = base64
    send(base64.string, index + 1)
    return index + 1
  }

  private mutating func send(_ base64: String, _ number: Int) {
    var rest = base64[...]
    var keys = "a=t,f=100,i=\(number),"
    repeat {
      let chunk = rest.prefix(Self.chunkMax)
      rest = rest.dropFirst(Self.chunkMax)
      add(keys + "m=\(rest.isEmpty ? 0 : 1)", String(chunk))
      keys = ""
    } while !rest.isEmpty
  }

  private mutating func place(_ part: Part, _ number: Int) {
    let area = part.area
    commands += "\u{1B}7\u{1B}[\(area.row + 1);\(area.column + 1)H"
    add(
      "a=p,i=\(part.image),p=\(number),c=\(area.width),r=\(area.height),"
        + "y=\(part.pixels.lowerBound),h=\(part.pixels.count),C=1")
    commands += "\u{1B}8"
  }

  /// Answers of the terminal would be taken for keys, so it gives none.
  private mutating func add(_ keys: String, _ payload: String = "") {
    commands += "\u{1B}_Gq=2,\(keys)\(payload.isEmpty ? "" : ";")\(payload)\u{1B}\\"
  }
}
