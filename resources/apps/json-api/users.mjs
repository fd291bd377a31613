// The users that every server of this folder answers from: the same objects, and so the same bytes, in every runtime.

const count = 1000;

// mulberry32: 32-bit integer arithmetic only, so that every engine draws the same numbers.
function generator(seed) {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % limit;
  };
}

const firstNames = ["Ada", "Alan", "Barbara", "Edsger", "Frances", "Grace", "Hedy", "John", "Katherine", "Ken", "Margaret", "Niklaus"];
const lastNames = ["Allen", "Dijkstra", "Hamilton", "Hopper", "Johnson", "Lamarr", "Liskov", "Lovelace", "McCarthy", "Thompson", "Turing", "Wirth"];
const streets = ["Amber Lane", "Birch Street", "Canal Road", "Dock Square", "Elm Avenue", "Foundry Row", "Garden Walk", "Harbour Street"];
const places = [["Aarhus", "Denmark"], ["Bologna", "Italy"], ["Coimbra", "Portugal"], ["Delft", "Netherlands"], ["Freiburg", "Germany"], ["Ghent", "Belgium"], ["Helsinki", "Finland"], ["Linz", "Austria"]];
const areas = ["accounts", "billing", "catalogue", "deployments", "documents", "inventory", "messages", "orders", "payments", "projects", "reports", "shipping"];
const scopes = ["organisation-wide", "own-department-only", "assigned-projects", "regional-offices"];
const rights = ["read", "read-and-comment", "read-and-write", "approve", "administrate"];

function makeUser(id, draw) {
  const pick = (list) => list[draw(list.length)];
  const first = pick(firstNames);
  const last = pick(lastNames);
  const [city, country] = pick(places);
  return {
    id,
    name: `${first} ${last}`,
    email: `${first}.${last}.${id}@users.example.com`.toLowerCase(),
    address: {
      street: pick(streets),
      number: 1 + draw(250),
      postcode: String(10000 + draw(90000)),
      city,
      country,
      location: { latitude: (350000 + draw(300000)) / 10000, longitude: draw(300000) / 10000 },
    },
    roles: areas.map((area) => `role:${area}:${pick(scopes)}:${pick(rights)}:since-${2010 + draw(15)}-${10 + draw(3)}-${10 + draw(18)}:granted-by-${pick(lastNames).toLowerCase()}`),
  };
}

/// id (as it stands in the path) -> user
export const users = new Map();

const draw = generator(20241022);
for (let id = 1; id <= count; ++id) users.set(String(id), makeUser(id, draw));
