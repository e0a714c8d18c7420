package import Moonwire
import Synchronization

/// Keeps the file of annotations in step with the modules while a host runs.
///
/// It does nothing if there is no such file when the host starts; it never makes one.
package final class TypesKeeper: Sendable {
  private let file: TypesFile
  private let refused: @Sendable (TypesFileError) -> Void
  /// Told when the modules may have changed; what is told while the file is written counts once.
  private let changes: AsyncStream<Void>.Continuation
  private let work: Mutex<Task<Void, Never>?>

  /// Begins to keep the file of a directory.
  ///
  /// `refused` is called when it can't be written, once for each reason in a row.
  package init(
    for directory: String, on host: Host, refused: @escaping @Sendable (TypesFileError) -> Void
  ) {
    file = TypesFile(in: directory)
    self.refused = refused
    let (stream, changes) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    self.changes = changes
    work = Mutex(nil)
    let task = Task.detached { [file, weak host] in
      var last: TypesFileError?
      for await _ in stream {
        guard file.isKept, let outline = await host?.perform({ AppOutline(of: $0) })
        else { continue }
        do throws(TypesFileError) {
          try file.write(TypesFile.text(of: outline))
          last = nil
        } catch {
          if error != last { refused(error) }
          last = error
        }
      }
    }
    work.withLock { $0 = task }
    host.deliverEvents { [weak self] event in
      if event.concernsModules { self?.note() }
    }
    note()
  }

  /// Notes that the modules may have changed.
  private func note() { changes.yield() }

  /// Ends the keeping, after what is being written.
  package func end() async {
    changes.finish()
    await work.withLock { $0 }?.value
  }
}

extension HostEvent {
  /// Whether modules may have come, changed or gone.
  fileprivate var concernsModules: Bool {
    switch self {
    case .started, .reloaded, .removed, .restarted, .recovered: true
    default: false
    }
  }
}
