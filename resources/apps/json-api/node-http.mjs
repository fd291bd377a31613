import { createServer } from "node:http";
import { users } from "./users.mjs";

const prefix = "/users/";
const port = Number(process.env.PORT);

const server = createServer((request, response) => {
  const user = request.method === "GET" && request.url.startsWith(prefix) ? users.get(request.url.slice(prefix.length)) : undefined;
  response.writeHead(user ? 200 : 404, { "content-type": "application/json" });
  response.end(JSON.stringify(user ?? { error: "not found" }));
});

server.listen(port, "127.0.0.1", () => console.log(`listening on http://127.0.0.1:${server.address().port}`));
process.once("SIGTERM", () => process.exit(0));
