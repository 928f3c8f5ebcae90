// Opens the search from any place in the dashboard.
type Listener = () => void

const listeners = new Set<Listener>()

export const openCommands = (): void => {
  for (const listener of listeners) listener()
}

/** @returns a function that removes the listener */
export function onOpenCommands(listener: Listener): Listener {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
