/**
 * Types of the server's JSON, for documentation and editors; made by .ci/page_types.py.
 *
 * @typedef {object} ErrorResponse  An error, in one line.
 * @property {string} error
 *
 * @typedef {object} MoveView  A move of the game; player -1 is chance.
 * @property {number} player
 * @property {string} text
 * @property {string} name
 *
 * @typedef {object} SeatView  Who plays a seat.
 * @property {"person"|"bot"} kind
 * @property {string|null} bot
 * @property {string} name
 *
 * @typedef {object} Thinking  The seat whose bot is thinking, and for how many seconds it has been.
 * @property {number} seat
 * @property {number} seconds
 *
 * @typedef {object} ClockView  Seconds left per seat.
 * @property {number[]} left
 * @property {number|null} running
 * @property {number} increment
 *
 * @typedef {object} PositionView  A position that was set up: the game that begins from it, its board, and who moves; or the problem.
 * @property {string} [game]
 * @property {Record<string, any>} [board]
 * @property {number} [turn]
 * @property {boolean} [over]
 * @property {string} [diagram]
 * @property {string|null} problem
 *
 * @typedef {object} TableView  A table at one ply, as seen from one seat.
 * @property {string} id  Grants access: anyone who knows it may play.
 * @property {string} game  The game's spec, such as `hex:size=9`.
 * @property {string} title
 * @property {number} version  Incremented by every change.
 * @property {Record<string, any>} board  By `board.kind`: see the files in boards/.
 * @property {number} ply  Of the position shown.
 * @property {number} plies  Of the whole game.
 * @property {MoveView[]} moves
 * @property {SeatView[]} seats
 * @property {number|null} turn  The seat to move; null when the game is over.
 * @property {string[]} legal
 * @property {boolean} over
 * @property {number[]|null} scores
 * @property {string|null} result  One line.
 * @property {Thinking|null} thinking
 * @property {ClockView|null} clock
 * @property {string[]} notes  Hints for the person to move.
 * @property {string|null} message  An error, for example of a bot.
 * @property {boolean} can_undo
 * @property {number|null} value  Win probability of seat 0, by the latest bot.
 * @property {boolean|null} paused  In games between bots.
 * @property {number|null} speed
 * @property {number|null} seed
 * @property {boolean} hidden
 * @property {boolean} solvable  Whether the game can tell who wins after each move.
 * @property {number|null} viewer
 * @property {number|null} record_number
 *
 * @typedef {object} Step  A move of a line on a described board: who plays it, and where it is clicked.
 * @property {number} player
 * @property {string[]} clicks
 *
 * @typedef {object} CandidateView  A move of an analysed position.
 * @property {string} move
 * @property {number} visits
 * @property {number|null} value  Of the player to move; null where a bot of one's own gives no number.
 * @property {number|null} prior
 * @property {number|null} amaf
 * @property {number|null} proven  The exact score, where proven.
 * @property {string[]} line
 * @property {boolean} exact  False where `value` is only an upper bound.
 * @property {number|null} plies
 * @property {Step[]} steps
 *
 * @typedef {object} AnalysisView  An analysis as `Analysis.as_dict` has it, of the best candidates with the beginnings of their lines.
 * @property {number} player
 * @property {string} move
 * @property {number|null} value  Of the player to move.
 * @property {number|null} proven
 * @property {number} iterations
 * @property {number} visits
 * @property {number} nodes
 * @property {number} bytes
 * @property {number} seconds
 * @property {string} stopped
 * @property {boolean} memory_full
 * @property {number|null} depth
 * @property {number|null} plies
 * @property {CandidateView[]} candidates
 *
 * @typedef {object} SolutionView  Who wins after each move that is solved.
 * @property {number} player
 * @property {Record<string, number>} winners
 * @property {number} unsolved
 * @property {number} nodes
 * @property {number} seconds
 *
 * @typedef {object} TableMessageOwn  The table, at once and after every change, over the live connection.
 * @property {"table"} type
 * @typedef {TableView&TableMessageOwn} TableMessage
 *
 * @typedef {object} AnalysisMessageOwn  An analysis of the position at a ply.
 * @property {"analysis"} type
 * @property {number} ply
 * @property {string} bot
 * @property {boolean} done
 * @typedef {AnalysisView&AnalysisMessageOwn} AnalysisMessage
 *
 * @typedef {object} SolutionMessageOwn  The solver's results for the position at a ply.
 * @property {"solution"} type
 * @property {number} ply
 * @property {boolean} done
 * @typedef {SolutionView&SolutionMessageOwn} SolutionMessage
 *
 * @typedef {object} ReviewMessage  One position of a review, and the move played there; the last one has no move.
 * @property {"review"} type
 * @property {number} ply
 * @property {number|null} player
 * @property {number|null} value
 * @property {string|null} best
 * @property {string|null} played
 * @property {string[]|null} best_clicks  Where the best move is clicked, on a described board.
 * @property {number} loss
 * @property {boolean} done
 *
 * @typedef {object} ErrorMessage  What failed, in one line; an analysis, a solver or a review has ended with it.
 * @property {"error"} type
 * @property {string} error
 *
 * @typedef {TableMessage|AnalysisMessage|SolutionMessage|ReviewMessage|ErrorMessage} Message
 *
 * @typedef {object} OptionView  An option of a game or a bot.
 * @property {string} name
 * @property {string} kind  int, float, switch, choice or text.
 * @property {string} default
 * @property {number|null} minimum
 * @property {number|null} maximum
 * @property {string[]} choices  Allowed words.
 * @property {string} help
 * @property {"basic"|"expert"|"study"} visibility  The page shows basic ones first.
 *
 * @typedef {object} LevelView  A level of a game.
 * @property {string} name
 * @property {string} help
 *
 * @typedef {object} BotView  A bot that may be requested.
 * @property {string} name
 * @property {string} help
 * @property {OptionView[]} options
 *
 * @typedef {object} FormatView  A record format.
 * @property {string} name
 * @property {string} title
 *
 * @typedef {object} SeatRange  The allowed numbers of seats.
 * @property {number} minimum
 * @property {number} maximum
 *
 * @typedef {object} PreviewView  A position for the home page.
 * @property {Record<string, any>} board
 * @property {number|null} turn
 * @property {string[]} seat_names
 *
 * @typedef {object} PieceView  A piece of a set-up position, with its symbol in diagrams.
 * @property {string} symbol
 * @property {string} label
 *
 * @typedef {object} GameView  A game that can be played.
 * @property {string} spec
 * @property {string} name
 * @property {string} title
 * @property {string} help
 * @property {string} goal  How to win, in one line.
 * @property {SeatRange} seats
 * @property {string[]} seat_names
 * @property {OptionView[]} options
 * @property {LevelView[]} levels
 * @property {BotView[]} bots
 * @property {string} default_bot
 * @property {FormatView[]} formats
 * @property {string} board_kind  The renderer of its board.
 * @property {PreviewView|null} preview
 * @property {boolean} explainable  Has a linear value that can be explained.
 * @property {boolean} hidden  Has hidden information.
 * @property {PieceView[]|null} set_up  The pieces that an editor of positions offers; null if the game has no set-up positions.
 *
 * @typedef {object} JobStarted  An analysis, a solver or a review has started; its results arrive over the live connection.
 * @property {boolean} started
 *
 * @typedef {object} TermView  A feature of the position after a move, and its contribution for the mover.
 * @property {string} name
 * @property {number} reading
 * @property {number} usual
 * @property {number} weight
 * @property {number} contribution
 *
 * @typedef {object} ExplanationView  The value of a move, feature by feature, as `Explanation.as_dict` has it.
 * @property {string} move
 * @property {number} probability
 * @property {number|null} score
 * @property {number|null} total
 * @property {number} base
 * @property {number|null} reader
 * @property {number} deals
 * @property {TermView[]} terms
 *
 * @typedef {object} Explanations  Explained moves, and the unit of their terms.
 * @property {string} unit
 * @property {ExplanationView[]} explanations
 *
 * @typedef {object} RecordView  A game as text, and a name for its file.
 * @property {string} format
 * @property {string} text
 * @property {string} filename
 *
 * @typedef {object} EstimateView  An estimate with its 95 % interval; an open end is null.
 * @property {number|null} value
 * @property {number|null} low
 * @property {number|null} high
 *
 * @typedef {object} MatchSummary  A match in the store.
 * @property {string} id
 * @property {string} game
 * @property {string[]} bots
 * @property {number} games
 * @property {string|null} openings
 * @property {number|null} seed
 *
 * @typedef {object} MatchViewOwn  A match; with a report if it has two bots.
 * @property {string[]|null} report
 * @property {Record<string, any>|null} facts
 * @property {number[]} numbers
 * @typedef {MatchSummary&MatchViewOwn} MatchView
 *
 * @typedef {object} RatingView  A bot's rating.
 * @property {string} bot
 * @property {EstimateView} elo
 * @property {number} games
 * @property {number} points
 *
 * @typedef {object} PairScore  Points scored in games against one opponent.
 * @property {number} points
 * @property {number} games
 *
 * @typedef {object} RatingsView  The ratings of one game.
 * @property {string} game
 * @property {number} games
 * @property {RatingView[]} ratings
 * @property {EstimateView|null} first_move
 * @property {EstimateView|null} draw_share
 * @property {EstimateView[]} seats
 * @property {boolean} connected
 * @property {Record<string, Record<string, PairScore>>} cross_table
 * @property {string} svg
 *
 * @typedef {object} RecordSummary  A game in the store.
 * @property {number} number
 * @property {string} game
 * @property {string[]} players
 * @property {string} result
 * @property {string} ending
 * @property {number} plies
 * @property {string} when
 */
export {};
