/**
 * What the server sends, for readers and editors; there is no code here.
 *
 * @typedef {{kind: "person"|"bot", bot: string|null, name: string, label?: string}} Seat
 * @typedef {{player: number, text: string, name?: string}} Played
 * @typedef {{left: number[], running: number|null, increment: number}} Clock
 *
 * @typedef {object} Table
 * @property {string} id              the right to the table: whoever knows it may play there
 * @property {string} game            the game's spec, such as `hex:size=11`
 * @property {string} title
 * @property {number} version         grows with every change
 * @property {any} board              by `board.kind`: see the files in boards/
 * @property {number} ply             of the position shown
 * @property {number} plies           of the whole game
 * @property {Played[]} moves
 * @property {Seat[]} seats
 * @property {number|null} turn       the seat to move; null when the game is over
 * @property {string[]} legal         texts of the moves that can be played here
 * @property {boolean} over
 * @property {number[]|null} scores
 * @property {string|null} result     one line
 * @property {{seat: number, seconds: number}|null} thinking
 * @property {Clock|null} clock
 * @property {string[]} remarks
 * @property {string|null} message    what went wrong, say with a bot
 * @property {boolean} undo
 * @property {string|null} swap       the move that swaps, where it is legal
 * @property {number|null} value      the chance of seat 0, as the last bot saw it
 * @property {boolean|null} [paused]  where only bots play
 * @property {number|null} [speed]
 * @property {number|null} [seed]
 *
 * @typedef {object} Candidate
 * @property {string} move
 * @property {number} visits
 * @property {number} value           of the player to move
 * @property {number} prior
 * @property {string[]} line
 * @property {number|null} proven      the player's score, where the search is sure
 *
 * @typedef {object} Analysis
 * @property {number} ply
 * @property {string} bot
 * @property {number} value           of the player to move
 * @property {number} visits
 * @property {number} seconds
 * @property {Candidate[]} candidates
 * @property {boolean} done
 *
 * @typedef {{ply: number, value: number, best: string|null, played: string|null, loss: number, done: boolean}} Reviewed
 *
 * @typedef {object} Option           of a game or a bot
 * @property {string} name
 * @property {string} kind            int, float, switch, choice or text
 * @property {string} default
 * @property {number|null} least
 * @property {number|null} most
 * @property {string[]} choices       words that may stand there
 * @property {string} help
 *
 * @typedef {object} GameInfo
 * @property {string} spec
 * @property {string} name
 * @property {string} title
 * @property {{least: number, most: number}} seats
 * @property {string[]} seat_names
 * @property {Option[]} options
 * @property {{name: string, help: string}[]} levels
 * @property {{name: string, help: string, options: Option[]}[]} bots
 * @property {{name: string, title: string}[]} formats
 * @property {string} default_bot
 * @property {boolean} features       a linear value is there to explain
 * @property {boolean} hidden         seats do not see everything
 */
export {};
