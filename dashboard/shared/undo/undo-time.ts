import { UNDO_HOURS } from '../../../contract/limits.ts'

const HOUR_MS = 3_600_000

/** @returns milliseconds since 1970 */
export const undoableSince = (): number => Date.now() - UNDO_HOURS * HOUR_MS

/** @param at an ISO time */
export const isUndoable = (at: string): boolean => Date.parse(at) > undoableSince()
