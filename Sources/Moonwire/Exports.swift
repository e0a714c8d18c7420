// A program that embeds scripts writes `import Moonwire` and nothing else: these are the words that
// this target's own signatures use.
@_exported public import MoonCards
@_exported public import MoonFiles
@_exported public import MoonNavigation
@_exported public import MoonRouting
@_exported public import MoonSession
@_exported public import MoonStore
@_exported public import MoonValues
