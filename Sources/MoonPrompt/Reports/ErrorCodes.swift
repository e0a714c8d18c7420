import Moonwire

// The words that programs tell errors by. They don't change, whatever becomes of the sentences.

extension DispatchError {
  /// The code of the error.
  var code: String {
    switch self {
    case .malformedType: "malformed_type"
    case .unknownType: "unknown_action"
    case .notInService: "not_in_service"
    case .reservedForHost: "reserved_action"
    case .notGranted: "not_granted"
    case .invalidPayload, .unencodable: "invalid_payload"
    case .fault(let fault): fault.reason.code
    case .refused: "refused"
    case .suspended: "module_suspended"
    case .batchTooLong: "batch_too_long"
    case .queueFull, .displaced: "queue_full"
    case .queueTooLarge: "queue_too_large"
    case .memoryFull(let refusal): refusal.code
    case .tooManyFollowing, .followingTooLong, .tooManyMappings, .tooManyNavigations,
      .tooManyEffects:
      "endless_chain"
    case .readOnlyView: "read_only_view"
    case .withinReducer: "within_reducer"
    case .routing(let error): error.reason.word
    case .navigation: "navigation"
    case .keptBack: "kept_back"
    case .interrupted: "interrupted"
    case .notKept: "not_kept"
    case .paused: "paused"
    case .timelineLocked: "timeline_locked"
    case .timeline: "timeline"
    case .notFinished: "cancelled"
    case .noSession: "no_session"
    }
  }
}

extension Fault.Reason {
  /// The code of a fault.
  var code: String {
    switch self {
    case .raised: "raised"
    case .syntax: "syntax"
    case .timedOut: "timed_out"
    case .interrupted: "interrupted"
    case .outOfQuota, .outOfMemory: "out_of_memory"
    case .notRunning: "not_running"
    case .actionTimeSpent: "action_time_spent"
    case .lifetimeExceeded: "took_too_long"
    }
  }
}

extension CommandError {
  /// The code of the error.
  var code: String {
    switch self {
    case .malformed: "malformed_command"
    case .noModule: "unknown_module"
    case .notInService: "not_in_service"
    case .unknown: "unknown_command"
    case .notResponsible: "not_responsible"
    case .suspended: "module_suspended"
    case .invalidPayload: "invalid_payload"
    case .tooDeep: "endless_chain"
    case .notBegun: "not_begun"
    case .refused: "refused"
    case .failed(let fault): fault.reason.code
    case .cancelled: "cancelled"
    case .tookTooLong: "took_too_long"
    case .noSession: "no_session"
    }
  }
}

extension ScreenError {
  /// The code of the error.
  var code: String {
    switch self {
    case .noScreen: "no_screen"
    case .notShown: "not_shown"
    case .noControl: "unknown_control"
    case .ambiguousControl: "ambiguous_control"
    case .noInput: "unknown_input"
    case .input: "invalid_input"
    case .control(_, let error), .dispatch(let error): error.code
    }
  }
}

extension ModuleProblem.Reason {
  /// The code of the problem.
  var code: String {
    switch self {
    case .fault(let fault): fault.reason.code
    case .invalidName: "invalid_name"
    case .announcedAction: "reserved_action"
    case .nameTaken: "name_taken"
    case .unreadable, .skipped: "unreadable"
    case .encoding: "not_utf8"
    case .returned: "no_module"
    case .renamedKey: "renamed_key"
    case .unknownKey: "unknown_key"
    case .wrongKind: "wrong_kind"
    case .invalidPattern: "malformed_type"
    case .invalidFieldType: "invalid_field_type"
    case .invalidPath, .invalidRedaction: "invalid_path"
    case .invalidSlot: "invalid_slot"
    case .invalidScreens: "invalid_screens"
    case .invalidOption: "option"
    case .invalidParent: "invalid_parent"
    case .invalidRoute: "invalid_route"
    case .invalidScope: "invalid_scope"
    case .notGranted, .nothingNeeded: "not_granted"
    case .refusedSetting: "invalid_setting"
    case .notDerived: "not_derived"
    case .tooMany, .tooManyRoutes, .tooManyKeptSlices: "too_many"
    case .unstorable, .refusedState: "invalid_state"
    case .keptOut: "kept_out"
    }
  }
}
