import { users } from "./users.mjs";

const prefix = "/users/";
const port = Number(process.env.PORT);

function answer(request: Request): Response {
  const path = new URL(request.url).pathname;
  const user = request.method === "GET" && path.startsWith(prefix) ? users.get(path.slice(prefix.length)) : undefined;
  return user ? Response.json(user) : Response.json({ error: "not found" }, { status: 404 });
}

const server = Bun.serve({ port, hostname: "127.0.0.1", fetch: answer });
console.log(`listening on http://127.0.0.1:${server.port}`);
process.once("SIGTERM", () => process.exit(0));
