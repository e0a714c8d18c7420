import MoonActions
import MoonValues
import Testing

struct ActionTests {
  @Test func `a script sees type, payload and what the host noted`() {
    var action = Action("counter/add", ["by": 2])
    action.meta.id = 7
    action.meta.time = 12.5
    action.meta.cause = .module("todo", .observer)
    action.meta.parent = 6
    action.meta.extra = ["from": "test"]
    #expect(
      action.value == [
        "type": "counter/add", "payload": ["by": 2],
        "meta": ["id": 7, "time": 12.5, "cause": "todo observer", "parent": 6, "from": "test"],
      ])
  }

  @Test func `an action without a parent shows none`() {
    #expect(
      Action("counter/add").value == [
        "type": "counter/add", "payload": .map(Map()),
        "meta": ["id": 0, "time": 0.0, "cause": "native"],
      ])
  }

  @Test func `what the dispatcher adds can't pass for what the host notes`() {
    var action = Action("a/b")
    action.meta.id = 3
    action.meta.extra = ["id": 99, "time": 99.0, "cause": "me", "parent": 1]
    #expect(
      action.value["meta"]
        == ["id": 3, "time": 0.0, "cause": "native"])
  }

  @Test(arguments: [
    (Cause.prompt, "prompt"), (.commandLine, "command line"), (.native, "native"), (.host, "host"),
    (.module("todo", .onStart), "todo on_start"),
  ])
  func `a cause is a few words`(cause: Cause, text: String) {
    #expect(cause.description == text)
  }
}
