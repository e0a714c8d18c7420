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
  var code: String { checkCode.rawValue }
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
    case .covered: "screen_covered"
    case .changed: "control_changed"
    case .ambiguousControl: "ambiguous_control"
    case .noInput: "unknown_input"
    case .noList: "unknown_list"
    case .input: "invalid_input"
    case .malformedKey: "malformed_key"
    case .noFocus: "no_focus"
    case .noKey: "unknown_key"
    case .control(_, let error), .change(_, _, let error), .key(_, _, let error),
      .dispatch(let error):
      error.code
    }
  }
}
