/**
 * The live connection (WebSocket) of a table. It reconnects by itself with exponential backoff; the server then sends the
 * whole table.
 */

const FIRST_WAIT = 400; // milliseconds
const MAX_WAIT = 8000;
const NOT_FOUND = 4404;

export class Live {
  /**
   * @param {string} id
   * @param {{message: (message: any) => void, state: (open: boolean) => void, gone: () => void}} listeners
   */
  constructor(id, listeners) {
    this.id = id;
    this.listeners = listeners;
    this.wait = FIRST_WAIT;
    this.closed = false;
    this.connect();
    this.onVisible = () => document.visibilityState === "visible" && this.reconnect();
    document.addEventListener("visibilitychange", this.onVisible);
    window.addEventListener("online", this.onVisible);
  }

  connect() {
    const base = new URL(`api/tables/${encodeURIComponent(this.id)}/live`, location.href.split("#")[0]);
    base.protocol = base.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(base);
    this.socket = socket;
    socket.onopen = () => {
      this.wait = FIRST_WAIT;
      this.listeners.state(true);
    };
    socket.onmessage = (event) => this.listeners.message(JSON.parse(event.data));
    socket.onclose = ({ code }) => {
      if (this.closed || socket !== this.socket) return;
      if (code === NOT_FOUND) return this.listeners.gone();
      this.listeners.state(false);
      this.timer = setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(MAX_WAIT, this.wait * 2);
    };
  }

  /** Reconnect at once: the page is visible again. */
  reconnect() {
    if (this.closed || this.socket.readyState < WebSocket.CLOSING) return;
    clearTimeout(this.timer);
    this.wait = FIRST_WAIT;
    this.connect();
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    document.removeEventListener("visibilitychange", this.onVisible);
    window.removeEventListener("online", this.onVisible);
    this.socket.close();
  }
}
