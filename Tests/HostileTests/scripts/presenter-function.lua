-- expect: error, in: presenter
screen.props = { call = print }
