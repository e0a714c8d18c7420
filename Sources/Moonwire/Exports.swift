// A program that embeds scripts only needs `import Moonwire`, so the targets whose types appear in
// this target's API are re-exported.
@_exported public import MoonCards
@_exported public import MoonFiles
@_exported public import MoonNavigation
@_exported public import MoonRouting
@_exported public import MoonSession
@_exported public import MoonStore
@_exported public import MoonValues
