import MoonJournal
import Moonwire

extension BuiltIn {
  /// `recorder`: records each session in a file of its own, as it happens.
  ///
  /// The file is `recordings/recording-N.jsonl` in the directory; `moonwire replay` and
  /// ``retriever`` read it. Its slice says which: `{number, file}`.
  public static let recorder = BuiltIn(
    "recorder", "Records each session in a file of its own",
    accompanying: { session, host, surroundings in
      guard let folder = surroundings.recordings else {
        return surroundings.show("recorder: there is no directory for recordings")
      }
      do throws(JournalError) {
        let (number, file) = try folder.begin()
        let began = Action(
          "recorder/began", ["number": .int(Int64(number)), "file": .string(Text(file.name))])
        await began.tell(session, on: host, surroundings.show)
        try await Journal(in: file).beginCopy(of: session, on: host)
      } catch {
        surroundings.show("recorder: \(error)")
      }
    }
  ) { module, _ in
    module.controlsSession = true
    module.state = .map(Map())
    module.actions = [
      ActionDeclaration(
        "began", description: "Says which file the session is recorded in",
        schema: PayloadSchema(
          fields: [
            PayloadSchema.Field(name: "number", type: "integer"),
            PayloadSchema.Field(name: "file", type: "string"),
          ].compactMap(\.self)))
    ]
    module.reducers = [
      Reducer(.exact("recorder/began")) { slice, action in slice = action.payload }
    ]
  }
}

extension BuiltIn.Surroundings {
  /// The recordings of earlier sessions; nil if there is no directory.
  var recordings: RecordingFolder? { directory.map { RecordingFolder("\($0)/recordings") } }
}
