import MoonActions
import MoonModules
import MoonServiceKit
import MoonValues
import Testing

@testable import MoonSession

struct NavigationChainTests {
  private let push = Action("nav/push")
  private let owners: [ModuleName?] = [nil, ModuleName("a"), ModuleName("b")]

  @Test func `the navigations of one dispatch don't count in the next`() throws {
    var chain = NavigationChain()
    for _ in 0...NavigationChain.followingMax {
      chain.begin(after: NavigationChain.Link(push, after: nil))
      for owner in owners { try chain.follow(with: push, of: owner) }
      chain.end()
      #expect(chain.isIdle)
    }
  }

  @Test func `each owner's navigations that follow from others are counted within a dispatch`()
    throws
  {
    var chain = NavigationChain()
    chain.begin(after: NavigationChain.Link(push, after: nil))
    for _ in 0..<NavigationChain.followingMax {
      for owner in owners { try chain.follow(with: push, of: owner) }
    }
    for owner in owners {
      #expect(throws: DispatchError.self) { try chain.follow(with: push, of: owner) }
    }
  }
}
