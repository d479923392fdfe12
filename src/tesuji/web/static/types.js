/**
 * Types of the server's JSON, for documentation and editors.
 *
 * @typedef {{kind: "person"|"bot", bot: string|null, name: string, label?: string}} Seat
 * @typedef {{player: number, text: string, name?: string}} Move
 * @typedef {{left: number[], running: number|null, increment: number}} Clock
 *
 * @typedef {object} Table
 * @property {string} id              grants access: anyone who knows it may play
 * @property {string} game            the game's spec, such as `go:size=9`
 * @property {string} title
 * @property {number} version         incremented by every change
 * @property {any} board              by `board.kind`: see the files in boards/
 * @property {number} ply             of the position shown
 * @property {number} plies           of the whole game
 * @property {Move[]} moves
 * @property {Seat[]} seats
 * @property {number|null} turn       the seat to move; null when the game is over
 * @property {string[]} legal         the legal moves
 * @property {boolean} over
 * @property {number[]|null} scores
 * @property {string|null} result     one line
 * @property {{seat: number, seconds: number}|null} thinking
 * @property {Clock|null} clock
 * @property {string[]} remarks
 * @property {string|null} message    an error, for example of a bot
 * @property {boolean} can_undo
 * @property {number|null} value      win probability of seat 0, by the latest bot
 * @property {boolean|null} [paused]  in games between bots
 * @property {number|null} [speed]
 * @property {number|null} [seed]
 * @property {boolean} solvable       whether the game can tell who wins after each move
 *
 * @typedef {object} Candidate
 * @property {string} move
 * @property {number} visits
 * @property {number} value           of the player to move
 * @property {number} prior
 * @property {string[]} line
 * @property {number|null} proven      the proven score of the player to move, if any
 * @property {{player: number, clicks: string[]}[]} steps  the moves of the line on a described board
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
 * @typedef {{ply: number, player: number, winners: Record<string, number>, unsolved: number, nodes: number, seconds: number,
 *   done: boolean}} Solution           `winners`: who wins after each move that is solved
 *
 * @typedef {{ply: number, value: number, best: string|null, played: string|null, best_clicks?: string[]|null,
 *   loss: number, done: boolean}} Reviewed
 *
 * @typedef {object} Option           of a game or a bot
 * @property {string} name
 * @property {string} kind            int, float, switch, choice or text
 * @property {string} default
 * @property {number|null} minimum
 * @property {number|null} maximum
 * @property {string[]} choices       allowed words
 * @property {string} help
 * @property {string} visibility     basic, expert or study; the page shows basic ones first
 *
 * @typedef {object} GameInfo
 * @property {string} spec
 * @property {string} name
 * @property {string} title
 * @property {{minimum: number, maximum: number}} seats
 * @property {string[]} seat_names
 * @property {Option[]} options
 * @property {{name: string, help: string}[]} levels
 * @property {{name: string, help: string, options: Option[]}[]} bots
 * @property {{name: string, title: string}[]} formats
 * @property {string} default_bot
 * @property {string} goal            how to win, in one line
 * @property {string} board_kind      the renderer of its board
 * @property {any} preview            a position for the home page, or null
 * @property {boolean} explainable    has a linear value that can be explained
 * @property {boolean} hidden         has hidden information
 * @property {{symbol: string, label: string}[]|null} set_up  the pieces of the editor; null if it has no set-up positions
 */
export {};
