local moon = require "moonwire"
local ui = moon.ui

local page_size = 5

-- Thousands of them: `state` holds all, a screen shows one page.
local contacts = moon.list()
for number = 1, 2500 do
  contacts[number] = { id = number, name = "Contact " .. number }
end

local function place_of(state, id)
  for place, contact in ipairs(state.contacts) do
    if contact.id == id then return place end
  end
end

return moon.module {
  description = "A long list, with a form, a question and an undo",

  state = { contacts = contacts, last_id = 2500 },

  actions = {
    add = { "Adds a contact", name = "string" },
    remove = { "Removes a contact", id = "integer" },
    undo = "Puts back what was removed last",
  },

  reducers = {
    add = function(state, payload)
      state.last_id = state.last_id + 1
      table.insert(state.contacts, 1, { id = state.last_id, name = payload.name })
      state.removed = nil
    end,
    -- Keeps the data needed to undo the deletion.
    remove = function(state, payload)
      local place = place_of(state, payload.id)
      if place then
        state.removed = { place = place, contact = table.remove(state.contacts, place) }
      end
    end,
    undo = function(state)
      if state.removed then
        table.insert(state.contacts, state.removed.place, state.removed.contact)
        state.removed = nil
      end
    end,
  },

  routes = {
    -- The page is a part of the URL. `root` lets it take the place of the one before.
    ["/contacts(/page/:page<int>)"] = {
      option = moon.root(),
      screen = function(route)
        return { kind = "list", title = "Contacts", props = { page = route.params.page or 1 } }
      end,
    },
    ["/contacts/new"] = {
      parent = "/contacts",
      option = moon.modal { once = true, style = "sheet" },
      screen = function() return { kind = "form", title = "New contact" } end,
    },
    ["/contacts/:id<int>/remove"] = {
      parent = "/contacts",
      option = moon.modal { once = true },
      screen = function(route, state)
        local place = place_of(state, route.params.id)
        if not place then return end
        return { kind = "question", title = "Remove " .. state.contacts[place].name .. "?" }
      end,
    },
  },

  views = {
    list = function(screen, state)
      local page, count = screen.props.page, #state.contacts
      local page_count = math.max(1, math.ceil(count / page_size))
      local rows = {}
      for place = (page - 1) * page_size + 1, math.min(page * page_size, count) do
        local contact = state.contacts[place]
        rows[#rows + 1] = ui.row {
          contact.name, ui.open("Remove", "/contacts/" .. contact.id .. "/remove"),
        }
      end
      return {
        state.removed and ui.row {
          "Removed " .. state.removed.contact.name, ui.button("Undo", "undo"),
        },
        ui.container(rows),
        "Page " .. page .. " of " .. page_count,
        ui.actions {
          page > 1 and ui.open("Back", "/contacts/page/" .. page - 1),
          page < page_count and ui.open("Next", "/contacts/page/" .. page + 1),
          ui.open("New", "/contacts/new"),
        },
      }
    end,
    form = function()
      return {
        ui.input { id = "name", label = "Name", required = true },
        ui.actions {
          ui.button("Save", "add"),
          ui.button("Cancel", "nav/dismiss", nil, { inputs = false }),
        },
      }
    end,
    question = function(screen)
      return ui.button("Remove", "remove", { id = screen.params.id })
    end,
  },

  -- `:back` dismisses the form and the question. So do their buttons.
  map_navigation = {
    add = function() return moon.nav.dismiss() end,
    remove = function() return moon.nav.dismiss() end,
  },
}
