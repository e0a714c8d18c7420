package import Moonwire

/// The codes of what `moonwire check` finds, by which programs and comments in scripts tell it.
///
/// They don't change, whatever becomes of the sentences. The page Problems explains each.
package enum CheckCode: String, CaseIterable, Sendable {
  // Problems, which keep a module out of service.
  case syntax, raised, interrupted, option, unreadable
  case timedOut = "timed_out"
  case outOfMemory = "out_of_memory"
  case notRunning = "not_running"
  case actionTimeSpent = "action_time_spent"
  case tookTooLong = "took_too_long"
  case invalidName = "invalid_name"
  case reservedAction = "reserved_action"
  case nameTaken = "name_taken"
  case notUTF8 = "not_utf8"
  case noModule = "no_module"
  case renamedKey = "renamed_key"
  case unknownKey = "unknown_key"
  case wrongKind = "wrong_kind"
  case malformedType = "malformed_type"
  case invalidFieldType = "invalid_field_type"
  case invalidPath = "invalid_path"
  case invalidSlot = "invalid_slot"
  case invalidScreens = "invalid_screens"
  case invalidKey = "invalid_key"
  case invalidParent = "invalid_parent"
  case invalidRoute = "invalid_route"
  case invalidScope = "invalid_scope"
  case notGranted = "not_granted"
  case invalidSetting = "invalid_setting"
  case notDerived = "not_derived"
  case tooMany = "too_many"
  case invalidState = "invalid_state"
  case keptOut = "kept_out"
  // Warnings: likely mistakes.
  case routeConflict = "route_conflict"
  case keyClash = "key_clash"
  case reservedKey = "reserved_key"
  case neverCalled = "never_called"
  case unknownAction = "unknown_action"
  case unknownOption = "unknown_option"
  case unknownParent = "unknown_parent"
  case unknownURL = "unknown_url"
  case unknownCommand = "unknown_command"
  case unknownSetting = "unknown_setting"
  case assignedGlobal = "assigned_global"
  case undefinedGlobal = "undefined_global"
  case emptyView = "empty_view"
  case unusedLocal = "unused_local"
  // Notes: what may be meant so.
  case shadowedLocal = "shadowed_local"
  case unknownField = "unknown_field"
  case unheardAction = "unheard_action"
  case notAScript = "not_a_script"
  case needsJournal = "needs_journal"
  case unusedIgnore = "unused_ignore"

  /// The severity of what has the code.
  package var severity: Report.Severity {
    switch self {
    case .routeConflict, .keyClash, .reservedKey, .neverCalled, .unknownAction, .unknownOption,
      .unknownParent, .unknownURL,
      .unknownCommand, .unknownSetting, .assignedGlobal, .undefinedGlobal, .emptyView,
      .unusedLocal:
      .warning
    case .shadowedLocal, .unknownField, .unheardAction, .notAScript, .needsJournal, .unusedIgnore:
      .note
    default: .error
    }
  }
}

extension Fault.Reason {
  /// The code of a fault.
  var checkCode: CheckCode {
    switch self {
    case .raised: .raised
    case .syntax: .syntax
    case .timedOut: .timedOut
    case .interrupted: .interrupted
    case .outOfQuota, .outOfMemory: .outOfMemory
    case .notRunning: .notRunning
    case .actionTimeSpent: .actionTimeSpent
    case .lifetimeExceeded: .tookTooLong
    }
  }
}

extension ModuleProblem.Reason {
  /// The code of the problem.
  package var code: CheckCode {
    switch self {
    case .fault(let fault): fault.reason.checkCode
    case .invalidName: .invalidName
    case .announcedAction: .reservedAction
    case .nameTaken: .nameTaken
    case .unreadable, .skipped: .unreadable
    case .encoding: .notUTF8
    case .returned: .noModule
    case .renamedKey: .renamedKey
    case .unknownKey: .unknownKey
    case .wrongKind: .wrongKind
    case .invalidPattern: .malformedType
    case .invalidFieldType: .invalidFieldType
    case .invalidPath, .invalidRedaction: .invalidPath
    case .invalidSlot: .invalidSlot
    case .invalidScreens: .invalidScreens
    case .invalidOption: .option
    case .invalidKey: .invalidKey
    case .invalidParent: .invalidParent
    case .invalidRoute: .invalidRoute
    case .invalidScope: .invalidScope
    case .notGranted, .nothingNeeded: .notGranted
    case .refusedSetting: .invalidSetting
    case .notDerived: .notDerived
    case .tooMany, .tooManyRoutes, .tooManyKeptSlices: .tooMany
    case .unstorable, .refusedState, .misshapenSlice: .invalidState
    case .keptOut: .keptOut
    }
  }
}

extension DeadName {
  /// The code of the warning.
  package var code: CheckCode {
    switch reason {
    case .unknownAction: .unknownAction
    case .noOption: .unknownOption
    case .noParent: .unknownParent
    case .noURL: .unknownURL
    case .takenKey: .keyClash
    case .reservedKey: .reservedKey
    case .noModule, .noAction, .noRoute, .noScreen, .ownView, .noSlot: .neverCalled
    }
  }
}

extension DoubtfulName {
  /// The code of the warning or note.
  package var code: CheckCode {
    switch reason {
    case .assignedGlobal: .assignedGlobal
    case .unassignedGlobal: .undefinedGlobal
    case .unknownField: .unknownField
    case .returnsNothing: .emptyView
    case .unknownAction: .unknownAction
    case .unknownURL: .unknownURL
    case .unheardAction: .unheardAction
    case .unknownCommand: .unknownCommand
    }
  }
}
