// Much work at once in a process that also answers requests.
import { setImmediate as othersTurn } from 'node:timers/promises'

/** So many rows take some milliseconds, for which a request may wait. */
const SLICE = 200

/** Within a loop over rows: after every few hundred of them lets others have their turn. `place`: of the row, from 0. */
export const giveWay = (place: number): Promise<void> | undefined =>
  place % SLICE === SLICE - 1 ? othersTurn() : undefined
