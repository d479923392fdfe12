/** The server's REST interface: one function for each call. Every failure is an ApiError with one clear line. */

export class ApiError extends Error {
  /** @param {number} status 0 where the server could not be reached @param {string} message */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/**
 * @param {string} method
 * @param {string} path  after /api
 * @param {object} [body]
 */
async function call(method, path, body) {
  let response;
  try {
    response = await fetch(`api${path}`, {
      method,
      headers: body ? { "content-type": "application/json" } : {},
      body: body ? JSON.stringify(body) : undefined,
    });
  } catch {
    throw new ApiError(0, "The server does not answer. Is it still running?");
  }
  const text = await response.text();
  let answer = null;
  try {
    answer = text ? JSON.parse(text) : null;
  } catch {
    throw new ApiError(response.status, `The server sent something that is not JSON (${response.status}).`);
  }
  if (!response.ok) throw new ApiError(response.status, answer?.error ?? `The server refused (${response.status}).`);
  return answer;
}

/** @param {Record<string, any>} values  those that are null are left out */
function query(values) {
  const pairs = Object.entries(values).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return pairs.length ? `?${new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]))}` : "";
}

const at = (id, rest = "") => `/tables/${encodeURIComponent(id)}${rest}`;

/** @type {any} */
export const api = {
  games: () => call("GET", "/games"),
  create: (wishes) => call("POST", "/tables", wishes),
  table: (id, ply, seat) => call("GET", at(id, query({ ply, seat }))),
  move: (id, ply, move, seat) => call("POST", at(id, "/moves"), { ply, move, seat }),
  undo: (id) => call("POST", at(id, "/undo"), {}),
  resign: (id, seat) => call("POST", at(id, "/resign"), { seat }),
  stop: (id) => call("POST", at(id, "/stop"), {}),
  seats: (id, seats) => call("POST", at(id, "/seats"), { seats }),
  pause: (id) => call("POST", at(id, "/pause"), {}),
  step: (id) => call("POST", at(id, "/step"), {}),
  speed: (id, seconds) => call("POST", at(id, "/speed"), { seconds }),
  analyse: (id, wishes) => call("POST", at(id, "/analysis"), wishes),
  stopAnalysis: (id) => call("DELETE", at(id, "/analysis")),
  review: (id, wishes) => call("POST", at(id, "/review"), wishes),
  explain: (id, ply, moves) => call("GET", at(id, `/explain${query({ ply, moves: moves.join(",") })}`)),
  record: (id, format) => call("GET", at(id, `/record${query({ format })}`)),
  open: (wishes) => call("POST", "/records", wishes),
  records: (limit) => call("GET", `/records${query({ limit })}`),
  kept: (number) => call("POST", `/records/${number}`, {}),
  matches: () => call("GET", "/matches"),
  match: (id) => call("GET", `/matches/${encodeURIComponent(id)}`),
  ratings: () => call("GET", "/ratings"),
};
