/**
 * The live connection of one table. It comes back by itself after a break, waiting a little longer each time, and the server
 * sends the whole table at once: nothing is lost but time.
 */

const FIRST_WAIT = 400;
const LONGEST_WAIT = 8000;
const PING = 20000;
const NO_TABLE = 4404;

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
    this.awake = () => document.visibilityState === "visible" && this.hurry();
    document.addEventListener("visibilitychange", this.awake);
    window.addEventListener("online", this.awake);
  }

  connect() {
    const base = new URL(`api/tables/${encodeURIComponent(this.id)}/live`, location.href.split("#")[0]);
    base.protocol = base.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(base);
    this.socket = socket;
    socket.onopen = () => {
      this.wait = FIRST_WAIT;
      this.pinging = setInterval(() => socket.send('{"type": "ping"}'), PING);
      this.listeners.state(true);
    };
    socket.onmessage = (event) => this.listeners.message(JSON.parse(event.data));
    socket.onclose = ({ code }) => {
      clearInterval(this.pinging);
      if (this.closed || socket !== this.socket) return;
      if (code === NO_TABLE) {
        this.listeners.gone();
        return;
      }
      this.listeners.state(false);
      this.timer = setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(LONGEST_WAIT, this.wait * 2);
    };
  }

  /** Try at once where a wait is on: the person has come back to the page. */
  hurry() {
    if (this.closed || this.socket.readyState < WebSocket.CLOSING) return;
    clearTimeout(this.timer);
    this.wait = FIRST_WAIT;
    this.connect();
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    clearInterval(this.pinging);
    document.removeEventListener("visibilitychange", this.awake);
    window.removeEventListener("online", this.awake);
    this.socket.close();
  }
}
