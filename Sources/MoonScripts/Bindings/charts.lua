-- Charts. A part of `moon.ui`.
local type, error, ipairs, pairs, tostring = type, error, ipairs, pairs, tostring
local shown = require "moonwire.elements".shown

-- The schema's names of options.
local names = { align = "horizontalAlignment", visible = "isVisible" }

-- The points of a list of pairs, each a title and a figure; a figure alone has no title.
local function points_of(list)
  local points, places = shown(list)
  for i, pair in ipairs(points) do
    local title, figure = nil, pair
    if type(pair) == "table" then title, figure = pair[1], pair[2] end
    if type(figure) ~= "number" then
      error("ui.chart takes figures, or pairs of a title and a figure, but value " .. places[i]
        .. " is none: { \"Mon\", 3 }", 3)
    end
    points[i] = { x = title ~= nil and tostring(title) or nil, y = figure }
  end
  return points
end

-- Makes a chart of figures, among which are its options.
return function(figures)
  if type(figures) ~= "table" then error("ui.chart takes a table of figures", 2) end
  local data = points_of(figures)
  local element = { type = "Chart.HorizontalBar" }
  for name, value in pairs(figures) do
    if type(name) == "string" then element[names[name] or name] = value end
  end
  if element.line then
    element.type, data = "Chart.Line", { { legend = element.legend, values = data } }
  end
  element.line, element.legend, element.data = nil, nil, data
  return element
end
