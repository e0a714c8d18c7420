-- expect: error, in: presenter
kept = kept or screen
kept.title = "kept"
screen.title = 5
