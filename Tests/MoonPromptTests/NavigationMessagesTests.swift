import MoonTerminal
import Testing

@testable import MoonPrompt
@testable import Moonwire

/// The messages about URLs, screens and saved states, case by case.
struct NavigationMessagesTests {
  private func text(_ report: Report) -> String { report.text(.plain) }

  static let patterns: [(RoutePatternError, String)] = [
    (.tooLong(max: 9), "it is longer than 9 bytes"),
    (.tooManyComponents(max: 3, column: 4), "it has more than 3 components (column 4)"),
    (.tooManyGroups(max: 3, column: 4), "it has more than 3 groups (column 4)"),
    (.tooManyVariants(max: 64), "its groups stand for more than 64 patterns"),
    (.unclosedGroup(column: 2), "the ( has no ) (column 2)"),
    (.unopenedGroup(column: 2), "the ) has no ( (column 2)"),
    (.emptyGroup(column: 2), "there is nothing in the group (column 2)"),
    (.wildcardNotLast(column: 2), "a * must come last (column 2)"),
    (.wildcardWithText(column: 2), "a * must stand alone between slashes (column 2)"),
    (
      .emptyName(column: 2),
      "the parameter has no name (column 2): write :: for a colon in a text"
    ),
    (
      .adjacentParameters(column: 2),
      "there is no text between this parameter and the one before (column 2)"
    ),
    (.duplicateName("id", column: 9), "there is a second :id (column 9)"),
    (.unclosedType(column: 2), "the < has no > (column 2)"),
    (
      .unknownType("it", column: 5),
      "there is no type <it> (column 5): there are int, number, uuid, slug and word"
    ),
    (.malformedEscape(column: 2), "the % isn't followed by two hexadecimal digits (column 2)"),
    (.invalidUTF8(column: 2), "the escapes aren't UTF-8 (column 2)"),
    (.unexpectedByte(7, column: 2), "there is a control character (column 2)"),
    (.queryInPattern(column: 2), "patterns are about paths, not about queries (column 2)"),
    (.secondFragment(column: 2), "there is a second # (column 2)"),
    (
      .parametersInFragment(column: 2),
      "what follows the # is read as parameters, since it has the form name=value (column 2): "
        + "leave it out, and use the parameter"
    ),
    (.hostInPattern(column: 2), "hosts with a dot aren't part of what is matched (column 2)"),
  ]

  @Test(arguments: patterns)
  func `what is wrong with a pattern`(error: RoutePatternError, expected: String) {
    #expect(error.description == expected)
  }

  static let requests: [(RouteRequestError, String)] = [
    (.tooLong(max: 9), "it is longer than 9 bytes"),
    (.tooManySegments(max: 3), "its path has more than 3 components"),
    (.tooManyParameters(max: 3), "it has more than 3 parameters"),
    (.invalidUTF8(offset: 3), "the bytes at 4 aren't UTF-8"),
    (.malformedEscape(offset: 3), "the % at character 4 isn't followed by two hexadecimal digits"),
    (.unexpectedByte(UInt8(ascii: "#"), offset: 3), "it has a second # at character 4"),
    (.unexpectedByte(7, offset: 3), "it has a control character at character 4"),
    (.invalidPort(offset: 3), "the port at character 4 isn't a number"),
  ]

