// Undo and redo: the states before and after the current one.

export interface History<State> {
  past: readonly State[]
  present: State
  future: readonly State[]
  /**
   * The target of the last change. Further changes of the same target, such as typing in one field, count as one
   * change.
   */
  tag?: string | undefined
}

const KEPT = 200

export const begin = <State>(present: State): History<State> => ({ past: [], present, future: [] })

/** @param tag the target of the change; a change without a tag is a separate step */
export function commit<State>(
  history: History<State>,
  next: State,
  tag?: string | undefined,
): History<State> {
  if (next === history.present) return history
  const isSame = tag !== undefined && tag === history.tag && history.past.length > 0
  const past = isSame ? history.past : [...history.past, history.present].slice(-KEPT)
  return { past, present: next, future: [], tag }
}

/** Replaces the state without a new undo step, for example after a new selection. */
export const replacePresent = <State>(history: History<State>, present: State): History<State> => ({
  ...history,
  present,
})

export function undo<State>(history: History<State>): History<State> {
  const previous = history.past.at(-1)
  if (previous === undefined) return history
  return {
    past: history.past.slice(0, -1),
    present: previous,
    future: [history.present, ...history.future],
  }
}

export function redo<State>(history: History<State>): History<State> {
  const [next, ...future] = history.future
  if (next === undefined) return history
  return { past: [...history.past, history.present], present: next, future }
}
