// What can be undone and redone: the states before and after the one that is shown.

export interface History<State> {
  past: readonly State[]
  present: State
  future: readonly State[]
  /** What changed last: the same again, such as typing on in one field, is one change. */
  tag?: string | undefined
}

const KEPT = 200

export const begin = <State>(present: State): History<State> => ({ past: [], present, future: [] })

/** @param tag what changes; a change without one is a separate step */
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

/** The state is another one without a change of what can be undone, such as what is selected. */
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
