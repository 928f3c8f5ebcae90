// Opens the search from anywhere.
type Listener = () => void

const listeners = new Set<Listener>()

export const openCommands = (): void => {
  for (const listener of listeners) listener()
}

/** @returns how to stop listening */
export function onOpenCommands(listener: Listener): Listener {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
