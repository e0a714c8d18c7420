import MoonActions
import MoonModules

/// An action that controls the timeline once the session is idle.
struct WaitingControl {
  let action: Action
  let control: Bound<TimelineControl>
}
