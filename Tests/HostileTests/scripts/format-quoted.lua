-- expect: memory
-- Quoting makes four of one.
return #("%q"):format(("\1"):rep(6 << 20))
