import Fastify from "fastify";
import { users } from "./users.mjs";

const port = Number(process.env.PORT);
const text = { type: "string" };
const number = { type: "number" };
const integer = { type: "integer" };

// The keys stand in the order of users.mjs, so that the answer has the same bytes as everywhere else.
const userSchema = {
  type: "object",
  properties: {
    id: integer,
    name: text,
    email: text,
    address: {
      type: "object",
      properties: {
        street: text,
        number: integer,
        postcode: text,
        city: text,
        country: text,
        location: { type: "object", properties: { latitude: number, longitude: number } },
      },
    },
    roles: { type: "array", items: text },
  },
};

const app = Fastify();
app.get("/users/:id", { schema: { response: { 200: userSchema } } }, (request, reply) => {
  const user = users.get(request.params.id);
  if (!user) return reply.callNotFound();
  return reply.send(user);
});
app.setNotFoundHandler((request, reply) => reply.code(404).send({ error: "not found" }));

await app.listen({ port, host: "127.0.0.1" });
console.log(`listening on http://127.0.0.1:${app.server.address().port}`);
process.once("SIGTERM", () => process.exit(0));
