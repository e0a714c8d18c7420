import MoonCards
package import MoonModules
import MoonNavigation
import MoonServiceKit
package import MoonValues

/// The appearance of a session's screens.
package struct ScreenPresentation {
  private let session: Session

  package init(session: Session) { self.session = session }

  /// Tells of the room that there is for a screen from now on.
  package func resize(to size: ScreenSize) { session.screens.size = size }

  /// Returns the screen with an id, or on top of the key window, as it looks now; nil if there is
  /// none.
  package func shown(_ id: Text? = nil) -> ShownScreen? {
    guard let tree = try? session.readNavigation(),
      let screen = id.map({ tree.screen($0) }) ?? tree.topScreen
    else { return nil }
    let visibility = session.screens.forms[screen.id].visibility
    return session.sharingBudget { shown(screen, visibility) }
  }

  private func shown(_ screen: Screen, _ visibility: [Text: Bool]) -> ShownScreen {
    let view = screen.isPlaceholder ? nil : view(of: screen)
    var card: Card?
    var failure: ScreenFailure?
    do throws(ScreenFailure) {
      let drawn = try self.card(of: screen, view).applying(visibility: visibility)
      RequestedInputs(session: session).fill(screen, drawn)
      card = drawn
    } catch {
      failure = error
    }
    let form = session.screens.forms[screen.id]
    return ShownScreen(
      screen: screen, card: card, failure: failure, inputs: form.inputs, isDrawn: view != nil,
      warnings: (card?.warnings ?? []).map { warning in
        ScreenWarning(warning: warning, place: view?.part.place(of: warning.word))
      },
      refusal: form.refusal(in: card))
  }

  /// Returns the view that draws a screen.
  func view(of screen: Screen) -> Bound<View>? {
    screen.owner.flatMap {
      session.modules.registry.router.view(of: $0.module, kind: screen.kind)
    }
  }

  /// Returns the elements of a screen that isn't shown, as its view draws it now.
  func body(of screen: Screen) throws(ScreenFailure) -> Value {
    guard let view = view(of: screen) else { return screen.body }
    let drawn = try draw(screen, by: view)
    _ = try card(drawn, of: screen, view.part)
    return drawn.listValue == nil ? [drawn] : drawn
  }

  private func card(of screen: Screen, _ view: Bound<View>?) throws(ScreenFailure) -> Card {
    let outer = session.screens.drawn
    session.screens.drawn = screen.id
    defer { session.screens.drawn = outer }
    guard let view else {
      if let owner = suspendedOwner(of: screen) { throw .suspended(owner) }
      return try self.card(screen.body, of: screen, nil)
    }
    return try self.card(try draw(screen, by: view), of: screen, view.part)
  }

  private func draw(_ screen: Screen, by view: Bound<View>) throws(ScreenFailure) -> Value {
    do throws(Fault) {
      return try session.caller.call(view, showing: screen) { try view.part.body(screen, $0) }
    } catch {
      throw .fault(error)
    }
  }

  private func card(
    _ body: Value, of screen: Screen, _ view: View?
  ) throws(ScreenFailure) -> Card {
    let extensions = screen.owner.map {
      session.modules.registry.router.extensions(of: $0.module, kind: screen.kind)
    }
    let filling = SlotFilling(session: session, screen: screen, extensions: extensions ?? [:])
    do throws(CardError) {
      return try filling.card(of: body) { body throws(CardError) in
        try Card(body, at: Path([.key("body")]))
      }
    } catch {
      throw .malformed(error, at: view?.place(of: error.word))
    }
  }

  /// Returns the suspended module whose view would draw a screen; nil if there is none.
  private func suspendedOwner(of screen: Screen) -> ModuleName? {
    guard let owner = screen.owner.flatMap({ ModuleName($0.module.string) }),
      session.modules.suspension.modules.contains(owner),
      session.modules[owner]?.module.views.contains(where: { $0.kind == screen.kind }) ?? false
    else { return nil }
    return owner
  }
}