  @Test(arguments: requests)
  func `what is wrong with a URL`(error: RouteRequestError, expected: String) {
    #expect(
      text(error.report(on: "/x")) == """
        error: '/x' can't be read as a URL
          \(expected)
          help         write one such as /message/Max%20Mustermann?loud=1
        """)
  }

  static let verdicts: [(RouteVerdict, String)] = [
    (.won, "takes it"), (.lowerPriority, "matches, but has a lower priority"),
    (.lessSpecific(at: 1), "matches, but is less specific at component 2"),
    (.moreGroupsOmitted, "matches, but with more of its groups left out"),
    (.laterOwner, "matches as well, but its module's name comes later"),
    (.laterText, "matches as well, but its text comes later"),
    (.laterPlace, "is the same pattern at a later place"),
    (.afterOwnScheme, "matches, but routes of the URL's own scheme come first"),
    (.otherScheme, "isn't for URLs of this scheme"),
    (.tooShort(missing: ":id"), "continues with ':id' where the URL ends"),
    (.tooLong(at: 1), "ends where the URL continues with component 2"),
    (
      .differentLiteral(at: 0, expected: "a", found: "b"), "has 'a' where the URL has 'b'"
    ),
    (
      .differentForm(at: 0, expected: "@:user", found: "x"),
      "'x' doesn't have the form '@:user'"
    ),
    (
      .differentSuffix(at: 0, expected: ".png", found: "x.jpg"),
      "'x.jpg' doesn't end in '.png' with something before it"
    ),
    (
      .typeMismatch(at: 0, name: "id", expected: .int, found: "x"), ":id takes int, not 'x'"
    ),
  ]

  @Test(arguments: verdicts)
  func `why a route wins or loses`(verdict: RouteVerdict, expected: String) {
    #expect(verdict.description == expected)
  }

  static let reasons: [(RoutingError.Reason, String)] = [
    (
      .malformed(.tooLong(max: 9)),
      """
        it is longer than 9 bytes
        help         write one such as /message/Max%20Mustermann?loud=1
      """
    ),
    (
      .noRoute(nearest: "/xy"),
      """
        no pattern takes it
        help         did you mean /xy?
      """
    ),
    (
      .noRoute(nearest: nil),
      """
        no pattern takes it
        help         :routes lists the patterns
      """
    ),
    (.declined(["/:a"]), "  /:a takes it, and declined"),
    (.declined(["/:a", "/*"]), "  /:a and /* take it, and declined"),
    (
      .vetoed(by: .navigation, at: SourcePlace(file: "a.lua", line: 3), reason: "not now"),
      """
        module nav doesn't let it pass: not now
        vetoed at    a.lua:3
      """
    ),
    (.vetoed(by: .navigation, at: nil, reason: nil), "  module nav doesn't let it pass"),
    (
      .redirectLoop(["/x", "/y", "/x"]),
      """
        it is redirected in a circle
        by way of    /x
                     /y
                     /x
        help         an observer must let its own target pass
      """
    ),
    (
      .tooManyRedirects(["/x", "/y"], max: 8),
      """
        it is redirected more than 8 times
        by way of    /x
                     /y
        help         an observer must let its own target pass
      """
    ),
    (
      .noPresenter(option: "pusch", nearest: "push"),
      """
        nobody presents screens with the option 'pusch'
        help         did you mean push?
      """
    ),
    (
      .notPresented(
        option: "drawer",
        asked: [
          .init(module: .navigation, place: nil),
          .init(module: .navigation, place: SourcePlace(file: "menu.lua", line: 3)),
        ]),
      """
        no routing presenter of 'drawer' takes its screen; asked: nav and nav (menu.lua:3)
        help         a presenter that shows a screen returns an action such as \
      moon.nav.push(screen), or true
      """
    ),
    (
      .noPresenter(option: "x", nearest: nil),
      """
        nobody presents screens with the option 'x'
        help         moon.push(), moon.modal() and the like make options
      """
    ),
    (
      .option(.wrongField(kind: "push", .unknown("stlye", nearest: "style"), known: ["style"])),
      "  the option push: there is no field 'stlye'; did you mean 'style'?"
    ),
    (
      .option(.notAnOption(found: "an integer")),
      "  an option is made by moon.push() and the like, not an integer"
    ),
    (
      .parent(.missingParameter("id", pattern: "/list/:id")),
      "  nothing is put below it: /list/:id needs the parameter 'id'"
    ),
    (
      .parentLoop(["/x", "/y", "/x"]),
      """
        the parents of its route are a circle
        by way of    /x
                     /y
                     /x
        help         a route without a parent ends them
      """
    ),
    (
      .tooManyParents(["/x", "/y"], max: 16),
      """
        its route has more than 16 parents
        by way of    /x
                     /y
        help         a route without a parent ends them
      """
    ),
    (
      .navigation(.refused(.noWindow)),
      """
        there is no window
        help         nav/start id=main adds one
      """
    ),
    (
      .navigation(.refused(.emptyWindow("main"))),
      """
        window main is empty
        help         give it something to show: nav/show, nav/set
      """
    ),
    (
      .suspended(shop),
      """
        only module shop takes it, which is suspended: it failed too often
        help         mend its file and save it, or :resume shop
      """
    ),
    (
      .navigation(.malformed(.unknownType("nav/x"))), "  no navigation action nav/x"
    ),
  ]

  private static var shop: ModuleName {
    guard let name = ModuleName("shop") else { preconditionFailure("shop is a name") }
    return name
  }

  @Test(arguments: reasons)
  func `why a URL wasn't routed`(reason: RoutingError.Reason, expected: String) {
    #expect(
      text(RoutingError("/x", reason).report)
        == "error: /x wasn't routed\n" + expected)
  }

  @Test func `a fault in a routing is told as a fault, with the URL`() {
    let fault = Fault(
      module: "shop", generation: 1, registration: Registration(.route, "/x"),
      reason: .raised("no"), place: SourcePlace(file: "shop.lua", line: 2), frames: [])
    #expect(
      text(RoutingError("/x", .fault(fault)).report) == """
        error: route /x of module shop failed
          shop.lua:2: no
          routing      /x
        """)
  }

  static let fault = Fault(
    module: "shop", generation: 1, registration: Registration(.view, "list"),
    reason: .raised("no"), place: SourcePlace(file: "shop.lua", line: 2), frames: [])

  static let screens: [(ScreenError, String)] = [
    (
      .noScreen,
      """
      error: no screen is shown
        help         show one: :open URL
      """
    ),
    (
      .notShown(.fault(fault)),
      """
      error: the screen shows nothing to use: view list of module shop failed
        shop.lua:2: no
      """
    ),
    (
      .notShown(
        .malformed(.missing(Path([.key("body")])), at: SourcePlace(file: "a.lua", line: 3))),
      """
      error: the screen shows nothing to use: what should be shown isn't a list of elements
        a.lua:3: body: is missing
        help         a view returns elements, such as { type = "TextBlock", … }
      """
    ),
    (
      .noControl("Sav", known: ["1 Save", "2 Leave"]),
      """
      error: the screen has no control Sav
        there are    1 Save
                     2 Leave
      """
    ),
    (
      .noControl("1", known: []),
      """
      error: the screen has no control 1
        help         the screen on top has no controls; :screen shows it
      """
    ),
    (
      .ambiguousControl("Save", numbers: [1, 3]),
      """
      error: several controls are called Save
        help         use a number: :tap 1 or :tap 3
      """
    ),
    (
      .noInput("x", known: ["name"]),
      """
      error: the screen has no input x
        there are    name
      """
    ),
    (.dispatch(.noSession), "error: the session is closed"),
  ]

  @Test(arguments: screens)
  func `why nothing came of what was done to a screen`(error: ScreenError, expected: String) {
    #expect(text(error.report) == expected)
  }

  @Test func `an input that won't do is told by its name, and how to fill it in`() throws {
    let card = try Card([
      [
        "type": "Input.Text", "id": "first name", "label": "Name", "isRequired": true,
        "errorMessage": "Everybody has one",
      ],
      ["type": "Action.Submit", "title": "Save"],
    ])
    let control = try #require(card.control(numbered: 1))
    do throws(CardInputError) {
      _ = try card.outcome(of: control)
      Issue.record("nothing is missing")
    } catch {
      #expect(
        text(ScreenError.input(error, for: nil).report) == """
          error: Name is missing
            Everybody has one
            help         fill it in: :input "first name"=…
          """)
    }
  }

  static let restores: [(RestoreError, String)] = [
    (.notAState, "it must be a map with an entry for each module"),
    (.unknownSlice("a b"), "'a b' can't be a module's name"),
    (.notASlice("todo"), "the entry of module todo must be a list or a map"),
    (
      .navigation(.missing(Path([.key("windows")]))),
      "the entry 'navigation' is no navigation: windows: is missing"
    ),
  ]

  @Test(arguments: restores)
  func `why no run can begin with a state`(error: RestoreError, expected: String) {
    #expect(
      text(error.report(from: "x.json")) == """
        error: no run can begin with the state in x.json
          \(expected)
          help         --restore takes a file that --state has written
        """)
  }

  @Test func `of many conflicts a few are told, and what to do only once`() throws {
    var builder = RouteTableBuilder()
    for id in 0...30 {
      try builder.add(RouteEntry(RoutePattern(parsing: "/x"), owner: Text("m\(id)"), id: id))
    }
    let reports = RouteConflict.reports(builder.conflicts())
    #expect(reports.count == 11)
    #expect(reports.map(\.rows.count) == Array(repeating: 0, count: 9) + [1, 1])
    #expect(reports.last?.headline == "20 more routes conflict")
  }
}
