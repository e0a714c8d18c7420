// A program that embeds scripts only needs `import Moonwire`, so the targets whose types appear in
// this target's API are re-exported.
@_exported public import MoonActions
@_exported public import MoonCards
@_exported public import MoonFeatures
@_exported public import MoonFiles
@_exported public import MoonModules
@_exported public import MoonNavigation
@_exported public import MoonRouting
@_exported public import MoonScripts
@_exported public import MoonServiceKit
@_exported public import MoonSession
@_exported public import MoonTasks
@_exported public import MoonValues
