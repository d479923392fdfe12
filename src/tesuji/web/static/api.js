/** The server's REST API: one function per call. Every failure is an ApiError with one line. */

export class ApiError extends Error {
  /** @param {number} status 0 if the server cannot be reached @param {string} message */
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
    throw new ApiError(0, "The server does not respond. Is it still running?");
  }
  const text = await response.text();
  let content = null;
  try {
    content = text ? JSON.parse(text) : null;
  } catch {
    throw new ApiError(response.status, `The server's response is not JSON (status ${response.status}).`);
  }
  if (!response.ok) throw new ApiError(response.status, content?.error ?? `The request failed (status ${response.status}).`);
  return content;
}

/** @param {Record<string, any>} values  null values are omitted */
function query(values) {
  const pairs = Object.entries(values).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return pairs.length ? `?${new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]))}` : "";
}

const at = (id, rest = "") => `/tables/${encodeURIComponent(id)}${rest}`;

/** @type {any} */
export const api = {
  games: () => call("GET", "/games"),
  position: (request) => call("POST", "/positions", request),
  create: (request) => call("POST", "/tables", request),
  table: (id, ply, seat) => call("GET", at(id, query({ ply, seat }))),
  move: (id, ply, move, seat) => call("POST", at(id, "/moves"), { ply, move, seat }),
  undo: (id) => call("POST", at(id, "/undo"), {}),
  resign: (id, seat) => call("POST", at(id, "/resign"), { seat }),
  stop: (id) => call("POST", at(id, "/stop"), {}),
  seats: (id, seats) => call("POST", at(id, "/seats"), { seats }),
  pause: (id) => call("POST", at(id, "/pause"), {}),
  step: (id) => call("POST", at(id, "/step"), {}),
  speed: (id, seconds) => call("POST", at(id, "/speed"), { seconds }),
  analyse: (id, request) => call("POST", at(id, "/analysis"), request),
  solve: (id, request) => call("POST", at(id, "/solution"), request),
  stopAnalysis: (id) => call("DELETE", at(id, "/analysis")),
  review: (id, request) => call("POST", at(id, "/review"), request),
  explain: (id, ply, moves) => call("GET", at(id, `/explain${query({ ply, moves: moves.join(",") })}`)),
  record: (id, format) => call("GET", at(id, `/record${query({ format })}`)),
  importRecord: (request) => call("POST", "/records", request),
  records: (limit) => call("GET", `/records${query({ limit })}`),
  openStored: (number) => call("POST", `/records/${number}`, {}),
  matches: () => call("GET", "/matches"),
  match: (id) => call("GET", `/matches/${encodeURIComponent(id)}`),
  ratings: () => call("GET", "/ratings"),
};
