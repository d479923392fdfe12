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

const get = (path, values = {}) => call("GET", `${path}${query(values)}`);
const post = (path, body = {}) => call("POST", path, body);
const at = (id, rest = "") => `/tables/${encodeURIComponent(id)}${rest}`;

export const api = {
  /** @type {() => Promise<import("../types.js").GameView[]>} */
  games: () => get("/games"),
  /** @type {(request: any) => Promise<import("../types.js").PositionView>} */
  position: (request) => post("/positions", request),
  /** @type {(request: any) => Promise<import("../types.js").TableView>} */
  create: (request) => post("/tables", request),
  /** @type {(id: string, ply?: number|null, seat?: number|null) => Promise<import("../types.js").TableView>} */
  table: (id, ply, seat) => get(at(id), { ply, seat }),
  /** Make a change: a move, undo, resign, stop, seats, pause, step, speed, analysis, solution, review. */
  change: (id, name, body) => post(at(id, `/${name}`), body),
  stopAnalysis: (id) => call("DELETE", at(id, "/analysis")),
  /** @type {(id: string, ply: number, moves: string[]) => Promise<import("../types.js").Explanations>} */
  explain: (id, ply, moves) => get(at(id, "/explain"), { ply, moves: moves.join(",") }),
  /** @type {(id: string, format: string) => Promise<import("../types.js").RecordView>} */
  record: (id, format) => get(at(id, "/record"), { format }),
  importRecord: (request) => post("/records", request),
  /** @type {(limit: number) => Promise<import("../types.js").RecordSummary[]>} */
  records: (limit) => get("/records", { limit }),
  openStored: (number) => post(`/records/${number}`),
  /** @type {() => Promise<import("../types.js").MatchSummary[]>} */
  matches: () => get("/matches"),
  /** @type {(id: string) => Promise<import("../types.js").MatchView>} */
  match: (id) => get(`/matches/${encodeURIComponent(id)}`),
  /** @type {() => Promise<import("../types.js").RatingsView[]>} */
  ratings: () => get("/ratings"),
};

/** Create a table, and remember the request for a rematch. @param {any} request */
export async function start(request) {
  const table = await api.create(request);
  sessionStorage.setItem(`tesuji-request-${table.id}`, JSON.stringify(request));
  return table;
}
